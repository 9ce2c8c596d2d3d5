import { TOOLS } from '@jeeves/protocol';
import { frameOf } from '../../../../packages/mcp-pruner/src/host/http/body.ts';
import { readMessage } from '../../../../packages/mcp-pruner/src/host/message.ts';
import { checkCall } from '../../../../packages/mcp-pruner/src/host/params.ts';
import type { Tool } from '../../../../packages/mcp-pruner/src/host/tool.ts';
import { readPruneBody } from '../../../../packages/mcp-pruner/src/routes/prune/body.ts';

// A program of its own: without helpers of the engine, so that the time of the process is the time it was blocked.

const MIB = 1024 * 1024;
const SIZE = 16 * MIB - 1024;

/** What a list can be filled with; `#` becomes a number, so that no two are alike. */
const UNITS = [
  '[]',
  '{}',
  '0',
  '1.5',
  'null',
  'true',
  '""',
  '"#"',
  '"abcdefgh"',
  '{"a":0}',
  '{"k#":0}',
  '{"k#":{"k#":[]}}',
  '{"start_line":null,"end_line":null}',
  '{"start_line":"x"}',
  '{"role":"user","content":#}',
  '[[[[[[[]]]]]]]',
  '{"segment_id":"#","type":"log","preview":"x","tokens":-1}',
  '{"segment_id":"#","tags":[0,0,0,0]}',
  '"é文"',
  '"\\u00e9"',
  '{"text":"","tags":[null]}',
  '-1e999',
  '\n\n\n\n0',
];

/** Where a list can stand; `@` is its place. */
const FRAMES = [
  '@',
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":@}',
  call('recover_text', '{"prune_id":"x","ranges":@}'),
  call('recover_text', '{"prune_id":"x","ranges":[@]}'),
  call('grep', '{"pattern":"x","paths":@}'),
  call('bash', '{"command":"x","env":@}'),
  call('context_stash', '{"segments":@}'),
  call('context_stash', '{"segment_ids":@}'),
  call('context_stash', '{"filters":{"tags":@}}'),
  call('context_analyze_usage', '{"project_id":"p","context_descriptors":{"recent_messages":@}}'),
  call('context_analyze_usage', '{"project_id":"p","context_descriptors":{"segment_summaries":@}}'),
  call('nothing', '@'),
  '{"query":"x","code":"y","threshold":@}',
];

/** Whole bodies of one value. */
const TEXTS = ['x', 'é', '文', '\\n', '\\u00e9', '\\"', '[', '{\\"a\\":0},', ' '];

function call(name: string, args: string): string {
  return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${args}}}`;
}

const tools: Tool[] = TOOLS.map((definition) => ({ definition, run: () => Promise.reject(new Error('not run')) }));

/** Reads a body and checks it, as `/prune` or as the routes of JSON-RPC do, as far as there is no tool to run. */
function take(body: Uint8Array, isPrune: boolean): unknown {
  if (isPrune) return readPruneBody(body);
  const incoming = readMessage(frameOf(body));
  return incoming.kind === 'request' ? checkCall(incoming.message.params, { tools }) : incoming;
}

/** Milliseconds of this process, and bytes of its heap, that a body costs. */
function cost(text: string, isPrune: boolean): { ms: number; bytes: number; size: number } {
  const body = Buffer.from(text);
  globalThis.gc?.();
  const before = process.memoryUsage();
  const started = process.cpuUsage();
  const taken = take(body, isPrune);
  const { user, system } = process.cpuUsage(started);
  const after = process.memoryUsage();
  const bytes = after.heapUsed + after.external - before.heapUsed - before.external;
  return { ms: (user + system) / 1000, bytes: taken === null ? 0 : bytes, size: body.length };
}

function filled(unit: string, size: number): string {
  const pieces: string[] = [];
  for (let length = 0, at = 0; length + unit.length + 8 < size; at += 1) {
    const piece = unit.replaceAll('#', String(at));
    pieces.push(piece);
    length += Buffer.byteLength(piece) + 1;
  }
  return `[${pieces.join(',')}]`;
}

// Anything above this is measured again: the first time may pay for what is loaded once, or for somebody else's load.
const SUSPICIOUS_MS = 60;

function say(name: string, text: string): void {
  const isPrune = text.startsWith('{"query"');
  let least = cost(text, isPrune);
  for (let again = 0; again < 3 && least.ms > SUSPICIOUS_MS; again += 1) {
    const next = cost(text, isPrune);
    if (next.ms < least.ms) least = next;
  }
  console.log(JSON.stringify({ name, ...least }));
}

say('reference', JSON.stringify({ query: 'x', code: 'x'.repeat(SIZE - 64) }));
// As many values as a message may hold come from a small body; the largest bodies hold more of everything.
for (const size of [512 * 1024, SIZE]) {
  for (const [at, unit] of UNITS.entries()) {
    const list = filled(unit, size - 256);
    const frames = size === SIZE ? FRAMES.filter((_, place) => place % 6 === at % 6) : FRAMES;
    for (const frame of frames)
      say(
        `${unit} in ${frame.slice(-60)}`,
        frame.replace('@', () => list),
      );
  }
}
for (const text of TEXTS) {
  const body = text.repeat(Math.floor((SIZE - 256) / Buffer.byteLength(text)));
  say(`a text of ${text}`, `{"query":"x","code":"${body}"}`);
  say(`an argument of ${text}`, call('prune_text', `{"text":"${body}"}`));
  say(`descriptors of ${text}`, call('context_analyze_usage', `{"project_id":"p","context_descriptors":"${body}"}`));
}
say('a wide text', call('prune_text', `{"text":"${'x'.repeat(SIZE - 512)}文"}`));

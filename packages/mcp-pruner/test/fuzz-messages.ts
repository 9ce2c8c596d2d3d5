import { Buffer } from 'node:buffer';
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';

/** A line that a broken or hostile client may send; it holds no newline. */
export function hostileLine(): fc.Arbitrary<Buffer> {
  const text = fc.oneof(
    { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 80 }) },
    { weight: 2, arbitrary: fc.json({ maxDepth: 3 }) },
    { weight: 6, arbitrary: nearRequest().map((value) => JSON.stringify(value)) },
    { weight: 3, arbitrary: mutated() },
    { weight: 1, arbitrary: deep() },
  );
  const bytes = fc.oneof(
    { weight: 14, arbitrary: text.map((line) => Buffer.from(line)) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }).map((array) => Buffer.from(array)) },
  );
  return bytes.map((line) => Buffer.from(line.map((byte) => (byte === 10 ? 32 : byte))));
}

/**
 * Which id the reply to a line has, or nothing where there is none. Told from the rules of JSON-RPC alone, not from the
 * code under test.
 */
export function expectedReply(line: Buffer): { readonly id: unknown } | undefined {
  const content = line.at(-1) === 13 ? line.subarray(0, -1) : line;
  if (content.length === 0) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content));
  } catch {
    return { id: null };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { id: null };
  const { jsonrpc, id, method, result, error } = value as Record<string, unknown>;
  const usable = typeof id === 'string' || Number.isSafeInteger(id) ? id : null;
  if (jsonrpc !== '2.0') return { id: usable };
  const has = (key: string): boolean => Object.hasOwn(value, key);
  if (typeof method === 'string') return has('id') ? { id: usable } : undefined;
  const failed = typeof error === 'object' && error !== null && !Array.isArray(error);
  const isResponse = has('result') !== failed && (usable !== null || (failed && id === null));
  return isResponse && (result !== undefined || failed) ? undefined : { id: usable };
}

const METHODS = ['initialize', 'ping', 'tools/list', 'tools/call', 'resources/list', 'prompts/list', 'nope', ''];

/** Never one that was used before: a reply must be told apart from any other. */
let serial = 0;
function freshId(): fc.Arbitrary<unknown> {
  const fresh = fc.boolean().map((asText) => (asText ? `id-${(serial += 1)}` : (serial += 1) + 1_000_000));
  const odd = fc.constantFrom<unknown>(null, true, 1.5, {}, [], [1], -0.5, 1e21);
  return fc.oneof({ weight: 8, arbitrary: fresh.map((id) => id as unknown) }, { weight: 1, arbitrary: odd });
}

function nearRequest(): fc.Arbitrary<unknown> {
  return fc.record(
    {
      jsonrpc: fc.oneof({ weight: 12, arbitrary: fc.constant<unknown>('2.0') }, junk()),
      id: freshId(),
      method: fc.oneof({ weight: 12, arbitrary: fc.constantFrom<unknown>(...METHODS) }, junk()),
      params: fc.oneof({ weight: 6, arbitrary: nearParams() }, junk()),
    },
    { requiredKeys: ['jsonrpc', 'method'] },
  );
}

function nearParams(): fc.Arbitrary<unknown> {
  const words = fc.constantFrom<unknown>('a.txt', '.', '/etc/passwd', '../x', '\0', '', 'x'.repeat(2000), 7, -1, null);
  const args = fc.record(
    {
      file_path: words,
      pattern: fc.constantFrom<unknown>('', 3, null, 'x'.repeat(10_001)),
      start_line: fc.oneof(fc.integer(), fc.double(), fc.string()),
      end_line: fc.integer({ min: -5, max: 5 }),
      encoding: words,
      max_output_bytes: fc.oneof(fc.integer(), fc.string()),
      context_focus_question: fc.oneof(fc.string(), fc.constant(' '), fc.constant('x'.repeat(1001))),
      prune_id: words,
      ranges: fc.anything({ maxDepth: 2 }),
      ['__proto__']: junk(),
    },
    { requiredKeys: [] },
  );
  return fc.record(
    {
      name: fc.constantFrom<unknown>('read', 'read', 'grep', 'recover_text', 'recover_range', 'bash', 'toString', 3),
      arguments: fc.oneof({ weight: 5, arbitrary: args }, junk()),
      protocolVersion: fc.oneof(words, fc.constant('2025-06-18')),
      clientInfo: junk(),
      cursor: junk(),
      _meta: fc.oneof(junk(), fc.record({ progressToken: junk() })),
    },
    { requiredKeys: ['name'] },
  );
}

function junk(): fc.Arbitrary<unknown> {
  return fc.anything({ maxDepth: 2, maxKeys: 4, withNullPrototype: false });
}

/** A request with some of its characters lost, doubled or swapped. */
function mutated(): fc.Arbitrary<string> {
  const request = nearRequest().map((value) => JSON.stringify(value));
  return fc.tuple(request, fc.array(fc.tuple(fc.nat(200), fc.nat(3)), { maxLength: 3 })).map(([text, edits]) =>
    edits.reduce((line, [at, kind]) => {
      if (kind === 0) return line.slice(0, at) + line.slice(at + 1);
      if (kind === 1) return line.slice(0, at) + line.slice(at, at + 1) + line.slice(at);
      return kind === 2 ? line.slice(0, at) : `${line.slice(0, at)}"${line.slice(at)}`;
    }, text),
  );
}

function deep(): fc.Arbitrary<string> {
  return fc.tuple(fc.integer({ min: 1, max: 3000 }), freshId()).map(([depth, id]) => {
    const value = `${'['.repeat(depth)}${']'.repeat(depth)}`;
    return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":"ping","params":{"a":${value}}}`;
  });
}

/** How many processes sleep that long. */
export function processesSleeping(seconds: number): number {
  const all = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
  return all.split('\n').filter((line) => line.trim() === `sleep ${seconds}`).length;
}

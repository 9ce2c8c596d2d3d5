import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A directory of its own in which stand-ins of the agent clients are installed. */
export interface Installed {
  readonly directory: string;
  readonly eventFile: string;
  readonly remove: () => void;
}

/** What the stand-in of the Claude Agent SDK does, in order. */
export type ClaudeStep =
  | { readonly message: object }
  | { readonly hook: 'PreToolUse' | 'PostToolUse' | 'PostToolUseFailure'; readonly input: object }
  | { readonly fail: string }
  /** Starts a process through the provider that lives until it is told to end, and says its number as the session. */
  | { readonly spawn: true }
  | { readonly untilAborted: true };

/** What the stand-in of Codex does, in order. */
export type CodexStep =
  | { readonly out: string | object }
  | { readonly err: string }
  /** Starts a process that stays, deaf to requests to end, with the event file in its environment. */
  | { readonly leaveServer: string }
  | { readonly forever: true }
  | { readonly exit: number };

/** Both stand-ins find their script in the environment variable `STAND_IN`. */
export function installStandIns(): Installed {
  const directory = mkdtempSync(join(tmpdir(), 'jeeves-clients-'));
  const put = (path: string, text: string): void => {
    const file = join(directory, 'node_modules', path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  put('@anthropic-ai/claude-agent-sdk/package.json', '{"type":"module","exports":{".":{"default":"./sdk.mjs"}}}');
  put('@anthropic-ai/claude-agent-sdk/sdk.mjs', CLAUDE);
  // Only below its SDK, where a package manager may well put it; the SDK itself lets nobody `require` it.
  put('@openai/codex-sdk/package.json', '{"type":"module","exports":{".":{"import":"./index.js"}}}');
  put('@openai/codex-sdk/node_modules/@openai/codex/package.json', '{"type":"module"}');
  put('@openai/codex-sdk/node_modules/@openai/codex/bin/codex.js', CODEX);
  return {
    directory,
    eventFile: join(directory, 'events.jsonl'),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}

const CLAUDE = `
export function query({ options }) {
  async function* messages() {
    for (const step of JSON.parse(options.env.STAND_IN)) {
      if (step.message) yield step.message;
      if (step.hook) for (const { hooks } of options.hooks[step.hook]) for (const hook of hooks) await hook(step.input);
      if (step.fail) throw new Error(step.fail);
      if (step.spawn) {
        const client = options.spawnClaudeCodeProcess({ command: process.execPath, args: ['-e', 'setInterval(() => 0, 1000)'], env: {} });
        yield { type: 'system', subtype: 'init', session_id: String(client.pid) };
      }
      if (step.untilAborted) {
        const { signal } = options.abortController;
        if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
        throw new Error('aborted by the SDK');
      }
    }
  }
  return Object.assign(messages(), {
    toggleMcpServer: async () => undefined,
    mcpServerStatus: async () => [{ name: 'pruner', status: 'failed', error: 'Connection closed' }],
  });
}
`;

const CODEX = `
import { spawn } from 'node:child_process';
const deaf = "process.on('SIGTERM', () => 0); console.log('up'); setInterval(() => 0, 1000)";
for (const step of JSON.parse(process.env.STAND_IN)) {
  if (step.out) console.log(typeof step.out === 'string' ? step.out : JSON.stringify(step.out));
  if (step.err) console.error(step.err);
  if (step.leaveServer) {
    const server = spawn(process.execPath, ['-e', deaf], { detached: true, env: { JEEVES_EVENT_FILE: step.leaveServer }, stdio: ['ignore', 'pipe', 'ignore'] });
    await new Promise((resolve) => server.stdout.once('data', resolve));
    console.log(JSON.stringify({ type: 'thread.started', thread_id: String(server.pid) }));
  }
  if (step.forever) await new Promise(() => setInterval(() => 0, 1000));
  if (step.exit !== undefined) process.exit(step.exit);
}
process.exit(0);
`;

/** Whether a process runs. One that is dead and not yet buried does not. */
export function isRunning(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
  } catch {
    return false;
  }
}

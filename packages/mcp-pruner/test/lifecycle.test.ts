import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { verifies } from '../../../test/e2e/verifies.ts';
import { cleanUp, ENTRY, lineOf, type ServerProcess, startServer, temporaryDirectory } from './harness.ts';

afterAll(cleanUp);

let marks = 30_000;

/** A number of seconds that no other process sleeps, so that a survivor can be told. */
function uniqueSeconds(): number {
  marks += 1;
  return marks * 100 + (process.pid % 100);
}

/** Processes whose command line holds these words one after another. */
function processesWith(...words: string[]): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => commandLine(pid).join('\0').includes(words.join('\0')))
    .map(Number);
}

function commandLine(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

async function until(holds: () => boolean, ms = 5000): Promise<void> {
  for (const end = Date.now() + ms; !holds() && Date.now() < end; ) await sleep(10);
  expect(holds()).toBe(true);
}

/** A server in the middle of a long command that has children of its own. */
async function busyServer(): Promise<{ server: ServerProcess; sleeping: () => number[] }> {
  const server = await startServer();
  const seconds = String(uniqueSeconds());
  const command = `sleep ${seconds} & setsid sleep ${seconds} & trap '' TERM; sleep ${seconds}; wait`;
  void server.ask('tools/call', { name: 'bash', arguments: { command, timeout_ms: 300_000 } }, 'long').catch(() => 0);
  const sleeping = (): number[] => processesWith('sleep', seconds);
  await until(() => sleeping().length === 3);
  return { server, sleeping };
}

describe('the end', () => {
  verifies(
    ['stdio.eof', 'stdio.disconnect', 'stdio.events.stopped'],
    'of the input ends a running command',
    async () => {
      const { server, sleeping } = await busyServer();
      const { code, ms } = await server.close();
      expect(code).toBe(0);
      expect(ms).toBeLessThan(2000);
      expect(sleeping()).toEqual([]);
      expect(server.messages.filter(({ id }) => id === 'long')).toEqual([]);
      expect(server.events.at(-1)).toMatchObject({ event: 'mcp_pruner.stopped', data: { graceful: true } });
    },
  );

  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('by %s ends a running command', async (signal) => {
    const { server, sleeping } = await busyServer();
    const started = performance.now();
    server.child.kill(signal);
    server.child.kill(signal);
    expect(await server.exit).toEqual({ code: 0, signal: null });
    expect(performance.now() - started).toBeLessThan(2000);
    expect(sleeping()).toEqual([]);
    expect(server.events.at(-1)?.event).toBe('mcp_pruner.stopped');
  });

  test('of an idle server comes at once', async () => {
    const server = await startServer();
    expect((await server.close()).ms).toBeLessThan(1000);
    const killed = await startServer();
    const started = performance.now();
    killed.child.kill('SIGTERM');
    expect(await killed.exit).toEqual({ code: 0, signal: null });
    expect(performance.now() - started).toBeLessThan(1000);
  });

  test('of the input lets a call that is almost done answer', async () => {
    const server = await startServer();
    writeFileSync(join(server.root, 'a.txt'), 'alpha\n');
    const call = { name: 'read', arguments: { file_path: 'a.txt' } };
    await server.write(lineOf({ jsonrpc: '2.0', id: 'last', method: 'tools/call', params: call }));
    expect(await server.close()).toMatchObject({ code: 0 });
    expect(server.messages.at(-1)).toMatchObject({ id: 'last', result: { content: [{ text: 'alpha\n' }] } });
  });

  test('of the input answers even what came before anything was loaded', async () => {
    const server = await startServer({ client: false });
    server.child.stdin.end(
      lineOf({ jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: '2025-06-18' } }) +
        lineOf({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    );
    expect(await server.exit).toMatchObject({ code: 0 });
    expect(server.messages.map(({ id }) => id)).toEqual([0, 1]);
    expect(server.events.map(({ event }) => event)).toEqual(['mcp_pruner.ready', 'mcp_pruner.stopped']);
  });

  verifies('stdio.respond-failed', 'of the reader is logged and ends the program and its commands', async () => {
    const { server, sleeping } = await busyServer();
    server.child.stdout.destroy();
    writeFileSync(join(server.root, 'a.txt'), 'alpha\n');
    const call = { name: 'read', arguments: { file_path: 'a.txt' } };
    await server.write(lineOf({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }));
    expect(await server.exit).toEqual({ code: 0, signal: null });
    expect(server.events.find(({ event }) => event === 'tool.respond_failed')).toMatchObject({
      level: 'error',
      data: { tool: 'read', message: expect.stringContaining('EPIPE') },
    });
    expect(sleeping()).toEqual([]);
  });

  verifies('security.t11.orphans', 'of the client, killed hard, ends the server and its commands', async () => {
    const root = temporaryDirectory();
    const seconds = String(uniqueSeconds());
    // The client gives its pipes to a process that outlives it: the server sees no end of input.
    const client = spawn(process.execPath, [
      join(import.meta.dirname, 'host', 'dying-client.mjs'),
      ENTRY,
      root,
      seconds,
    ]);
    await until(() => processesWith('sleep', seconds).length === 1 && existsSync(join(root, 'server.pid')), 10_000);
    const pid = Number(readFileSync(join(root, 'server.pid'), 'utf8'));
    client.kill('SIGKILL');
    await until(() => processesWith('sleep', seconds).length === 0 && !existsSync(`/proc/${pid}`), 5000);
  });
});

verifies('request.no-replay', 'a crash replays nothing', async () => {
  const root = temporaryDirectory();
  const env = { JEEVES_STORE: `sqlite:${join(root, 'store.db')}` };
  const first = await startServer({ root, env });
  const command = 'echo once >> ran; sleep 2';
  void first.ask('tools/call', { name: 'bash', arguments: { command } }).catch(() => undefined);
  await until(() => existsSync(join(root, 'ran')));
  first.child.kill('SIGKILL');
  await first.exit;
  const second = await startServer({ root, env });
  await second.ask('ping');
  await sleep(200);
  expect(readFileSync(join(root, 'ran'), 'utf8')).toBe('once\n');
  expect(second.messages).toHaveLength(2);
  await second.close();
});

verifies('security.t27.quiet-logs', 'events hold no contents, no questions and little of a command', async () => {
  const server = await startServer();
  writeFileSync(join(server.root, 'a.txt'), `${'filler line\n'.repeat(300)}CANARY-CONTENT\n`);
  const question = { context_focus_question: 'CANARY-QUESTION?' };
  await server.call('read', { file_path: 'a.txt', ...question });
  await server.call('grep', { pattern: 'CANARY', ...question });
  await server.call('bash', { command: `cat a.txt; exit 3 # ${'x'.repeat(300)}CANARY-COMMAND`, ...question });
  await server.ask('tools/call', { name: 'read', arguments: { file_path: 3, context_focus_question: 'CANARY' } });
  await server.write('{"CANARY":1}\nCANARY\n');
  await server.close();
  expect(server.events.length).toBeGreaterThan(15);
  expect(JSON.stringify(server.events)).not.toContain('CANARY');
});

verifies('security.t18.log-lines', 'control characters in names and outputs break no line of the log', async () => {
  const server = await startServer();
  const name = 'x\u001b[31m\n{"event":"fake"}\u2028\u0085';
  await server.ask('tools/call', { name, arguments: {} });
  await server.call('read', { file_path: name });
  await server.call('bash', { command: `printf 'a\\033[2J\\n' >&2; exit 1` });
  await server.close();
  // The harness has parsed every line already.
  expect(server.events.map(({ event }) => event)).not.toContain('fake');
  expect(server.events.find(({ event }) => event === 'tool.request_invalid')?.data?.['tool']).toBe(name);
});

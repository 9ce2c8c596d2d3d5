import { Buffer } from 'node:buffer';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, describe, expect } from 'vitest';
import { verifies } from '../../../test/e2e/verifies.ts';
import { expectedReply, hostileLine, processesSleeping } from './fuzz-messages.ts';
import { cleanUp, lineOf, type Message, type ServerProcess, startServer } from './harness.ts';

afterAll(cleanUp);

const MESSAGES = 20_000;
const BATCH = 1_000;

function rssOf(server: ServerProcess): number {
  const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${server.child.pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

function countById(ids: Iterable<unknown>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const id of ids) counts.set(JSON.stringify(id), (counts.get(JSON.stringify(id)) ?? 0) + 1);
  return counts;
}

function expectContract({ error }: Message): void {
  if (error?.code !== -32602) return;
  expect(error.message).toBe('Invalid params');
  const { jeeves, method, issues } = error.data as { jeeves: object; method: string; issues: Issue[] };
  expect([jeeves, typeof method]).toEqual([{ schemaVersion: 1 }, 'string']);
  expect(issues.length).toBeGreaterThan(0);
  for (const issue of issues) expect(issue).toEqual({ path: issue.path, code: issue.code, message: issue.code });
  const sorted = [...issues].sort((a, b) => compare(a.path, b.path) || compare(a.code, b.code));
  expect(issues).toEqual(sorted);
}

interface Issue {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

describe('bad messages', () => {
  verifies(
    ['stdio.parse-error', 'stdio.invalid-request', 'stdio.invalid-params', 'security.t15.hostile-json'],
    `${MESSAGES} of them: every request is answered once, nothing else is, and the server goes on`,
    async () => {
      const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 2 ** 31);
      process.stderr.write(`fuzz seed: ${seed} (FUZZ_SEED=${seed} repeats it)\n`);
      const server = await startServer({ args: ['--tools', 'read,grep'] });
      writeFileSync(join(server.root, 'a.txt'), 'alpha\n');
      const lines = fc.sample(hostileLine(), { numRuns: MESSAGES, seed });
      for (let start = 0; start < MESSAGES; start += BATCH) {
        const batch = lines.slice(start, start + BATCH);
        const seen = server.messages.length;
        const expected = batch.map(expectedReply).filter((reply) => reply !== undefined);
        for (const line of batch) await server.write(Buffer.concat([line, Buffer.from('\n')]));
        await server.until(() => server.messages.length >= seen + expected.length, 20_000);
        const good = await server.call('read', { file_path: 'a.txt' });
        expect(good.content?.[0]?.text, `seed ${seed}`).toBe('alpha\n');
        const replies = server.messages.slice(seen, -1);
        expect(countById(replies.map(({ id }) => id)), `seed ${seed}`).toEqual(countById(expected.map(({ id }) => id)));
        replies.forEach(expectContract);
      }
      expect(rssOf(server)).toBeLessThan(400);
      await server.close();
    },
  );
});

describe('messages of any size', () => {
  verifies(['stdio.oversized-frame', 'security.t12.floods'], 'above 16 MiB are refused once and skipped', async () => {
    const server = await startServer();
    const tooLarge = { code: -32600, message: 'Invalid Request', data: { code: 'message_too_large' } };
    for (const megabytes of [17, 64]) {
      const seen = server.messages.length;
      const part = Buffer.alloc(1024 * 1024, 'x');
      await server.write('{"jsonrpc":"2.0","id":1,"method":"');
      for (let at = 0; at < megabytes; at += 1) await server.write(part);
      await server.write('"}\n');
      expect((await server.ask('ping')).result).toEqual({});
      expect(server.messages.slice(seen, -1)).toEqual([{ jsonrpc: '2.0', id: null, error: tooLarge }]);
    }
    const padded = `{"jsonrpc":"2.0","id":"big","method":"ping","params":{"pad":"${'é'.repeat(8 * 1024 * 1024 - 100)}"}}\n`;
    await server.write(padded);
    expect((await server.reply('big')).result).toEqual({});
    expect(rssOf(server)).toBeLessThan(400);
    await server.close();
  });

  verifies('security.t12.floods', 'and floods of output neither end the connection nor fill memory', async () => {
    const server = await startServer();
    writeFileSync(join(server.root, 'line.txt'), 'x'.repeat(10_000_000));
    for (const command of ['yes', 'cat /dev/zero', 'yes >&2']) {
      const result = await server.call('bash', { command, timeout_ms: 500, max_output_bytes: 10_485_760 });
      expect(result).toMatchObject({ isError: true, structuredContent: { error: { code: 'timeout' } } });
    }
    const whole = await server.call('read', { file_path: 'line.txt', max_output_bytes: 10_485_760 });
    expect(whole.structuredContent).toMatchObject({ truncated: true });
    expect((await server.ask('ping')).result).toEqual({});
    expect(rssOf(server)).toBeLessThan(400);
    await server.close();
  });
});

describe('many at once', () => {
  verifies(['files.concurrency', 'request.pipeline'], '2,000 mixed calls, 64 in flight: one reply each', async () => {
    const server = await startServer();
    writeFileSync(join(server.root, 'a.txt'), 'alpha\nbeta\n'.repeat(200));
    const kinds: ((id: number) => [string, unknown])[] = [
      () => ['tools/call', { name: 'read', arguments: { file_path: 'a.txt' } }],
      () => [
        'tools/call',
        { name: 'read', arguments: { file_path: 'a.txt', context_focus_question: 'Where is beta?' } },
      ],
      () => ['tools/call', { name: 'read', arguments: { file_path: `missing-${Math.random()}` } }],
      () => ['tools/call', { name: 'read', arguments: {} }],
      () => ['ping', undefined],
      () => ['tools/list', {}],
      (id) =>
        id % 20 === 0
          ? ['tools/call', { name: 'bash', arguments: { command: `echo ${id}` } }]
          : ['tools/call', { name: 'recover_text', arguments: { prune_id: 'nope', ranges: [] } }],
      (id) =>
        id % 20 === 0
          ? ['tools/call', { name: 'grep', arguments: { pattern: 'beta', max_matches: 3 } }]
          : ['no/such/method', {}],
    ];
    let next = 0;
    const replies: Message[] = [];
    const worker = async (): Promise<void> => {
      for (let id = (next += 1); id <= 2000; id = next += 1) {
        const [method, params] = (kinds[id % kinds.length] ?? kinds[0])?.(id) ?? ['ping', undefined];
        replies.push(await server.ask(method, params, `mixed-${id}`));
      }
    };
    const before = server.messages.length;
    await Promise.all(Array.from({ length: 64 }, worker));
    expect(replies).toHaveLength(2000);
    await server.ask('ping');
    const counts = countById(server.messages.slice(before, -1).map(({ id }) => id));
    expect([counts.size, Math.max(...counts.values())]).toEqual([2000, 1]);
    const shell = server.messages.find(({ id }) => id === 'mixed-1960');
    expect(shell?.result ?? shell?.error).toBeDefined();
    await server.close();
  });
});

describe('cancelling', () => {
  verifies(
    'stdio.cancel',
    '200 calls at random times: no answer after it, no process left, and room again',
    async () => {
      const server = await startServer();
      writeFileSync(join(server.root, 'a.txt'), 'alpha\nbeta\n'.repeat(2000));
      const seconds = 40_000 + (process.pid % 9999);
      const ids: (string | number)[] = [];
      for (let at = 0; at < 200; at += 1) {
        const id = at === 0 ? 'zero' : at % 2 === 0 ? `c-${at}` : 50_000 + at;
        ids.push(id);
        const calls = [
          { name: 'bash', arguments: { command: `sleep ${seconds} & sleep ${seconds}` } },
          { name: 'grep', arguments: { pattern: 'beta' } },
          { name: 'read', arguments: { file_path: 'a.txt', context_focus_question: 'Where is beta?' } },
        ];
        await server.write(lineOf({ jsonrpc: '2.0', id, method: 'tools/call', params: calls[at % 3] }));
        if (at % 4 !== 0) await sleep(Math.random() * 25);
        const before = server.messages.length;
        for (const requestId of at % 5 === 0 ? ['unknown', id, id] : [id]) {
          server.notify('notifications/cancelled', { requestId });
        }
        if (at % 3 === 0) expect(server.messages.slice(before).map((message) => message.id)).not.toContain(id);
      }
      await server.until(() => processesSleeping(seconds) === 0, 5000);
      const counts = countById(server.messages.map(({ id }) => id));
      for (const [at, id] of ids.entries()) {
        const replies = counts.get(JSON.stringify(id)) ?? 0;
        expect(replies, `call ${at}`).toBeLessThanOrEqual(at % 3 === 0 ? 0 : 1);
      }
      expect((await server.call('bash', { command: 'echo on' })).structuredContent).toMatchObject({ stdout: 'on\n' });
      await server.close();
    },
  );
});

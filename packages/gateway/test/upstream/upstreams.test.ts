import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { verifies } from '../../../../test/e2e/verifies.ts';
import { entry, isAlive, pidsIn, temporary, textOf, until, world } from '../world.ts';

describe('results', () => {
  test('pass through unchanged, whatever they hold', async () => {
    const { ask } = world({ a: entry() });
    expect(await ask('a', 'mixed')).toEqual({
      content: [
        { type: 'text', text: 'seen', annotations: { priority: 1 } },
        { type: 'image', data: 'aGk=', mimeType: 'image/png' },
        { type: 'resource', resource: { uri: 'file:///x', text: 'inside' } },
        { type: 'of_the_future', anything: [1, 2.5, null] },
      ],
      structuredContent: { nested: { list: [1, 'two', null] } },
      _meta: { 'example.com/trace': 'abc' },
      unknownField: true,
    });
  });

  test.each([
    ['fail', {}, 'error: the server "a" answered with an error: no such luck (code -32000)'],
    ['nothing', {}, 'error: the server "a" answered with an error: Unknown tool: nothing (code -32602)'],
    ['crash', {}, 'error: the server "a" ended with exit code 7'],
    ['huge', { bytes: 200_000 }, 'error: the server "a" sent a message of more than 100000 bytes'],
    ['deep', { depth: 3000 }, 'error: the server "a" sent a message that is nested more than 256 deep'],
    ['sleep', { ms: 60_000 }, /^error: the server "a" did not answer within \d+ ms$/],
  ] as const)('of %s are an error that names the server', async (name, args, text) => {
    const { ask, tools } = world({ a: entry({}, { maxMessageBytes: 100_000, timeoutMs: 1000 }) });
    await tools();
    const result = await ask('a', name, args);
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(text);
  });

  test('of a server that nobody configured are an error too', async () => {
    const { ask } = world({});
    expect(textOf(await ask('b', 'echo'))).toBe('error: the server "b" is not configured');
  });
});

describe('a server', () => {
  test('is started again after a crash', async () => {
    const { ask } = world({ a: entry() });
    expect(textOf(await ask('a', 'count'))).toBe('1');
    expect((await ask('a', 'crash')).isError).toBe(true);
    expect(textOf(await ask('a', 'count'))).toBe('1');
  });

  test('that keeps failing is left alone for a while, and says when it is tried again', async () => {
    const { ask, events } = world({ a: entry({ fault: 'exits' }) });
    await until(
      async () => /started again in \d+ s/.test(textOf(await ask('a', 'echo'))),
      'a wait before the next start',
    );
    expect(textOf(await ask('a', 'echo'))).toMatch(
      /^error: the server "a" ended with exit code 3; it is started again in/,
    );
    expect(events).toContainEqual({
      event: 'gateway.upstream_stderr',
      data: { server: 'a', tail: 'cannot find the secret sauce' },
    });
  });

  test('that does not answer twice in a row is started afresh', async () => {
    const { ask, events, tools } = world({ a: entry({ fault: 'hangs_in_calls' }, { timeoutMs: 500 }) });
    await tools();
    await ask('a', 'echo');
    await ask('a', 'echo');
    const stopped = { event: 'gateway.upstream_stopped', data: { server: 'a', reason: 'unresponsive' } };
    await until(() => events.some((event) => JSON.stringify(event) === JSON.stringify(stopped)), 'a fresh start');
  });

  test('that crashed in a call is not stopped again for having rested', async () => {
    const pidFile = join(temporary(), 'pids');
    const { ask, events } = world({ a: entry({ pidFile }, { idleSeconds: 1 }) });
    expect((await ask('a', 'crash')).isError).toBe(true);
    await ask('a', 'echo');
    await until(() => pidsIn(pidFile).length > 1 && !pidsIn(pidFile).some(isAlive), 'both instances are gone');
    const stops = events.filter(({ event }) => event === 'gateway.upstream_stopped');
    expect(stops).toHaveLength(1);
  });

  test('that was never listed is waited for by whoever calls its tools, and by nobody else', async () => {
    const { known, listedFor } = world({ hung: entry({ fault: 'hangs' }, { timeoutMs: 500 }), a: entry() });
    const { signal } = new AbortController();
    expect(await listedFor('a__echo', signal)).toBeUndefined();
    expect((await known()).tools.some(({ displayName }) => displayName === 'a__echo')).toBe(true);
    expect(await listedFor('hung__echo', signal)).toBe('the server "hung" is still starting');
    await expect(listedFor('hung__echo', AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
  });

  test('that cannot be listed says why', async () => {
    const { listedFor } = world({ a: entry({ fault: 'exits' }) });
    expect(await listedFor('a__echo', new AbortController().signal)).toBe('the server "a" ended with exit code 3');
  });

  test('that rests is stopped, and its tools stay known', async () => {
    const pidFile = join(temporary(), 'pids');
    const { ask, tools, events } = world({ a: entry({ pidFile }, { idleSeconds: 1 }) });
    const pid = Number(textOf(await ask('a', 'pid')));
    await until(() => !isAlive(pid), 'an idle server ends');
    expect(events).toContainEqual({ event: 'gateway.upstream_stopped', data: { server: 'a', reason: 'idle' } });
    expect((await tools()).tools).toHaveLength(13);
    expect(Number(textOf(await ask('a', 'pid')))).not.toBe(pid);
  });

  verifies(
    'gateway.state.said',
    'that was stopped while it may have held something says so in the next answer',
    async () => {
      const once = { idleSeconds: 1 };
      const { ask } = world({ a: entry({}, once), b: entry({}, { ...once, strategy: 'stateless' }) });
      for (const server of ['a', 'b']) {
        const pid = Number(textOf(await ask(server, 'pid')));
        await until(() => !isAlive(pid), 'an idle server ends');
      }
      const [, note] = (await ask('a', 'count')).content;
      expect(note?.['text']).toBe(
        'note: the server "a" had been stopped after 1 s without a call and was started again; whatever it held is gone',
      );
      expect((await ask('a', 'count')).content).toHaveLength(1);
      expect((await ask('b', 'count')).content).toHaveLength(1);
    },
  );

  test('with more calls than it can have use for refuses the rest at once', async () => {
    const { ask, tools } = world({ a: entry({ fault: 'hangs_in_calls' }, { timeoutMs: 1500 }), b: entry() });
    await tools();
    const waiting = Array.from({ length: 128 }, () => ask('a', 'echo'));
    expect(textOf(await ask('a', 'echo'))).toBe('error: the server "a" already works on 128 calls');
    expect(textOf(await ask('b', 'echo', { text: 'free' }))).toBe('free');
    await Promise.all(waiting);
  });

  test('may print what it likes between its messages', async () => {
    const { ask, tools } = world({ a: entry({ fault: 'garbage' }) });
    expect((await tools()).tools).toHaveLength(13);
    expect(textOf(await ask('a', 'echo', { text: 'still here' }))).toBe('still here');
  });

  test('that speaks no revision of ours is refused', async () => {
    const { ask } = world({ a: entry({ protocolVersion: '1999-01-01' }) });
    expect(textOf(await ask('a', 'echo'))).toMatch(/speaks no revision of MCP that is spoken here \(1999-01-01\)/);
  });

  test('is told when nobody waits for its answer any more', async () => {
    const { ask, call } = world({ a: entry() });
    const caller = new AbortController();
    const waiting = call({ server: 'a', name: 'sleep', args: { ms: 60_000 }, signal: caller.signal });
    await ask('a', 'echo');
    caller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    await until(async () => textOf(await ask('a', 'cancelled')) === '["the caller went away"]', 'a cancellation');
  });

  test('may say how far it is', async () => {
    const { call } = world({ a: entry() });
    const heard: string[] = [];
    const { signal } = new AbortController();
    await call({ server: 'a', name: 'sleep', args: { ms: 1 }, signal, progress: (message) => heard.push(message) });
    expect(heard).toEqual(['half way']);
  });
});

describe('a strategy', () => {
  test.each([
    ['stateless', ['1', '2', '3']],
    ['singleton', ['1', '2', '3']],
    ['stateful', ['1', '1', '2']],
  ])('%s routes calls with the keys x, y and x', async (strategy, counts) => {
    const { ask } = world({ a: entry({}, { strategy }) });
    const answers: string[] = [];
    for (const key of ['x', 'y', 'x']) answers.push(textOf(await ask('a', 'count', {}, key)));
    expect(answers).toEqual(counts);
  });

  test('of a singleton lets one call through at a time', async () => {
    const { ask } = world({ one: entry({}, { strategy: 'singleton' }), many: entry() });
    const most = async (server: string): Promise<string> => {
      const calls = await Promise.all([1, 2, 3].map(() => ask(server, 'sleep', { ms: 150 })));
      return textOf(calls.at(-1) ?? { content: [] });
    };
    expect(await most('one')).toBe('1');
    expect(await most('many')).toBe('3');
  });

  test('of a stateful server ends the instance that rested longest when there are too many', async () => {
    const pidFile = join(temporary(), 'pids');
    const { ask, events } = world({ a: entry({ pidFile }, { strategy: 'stateful' }) });
    await ask('a', 'pid', {}, 'first');
    for (let at = 0; at < 16; at += 1) await ask('a', 'pid', {}, `key ${at}`);
    const evicted = { event: 'gateway.upstream_stopped', data: { server: 'a', reason: 'evicted' } };
    expect(events).toContainEqual(evicted);
    await until(() => pidsIn(pidFile).filter(isAlive).length <= 16, 'no more than sixteen instances');
  }, 60_000);
});

describe('the end', () => {
  test('of the gateway ends servers that ignore it, and what they started', async () => {
    const pidFile = join(temporary(), 'pids');
    const { ask, close } = world({ a: entry({ fault: 'deaf', pidFile }) });
    await ask('a', 'echo');
    expect(pidsIn(pidFile).filter(isAlive)).toHaveLength(2);
    await close();
    await until(() => pidsIn(pidFile).filter(isAlive).length === 0, 'no process is left');
  });

  test('of the process ends process groups at once', async () => {
    const { ask, exit } = world({ a: entry() });
    const pid = Number(textOf(await ask('a', 'pid')));
    exit();
    await until(() => !isAlive(pid), 'the server is gone');
  });

  test('does not wait for a server that never shook hands', async () => {
    const pidFile = join(temporary(), 'pids');
    const { close } = world({ a: entry({ fault: 'hangs', pidFile }) });
    await until(() => pidsIn(pidFile).length === 1, 'a start');
    await close();
    await until(() => pidsIn(pidFile).filter(isAlive).length === 0, 'no process is left');
  });

  test('of a gateway that was killed is made up for by the next', async () => {
    const pidFile = join(temporary(), 'pids');
    const killed = spawn('sleep', ['600']);
    const { ask } = world({ a: entry({ fault: 'deaf', pidFile }) }, { pid: killed.pid ?? 0 });
    await ask('a', 'echo');
    world({});
    await sleep(100);
    expect(pidsIn(pidFile).filter(isAlive)).toHaveLength(2);
    killed.kill('SIGKILL');
    await until(() => !isAlive(killed.pid ?? 0), 'the gateway is dead');
    world({});
    await until(() => pidsIn(pidFile).filter(isAlive).length === 0, 'no process is left');
  });
});

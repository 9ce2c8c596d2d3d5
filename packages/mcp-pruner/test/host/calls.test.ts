import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { connect, line } from './peer.ts';

function wait(id: string | number, ms: number): string {
  return line({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'wait', arguments: { ms } } });
}

describe('at most so many calls', () => {
  test('run and wait; the next is told that the server is busy, and room is used again', async () => {
    const peer = connect();
    const started = performance.now();
    for (let id = 0; id < 16 + 64 + 2; id += 1) peer.write(wait(id, 40));
    await peer.until(() => peer.messages.length === 82);
    // Sixteen at a time, eighty take five rounds.
    expect(performance.now() - started).toBeGreaterThan(4.5 * 40);
    const busy = peer.messages.filter(({ error }) => error !== undefined);
    expect(busy.map(({ id }) => id)).toEqual([80, 81]);
    expect(busy[0]?.error).toEqual({ code: -32603, message: 'busy', data: { code: 'busy' } });
    expect(new Set(peer.messages.map(({ id }) => id)).size).toBe(82);
    expect((await peer.call('wait', { ms: 0 })).result).toMatchObject({ structuredContent: { text: 'waited 0' } });
  });

  test('run at once, the others in the order they came', async () => {
    const peer = connect({ limits: { running: 1, waiting: 3 } });
    for (const id of ['a', 'b', 'c', 'd']) peer.write(wait(id, 1));
    await peer.until(() => peer.messages.length === 4);
    expect(peer.messages.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
  });

  test('do not hold up what needs no tool', async () => {
    const peer = connect({ limits: { running: 1, waiting: 0 } });
    peer.write(wait(1, 5000));
    expect((await peer.ask('ping')).result).toEqual({});
    expect((await peer.ask('tools/list')).result).toHaveProperty('tools');
    await peer.connection.stop({ drainMs: 0, abortMs: 1000 });
  });
});

describe('cancelling', () => {
  test.each([0, 7, 'text', ''])('a call with the id %j ends it without a reply', async (id) => {
    const peer = connect();
    peer.write(wait(id, 60_000));
    await peer.ask('ping');
    peer.notify('notifications/cancelled', { requestId: id, reason: 'enough' });
    expect(await peer.connection.stop({ drainMs: 500, abortMs: 500 })).toBe(true);
    expect(peer.messages.filter((message) => message.id === id)).toEqual([]);
    expect(peer.events.map(({ event }) => event)).toEqual(['tool.request_received', 'tool.exec_start']);
  });

  test('a call that waits means it never starts', async () => {
    const peer = connect({ limits: { running: 1, waiting: 5 } });
    peer.write(wait(1, 50) + wait(2, 0) + wait(3, 0));
    peer.notify('notifications/cancelled', { requestId: 2 });
    await peer.until(() => peer.messages.length === 2);
    expect(peer.messages.map(({ id }) => id)).toEqual([1, 3]);
    expect(peer.events.filter(({ event }) => event === 'tool.exec_start')).toHaveLength(2);
  });

  test('an id of another type, an unknown or a finished one changes nothing', async () => {
    const peer = connect();
    peer.write(wait('1', 30));
    for (const requestId of [1, 'nope', 1.5, null, {}]) peer.notify('notifications/cancelled', { requestId });
    await peer.until(() => peer.messages.length === 1);
    peer.notify('notifications/cancelled', { requestId: '1' });
    expect((await peer.call('echo', { text: 'on' }, '1')).result).toHaveProperty('structuredContent');
  });

  test('frees the room of the call', async () => {
    const peer = connect({ limits: { running: 1, waiting: 1 } });
    peer.write(wait(1, 60_000) + wait(2, 0));
    peer.notify('notifications/cancelled', { requestId: 1 });
    await peer.until(() => peer.messages.length === 1);
    expect(peer.messages[0]?.id).toBe(2);
  });

  test('leaves the handshake alone', async () => {
    const peer = connect();
    peer.write(line({ jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25' } }));
    peer.notify('notifications/cancelled', { requestId: 0 });
    await peer.until(() => peer.messages.length === 1);
    expect(peer.messages[0]?.result).toHaveProperty('serverInfo');
  });
});

test('an id that is still in use is refused; the first call gets its own answer', async () => {
  const peer = connect();
  peer.write(wait(5, 50) + wait(5, 0) + wait('5', 0));
  await peer.until(() => peer.messages.length === 3);
  expect(peer.messages.filter(({ error }) => error !== undefined)).toEqual([
    { jsonrpc: '2.0', id: 5, error: { code: -32600, message: 'Invalid Request' } },
  ]);
  expect(peer.messages.filter(({ id, result }) => id === 5 && result !== undefined)).toHaveLength(1);
});

describe('stopping', () => {
  test('lets a call that is almost done answer', async () => {
    const peer = connect();
    peer.write(wait(1, 50));
    await peer.ask('ping');
    expect(await peer.connection.stop({ drainMs: 2000, abortMs: 100 })).toBe(true);
    expect(peer.messages.map(({ id }) => id)).toContain(1);
  });

  test('aborts the others and says whether they ended', async () => {
    const ending = connect();
    ending.write(wait(1, 60_000));
    await ending.ask('ping');
    expect(await ending.connection.stop({ drainMs: 0, abortMs: 1000 })).toBe(true);
    const stuck = connect();
    stuck.write(line({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'stuck', arguments: {} } }));
    await stuck.ask('ping');
    expect(await stuck.connection.stop({ drainMs: 10, abortMs: 30 })).toBe(false);
  });

  test('is due when the input ends', async () => {
    const peer = connect();
    peer.input.end('{"jsonrpc":"2.0","id":1,"method":"ping"}');
    expect(await peer.connection.ended).toBe('input_ended');
    await peer.until(() => peer.messages.length === 1);
  });
});

describe('progress', () => {
  test('goes to a client that asked for it: growing numbers, one a second, none after the reply', async () => {
    const peer = connect();
    await peer.ask('tools/call', chatter(24, 100, 'p-1'), 'call');
    const news = peer.messages.filter(({ method }) => method === 'notifications/progress');
    expect(news.map(({ params }) => params)).toEqual([
      { progressToken: 'p-1', progress: 1, message: 'step 0' },
      { progressToken: 'p-1', progress: 2, message: expect.stringMatching(/^step \d+$/) },
      { progressToken: 'p-1', progress: 3, message: expect.stringMatching(/^step \d+$/) },
    ]);
    expect(peer.messages.at(-1)?.id).toBe('call');
    await sleep(50);
    expect(peer.messages.at(-1)?.id).toBe('call');
  });

  test('goes to nobody else', async () => {
    const peer = connect();
    await peer.ask('tools/call', chatter(3, 1));
    expect(peer.messages).toHaveLength(1);
  });

  test('takes 0 for a token', async () => {
    const peer = connect();
    await peer.ask('tools/call', chatter(1, 1, 0));
    expect(peer.messages[0]?.params).toMatchObject({ progressToken: 0, progress: 1 });
  });
});

function chatter(times: number, every: number, token?: unknown): object {
  const meta = token === undefined ? {} : { _meta: { progressToken: token } };
  return { name: 'chatter', arguments: { times, every }, ...meta };
}

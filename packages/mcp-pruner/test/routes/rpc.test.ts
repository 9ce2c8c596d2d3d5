import { EngineError, type RecoveryStore } from '@jeeves/engine';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPTIONS, openSite, type Site } from './site.ts';

const NOTES = Array.from(
  { length: 40 },
  (_, at) => `Line ${at + 1} is about ${at === 20 ? 'the port' : 'nothing'}.\n`,
).join('');

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());

describe('a message on /rpc', () => {
  test.each([
    ['not JSON', '{', -32700, null],
    ['nothing', '', -32700, null],
    ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600, null],
    ['another version', '{"jsonrpc":"1.0","id":7,"method":"ping"}', -32600, 7],
    ['an id of null', '{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600, null],
    [
      'nested too deep',
      `{"jsonrpc":"2.0","id":8,"method":"ping","params":${'['.repeat(80)}${']'.repeat(80)}}`,
      -32600,
      8,
    ],
    ['an unknown method', '{"jsonrpc":"2.0","id":"a","method":"nope"}', -32601, 'a'],
    ['an unknown tool', '{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"read"}}', -32602, 9],
    ['a handshake without a version', '{"jsonrpc":"2.0","id":10,"method":"initialize","params":{}}', -32602, 10],
  ])('that is %s is answered with status 200 and its error', async (_, body, code, id) => {
    const { status, json } = await site.post('/rpc', body);
    expect([status, json.jsonrpc, json.id, json.error.code]).toEqual([200, '2.0', id, code]);
  });

  test('that is not UTF-8 is no JSON either', async () => {
    const body = new Uint8Array([0x7b, 0xff, 0x7d]);
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${site.url}/rpc`, { method: 'POST', body, headers });
    expect(((await response.json()) as { error: { code: number } }).error.code).toBe(-32700);
  });

  test.each([
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', method: 'notifications/nobody/knows', params: {} },
    { jsonrpc: '2.0', id: 1, result: {} },
  ])('that wants no answer gets 202 and no body', async (message) => {
    const { status, text } = await site.post('/rpc', message);
    expect([status, text]).toEqual([202, '']);
  });

  test('of a call whose arguments break the schema says where', async () => {
    const { error } = await site.rpc('tools/call', { name: 'recover_text', arguments: { prune_id: 1, query: 'x' } });
    expect(error.code).toBe(-32602);
    expect(error.data.issues.map(({ path }: { path: string }) => path)).toEqual([
      'arguments',
      'arguments.include_line_numbers',
      'arguments.prune_id',
      'arguments.ranges',
    ]);
  });
});

describe('tools called as methods of their own', () => {
  test('answer with the object itself', async () => {
    const { result } = await site.rpc('prune_text', {
      text: NOTES,
      goal_hint: 'port',
      source_type: 'docs',
      options: OPTIONS,
    });
    expect(result.stats.original_lines).toBe(40);
    const ranges = [{ start_line: 2, end_line: 3 }];
    for (const method of ['recover_text', 'recover_range']) {
      const recovered = await site.rpc(method, { prune_id: result.prune_id, ranges, include_line_numbers: false });
      expect(recovered.result.raw_text).toBe('Line 2 is about nothing.\nLine 3 is about nothing.\n');
    }
    expect((await site.rpc('health')).result.status).toBe('healthy');
  });

  test('check their params', async () => {
    const { error } = await site.rpc('prune_text', { text: 1 });
    expect([error.code, error.data.tool, error.data.issues[0].path]).toEqual([-32602, 'prune_text', 'goal_hint']);
  });
});

describe('the events of a call', () => {
  test('carry one request id and hold nothing of the text', async () => {
    const before = site.events.length;
    await site.prune({ text: 'canary in the text\n', goal_hint: 'canary in the goal' });
    await expect
      .poll(() => site.events.slice(before).map(({ event }) => event))
      .toEqual(['tool.request_received', 'tool.exec_start', 'tool.exec_ok', 'tool.respond_ok', 'http.request']);
    const events = site.events.slice(before);
    expect(new Set(events.slice(0, -1).map(({ request_id }) => request_id)).size).toBe(1);
    expect(JSON.stringify(events)).not.toContain('canary');
  });
});

function broken(): Promise<never> {
  return Promise.reject(new EngineError('store_failed', 'the disk is gone'));
}

describe('a text pruned over /rpc', () => {
  test('waits for its own time, beside texts of others that wait longer', async () => {
    let now = 1_000_000;
    const own = await openSite({ now: () => now, rpcTtlMs: 600_000 });
    await own.store.put({ pruneId: 'prn_agent', text: 'a\n', firstLine: 1, createdAt: now });
    const { prune_id } = await own.prune({ text: NOTES, goal_hint: 'port' });
    const ask = (id: string) =>
      own.rpc('recover_text', { prune_id: id, ranges: [{ start_line: 1, end_line: 1 }], include_line_numbers: false });
    now += 599_999;
    expect((await ask(prune_id)).result.raw_text).toBe('Line 1 is about nothing.\n');
    now += 1;
    expect((await ask(prune_id)).error).toMatchObject({ code: -32004, data: { code: 'prune_id_not_found', prune_id } });
    expect((await ask('prn_agent')).result.raw_text).toBe('a\n');
    await own.close();
  });

  test('comes back whole when it cannot be kept, and a store that cannot be read says so', async () => {
    const store: RecoveryStore = { url: 'none:', put: broken, get: broken, close: () => Promise.resolve() };
    const own = await openSite({ store });
    const result = await own.prune({ text: NOTES, goal_hint: 'port' });
    expect([result.pruned_text === NOTES, result.annotations, result.warnings]).toEqual([true, [], ['store_failed']]);
    const { error } = await own.rpc('recover_text', { prune_id: 'prn_x', ranges: [], include_line_numbers: true });
    expect(error).toMatchObject({
      code: -32603,
      message: 'recovery_unavailable',
      data: { code: 'recovery_unavailable' },
    });
    await own.close();
  });
});

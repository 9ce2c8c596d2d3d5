import { describe, expect } from 'vitest';
import { verifies } from '../../verifies.ts';
import { faulty, freshHome, type GatewayProcess, startGateway, textOf, until } from './gateway.ts';

const SERVERS = { odd: faulty() };

async function find(
  gateway: GatewayProcess,
  args: object = {},
): Promise<Record<string, unknown> & { filtered: number }> {
  return JSON.parse(textOf(await gateway.call('automatic_mcp', args))) as { filtered: number };
}

describe('sessions of the gateway', () => {
  verifies(['gateway.dedup', 'gateway.reply.session'], 'belong to one process, whatever id agents choose', async () => {
    const home = freshHome();
    const one = await startGateway({ home, servers: SERVERS });
    const { filtered, totalAvailable } = await find(one, { sessionId: 'shared' });
    expect(filtered).toBe(totalAvailable);
    expect((await find(one, { sessionId: 'shared' })).filtered).toBe(0);
    const other = await startGateway({ home, servers: SERVERS });
    expect((await find(other, { sessionId: 'shared' })).filtered).toBe(filtered);
  });

  verifies('gateway.session-fallback', 'without an id last as long as the connection', async () => {
    const home = freshHome();
    const one = await startGateway({ home, servers: SERVERS });
    expect((await find(one)).filtered).toBeGreaterThan(0);
    expect((await find(one)).filtered).toBe(0);
    const other = await startGateway({ home, servers: SERVERS });
    expect((await find(other)).filtered).toBeGreaterThan(0);
  });

  verifies(
    ['gateway.changed-resent', 'gateway.already-sent', 'gateway.force-refresh'],
    'get a new tool as soon as its server has it, and nothing else again',
    async () => {
      const gateway = await startGateway({ servers: SERVERS });
      const before = await find(gateway, { sessionId: 's' });
      await gateway.evaluate('odd__grow');
      let after = await find(gateway, { sessionId: 's', query: 'zzz' });
      await until(async () => {
        after = await find(gateway, { sessionId: 's' });
        return after.filtered > 0;
      }, 'the new tool comes');
      expect(after['tools']).toEqual([expect.objectContaining({ name: expect.stringMatching(/^odd__grown_/) })]);
      expect(after['alreadySent']).toHaveLength(before.filtered);
      expect(after['etag']).not.toBe(before['etag']);
      const all = await find(gateway, { sessionId: 's', forceRefresh: true });
      expect([all.filtered, all['alreadySent']]).toEqual([before.filtered + 1, []]);
    },
  );

  verifies('gateway.sent-after-reply', 'do not count what a cancelled call would have sent', async () => {
    const gateway = await startGateway({ servers: SERVERS });
    await find(gateway, { sessionId: 'other' });
    const call = { method: 'tools/call', params: { name: 'automatic_mcp', arguments: { sessionId: 's' } } };
    const cancel = { method: 'notifications/cancelled', params: { requestId: 'lost' } };
    const lines = [{ id: 'lost', ...call }, cancel].map((message) => JSON.stringify({ jsonrpc: '2.0', ...message }));
    // In one piece: the call must not be done before it is cancelled.
    gateway.child.stdin?.write(`${lines.join('\n')}\n`);
    expect((await find(gateway, { sessionId: 's' })).filtered).toBeGreaterThan(5);
  });
});

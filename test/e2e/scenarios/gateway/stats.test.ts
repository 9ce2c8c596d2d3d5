import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { verifies } from '../../verifies.ts';
import {
  EVERYTHING,
  faulty,
  freshHome,
  type GatewayProcess,
  runCommand,
  script,
  startGateway,
  until,
} from './gateway.ts';

async function statsOf(home: string): Promise<Record<string, number>> {
  return JSON.parse((await runCommand(home, 'stats', '--json')).out) as Record<string, number>;
}

/** Connects, lists and asks for everything once. */
async function session(home: string, servers: Readonly<Record<string, object>>): Promise<GatewayProcess> {
  const gateway = await startGateway({ home, servers });
  await until(
    async () => JSON.stringify(await gateway.call('automatic_mcp', { query: 'echo' })).includes('__'),
    'a tool',
  );
  await gateway.list();
  return gateway;
}

describe('jeeves gateway stats', () => {
  verifies(
    ['gateway.stats.counts', 'gateway.stats.net'],
    'counts what was saved, net of our own tools, over all gateways',
    async () => {
      const home = freshHome();
      expect(await statsOf(home)).toMatchObject({ listings: 0, definitionTokensSaved: 0, extraRoundTrips: 0 });
      for (let at = 0; at < 2; at += 1) {
        const gateway = await session(home, { everything: script(EVERYTHING) });
        await gateway.evaluate('everything__echo', { message: 'hi' });
        await gateway.evaluate('everything__echo', { wrong: 'hi' });
        await gateway.evaluate('everything__nothing');
        await gateway.close();
      }
      const stats = await statsOf(home);
      expect(stats).toMatchObject({ listings: 2, toolCalls: 2, validationErrors: 2, unknownTools: 2 });
      expect(stats['extraRoundTrips']).toBeGreaterThanOrEqual(2);
      const { definitionTokensBefore = 0, ownDefinitionTokens = 0, definitionTokensSent = 0 } = stats;
      expect(definitionTokensBefore).toBeGreaterThan(2000);
      expect(stats['definitionTokensSaved']).toBe(definitionTokensBefore - ownDefinitionTokens - definitionTokensSent);
      const { out } = await runCommand(home, 'stats');
      expect(out).toContain('validation errors caught');
    },
  );

  verifies('gateway.stats.servers', 'shows calls, errors and times of each server', async () => {
    const home = freshHome();
    const gateway = await session(home, { a: faulty(), b: faulty() });
    await gateway.evaluate('a__sleep', { ms: 50 });
    await gateway.evaluate('a__fail');
    await gateway.close();
    const config = join(home, 'servers.json');
    const { out } = await runCommand(home, 'stats', '--json', '--config', config);
    expect((JSON.parse(out) as { servers: unknown[] }).servers).toMatchObject([
      {
        server: 'a',
        tools: 13,
        calls: 2,
        errors: 1,
        slowest: expect.any(Number),
        meanMilliseconds: expect.any(Number),
      },
      { server: 'b', tools: 13, calls: 0, errors: 0, slowest: 0 },
    ]);
    const table = (await runCommand(home, 'stats', '--config', config)).out;
    expect(table).toMatch(
      /server +tools +tokens +calls +errors +mean +slowest\na +13 +[\d,]+ +2 +1 +[\d,]+ ms +[\d,]+ ms\nb .*–\n/,
    );
  });

  verifies('gateway.stats.negative', 'does not hide that a small catalogue costs more than it saves', async () => {
    const home = freshHome();
    const definitions = [{ name: 'echo', description: 'Says it again', inputSchema: { type: 'object' } }];
    const gateway = await session(home, { a: faulty({ definitions }) });
    await gateway.close();
    expect((await statsOf(home))['definitionTokensSaved']).toBeLessThan(0);
  });
});

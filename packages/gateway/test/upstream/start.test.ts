import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { verifies } from '../../../../test/e2e/verifies.ts';
import { entry, pidsIn, temporary, until, world } from '../world.ts';

describe('a question for tools', () => {
  verifies('gateway.start.honest', 'waits for servers that are starting, and tells which', async () => {
    const { tools, status } = world({ slow: entry({ startMs: 1500 }), quick: entry() });
    const told: string[] = [];
    const { tools: found } = await tools({ progress: (message) => told.push(message) });
    expect(found).toHaveLength(26);
    expect(told[0]).toMatch(/^waiting for .*slow/);
    expect(status().map(({ state }) => state)).toEqual(['listed', 'listed']);
  });

  verifies(
    'gateway.start.honest',
    'gives up on a server after its own limit, and then says what it misses',
    async () => {
      const { tools, status } = world({ hung: entry({ fault: 'hangs' }, { startSeconds: 1 }), good: entry() });
      await tools();
      await until(() => status()[1]?.state === 'listed', 'the healthy server is listed');
      expect(status()[0]).toEqual({
        server: 'hung',
        state: 'starting',
        tools: 0,
        problem: 'is still starting',
        fix: 'Ask again in a few seconds.',
      });
      const again = performance.now();
      await tools();
      expect(performance.now() - again).toBeLessThan(900);
    },
  );

  test('can be called off while it waits', async () => {
    const { tools } = world({ hung: entry({ fault: 'hangs' }) });
    await expect(tools({ signal: AbortSignal.timeout(200) })).rejects.toThrow();
  });

  verifies(
    'gateway.start.remembered',
    'is answered with what the last run knew while the servers are checked',
    async () => {
      const stateDirectory = join(temporary(), 'state');
      const pidFile = join(temporary(), 'pids');
      const first = world({ a: entry({ pidFile }) }, { stateDirectory, now: anHourAgo });
      await first.tools();
      await first.close();
      const second = world({ a: entry({ pidFile }) }, { stateDirectory });
      expect((await second.tools()).tools).toHaveLength(13);
      expect(second.events.some(({ event }) => event === 'gateway.upstream_listed')).toBe(false);
      await until(() => second.events.some(({ event }) => event === 'gateway.upstream_listed'), 'a check');
      expect(pidsIn(pidFile)).toHaveLength(2);
    },
  );

  verifies('gateway.start.refresh', 'asks the servers anew when it is told to', async () => {
    const { tools, refreshed, events } = world({ a: entry() });
    await tools();
    const lists = () => events.filter(({ event }) => event === 'gateway.upstream_listed').length;
    await sleep(50);
    const before = lists();
    await refreshed();
    expect(lists()).toBe(before + 1);
  });
});

describe('a server', () => {
  verifies('gateway.servers.problems', 'that does not come up says why, and what its owner must do', async () => {
    const { tools, status } = world(
      { gone: { command: '/nowhere/at/all' }, dead: entry({ fault: 'exits' }) },
      { unusable: [{ server: 'odd', problem: 'mcpServers.odd.env.TOKEN: the environment variable TOKEN is not set' }] },
    );
    await tools();
    expect(status()).toMatchObject([
      { server: 'gone', state: 'failed', problem: 'cannot be started: there is no such program or directory' },
      { server: 'dead', state: 'failed', problem: 'ended with exit code 3' },
      { server: 'odd', state: 'failed', problem: expect.stringContaining('TOKEN is not set') },
    ]);
    expect(status().map(({ fix }) => fix)).toEqual([
      'Its owner must install the program or correct its command.',
      'Its owner finds out more with: jeeves gateway check.',
      'Its owner must correct this in the configuration of the gateway.',
    ]);
  });

  verifies(
    'gateway.servers.instructions',
    'has a purpose: as configured, in its own words, or from its tools',
    async () => {
      const ECHO = { name: 'echo', inputSchema: { type: 'object' } };
      const { tools, purposes } = world({
        a: entry({ definitions: [ECHO] }, { description: 'Says things again. And more.' }),
        b: entry({ definitions: [ECHO], instructions: '# Echo server\n\nUse it to repeat.' }),
        c: entry({ definitions: [ECHO, { ...ECHO, name: 'repeat' }] }),
      });
      await tools();
      expect(purposes()).toEqual([
        { server: 'a', purpose: 'Says things again' },
        { server: 'b', purpose: 'Echo server' },
        { server: 'c', purpose: 'echo, repeat' },
      ]);
    },
  );
});

function anHourAgo(): number {
  return Date.now() - 3600 * 1000;
}

import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { isAlive, pidsIn } from '../../../../packages/gateway/test/world.ts';
import { verifies } from '../../verifies.ts';
import {
  EVERYTHING,
  FILESYSTEM,
  faulty,
  freshHome,
  PLAYWRIGHT,
  type Result,
  script,
  startGateway,
  textOf,
  until,
} from './gateway.ts';

interface Found {
  readonly tools: readonly { readonly name: string }[];
  readonly totalAvailable: number;
}

function found(result: Result): Found {
  return JSON.parse(textOf(result)) as Found;
}

describe('upstream servers', () => {
  verifies(
    ['gateway.reference-servers', 'gateway.names', 'cli.gateway', 'gateway.default-list'],
    'from npm are listed and called under their prefix',
    async () => {
      const home = freshHome();
      const gateway = await startGateway({
        home,
        servers: {
          everything: script(EVERYTHING),
          files: script(FILESYSTEM, [home]),
          browser: script(PLAYWRIGHT, ['--headless'], { timeoutMs: 20_000 }),
        },
      });
      expect((await gateway.list()).map(({ name }) => name)).toEqual([
        'automatic_mcp',
        'automatic_eval',
        'recover_text',
      ]);
      const all = async (): Promise<Found> => found(await gateway.call('mcpv.automatic_mcp', { forceRefresh: true }));
      await until(async () => (await all()).totalAvailable > 40, 'all three servers are listed');
      const names = (await all()).tools.map(({ name }) => name);
      expect(names).toEqual(
        expect.arrayContaining(['everything__echo', 'files__read_text_file', 'browser__browser_navigate']),
      );
      const echoed = await gateway.call('mcpv.automatic_eval', {
        toolName: 'everything__echo',
        arguments: { message: 'hi' },
      });
      expect(echoed).toEqual({ content: [{ type: 'text', text: 'Echo: hi' }] });
      const read = await gateway.evaluate('files__list_directory', { path: home });
      expect(textOf(read)).toContain('[FILE] servers.json');
      const image = await gateway.evaluate('everything__get-tiny-image');
      expect(image.content.map(({ type }) => type)).toContain('image');
    },
  );

  verifies(
    ['gateway.lifecycle.on-demand', 'gateway.lifecycle.cached'],
    'are known before they run, and start when they are called',
    async () => {
      const home = freshHome();
      const pidFile = join(home, 'pids');
      const servers = { a: faulty({ pidFile }) };
      const first = await startGateway({ home, servers });
      await until(async () => found(await first.call('automatic_mcp')).totalAvailable === 13, 'the server is listed');
      expect(await first.close()).toBe(0);
      const second = await startGateway({ home, servers });
      expect(found(await second.call('automatic_mcp')).totalAvailable).toBe(13);
      expect(pidsIn(pidFile)).toHaveLength(1);
      expect(textOf(await second.evaluate('a__echo', { text: 'now' }))).toBe('now');
      expect(pidsIn(pidFile)).toHaveLength(2);
    },
  );

  verifies(
    ['gateway.lifecycle.idle', 'gateway.lifecycle.restart'],
    'that rest are stopped, and started again when they are called',
    async () => {
      const gateway = await startGateway({ servers: { a: faulty({}, { idleSeconds: 1 }) } });
      await gateway.call('automatic_mcp');
      const pid = Number(textOf(await gateway.evaluate('a__pid')));
      await until(() => !isAlive(pid), 'the resting server is stopped');
      expect(Number(textOf(await gateway.evaluate('a__pid')))).not.toBe(pid);
      expect((await gateway.evaluate('a__crash')).isError).toBe(true);
      expect((await gateway.evaluate('a__pid')).isError).toBeUndefined();
    },
  );

  verifies('gateway.lifecycle.list-changed', 'that change their list are listed again', async () => {
    const gateway = await startGateway({ servers: { a: faulty() } });
    await gateway.call('automatic_mcp');
    await gateway.evaluate('a__grow');
    await until(async () => found(await gateway.call('automatic_mcp')).totalAvailable === 14, 'the new tool is listed');
  });

  verifies('gateway.lifecycle.strategies', 'that are stateful have an instance per routing key', async () => {
    const gateway = await startGateway({ servers: { a: faulty({}, { strategy: 'stateful' }) } });
    await gateway.call('automatic_mcp');
    const count = async (routingKey: string): Promise<string> =>
      textOf(await gateway.evaluate('a__count', {}, { routingKey }));
    expect([await count('x'), await count('x'), await count('y')]).toEqual(['1', '2', '1']);
  });

  verifies(
    ['gateway.lifecycle.isolation', 'security.t20.hostile-upstream', 'gateway.lifecycle.limits'],
    'that hang, crash, flood, babble, crawl or end at once harm no other',
    async () => {
      const faults = {
        hangs: faulty({ fault: 'hangs' }, { timeoutMs: 1000, startSeconds: 3 }),
        exits: faulty({ fault: 'exits' }),
        crashes: faulty({ fault: 'crashes' }),
        floods: faulty({ fault: 'floods' }, { maxMessageBytes: 1_000_000 }),
        garbage: faulty({ fault: 'garbage' }),
        slow: faulty({ delayMs: 60_000 }, { timeoutMs: 1000 }),
      };
      const gateway = await startGateway({ servers: { ...faults, good: faulty(), better: faulty() } });
      await until(
        async () => found(await gateway.call('automatic_mcp', { forceRefresh: true })).totalAvailable >= 6 * 13,
        'six are listed',
      );
      const bad = Object.keys(faults).map((name) => gateway.evaluate(`${name}__echo`, { text: 'bad' }));
      // More than a server may be busy with at once must not keep the others waiting either.
      const crowd = Array.from({ length: 60 }, () => gateway.evaluate('slow__echo'));
      const good = Array.from({ length: 40 }, (_, at) => {
        return gateway.evaluate(`${at % 2 === 0 ? 'good' : 'better'}__echo`, { text: String(at) });
      });
      expect((await Promise.all(good)).map(textOf)).toEqual(Array.from({ length: 40 }, (_, at) => String(at)));
      const answers = await Promise.all(bad);
      await Promise.all(crowd);
      expect(answers.map(({ isError }) => isError ?? false)).toEqual([true, true, true, true, false, true]);
      expect(textOf(answers[3] ?? { content: [] })).toContain('"floods" sent a message of more than 1000000 bytes');
      expect(textOf(answers[5] ?? { content: [] })).toContain('"slow" did not answer within');
    },
  );
});

describe('the end of the gateway', () => {
  verifies('gateway.lifecycle.no-orphans', 'ends every server, and what servers started', async () => {
    for (const how of ['end of input', 'SIGTERM'] as const) {
      const pidFile = join(freshHome(), 'pids');
      const gateway = await startGateway({
        servers: { a: faulty({ fault: 'deaf', pidFile }), b: faulty({ pidFile }) },
      });
      await until(() => pidsIn(pidFile).length === 3, 'all of them run');
      if (how === 'SIGTERM') gateway.child.kill(how);
      expect(await (how === 'SIGTERM' ? gateway.ended : gateway.close())).toBe(0);
      await until(() => pidsIn(pidFile).every((pid) => !isAlive(pid)), `no process is left after ${how}`);
    }
  });

  verifies(
    'gateway.lifecycle.no-orphans',
    'by SIGKILL is the end of servers that listen, and the next gateway ends the others',
    async () => {
      const home = freshHome();
      const [obedient, deaf] = [join(home, 'obedient'), join(home, 'deaf')];
      const gateway = await startGateway({
        servers: { a: faulty({ pidFile: obedient }), b: faulty({ fault: 'deaf', pidFile: deaf }) },
      });
      await until(() => pidsIn(obedient).length + pidsIn(deaf).length === 3, 'all of them run');
      gateway.child.kill('SIGKILL');
      await until(() => pidsIn(obedient).every((pid) => !isAlive(pid)), 'the obedient server saw the end of its input');
      await startGateway({ servers: {} });
      await until(() => pidsIn(deaf).every((pid) => !isAlive(pid)), 'the deaf one was ended by the next gateway');
    },
  );
});

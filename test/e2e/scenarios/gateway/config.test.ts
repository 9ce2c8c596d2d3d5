import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { verifies } from '../../verifies.ts';
import { configIn, faulty, freshHome, runCommand, startGateway, textOf, until } from './gateway.ts';

describe('the configuration', () => {
  verifies(
    ['gateway.config.servers', 'gateway.config.variables', 'gateway.config.problems'],
    'starts what it names, and says which field keeps a server from starting',
    async () => {
      const home = freshHome();
      const gateway = await startGateway({
        home,
        env: { GREETING: 'hello', UNUSED_SECRET: 'x' },
        servers: {
          good: faulty({}, { env: { SAID: '${GREETING} ${NAME:-you}' }, cwd: home, tags: ['a'], timeoutMs: 20_000 }),
          lacking: faulty({}, { env: { TOKEN: '${NO_SUCH_TOKEN}' } }),
          wrong: faulty({}, { strategy: 'random' }),
          off: faulty({ pidFile: join(home, 'started') }, { disabled: true }),
        },
      });
      const environment = JSON.parse(textOf(await gateway.evaluate('good__environment'))) as Record<string, string>;
      expect(environment['SAID']).toBe('hello you');
      expect(environment['PWD'] ?? home).toBe(home);
      const problems = gateway.events.filter(({ event }) => event === 'gateway.config_invalid').map(({ data }) => data);
      expect(problems).toEqual([
        { field: 'mcpServers.lacking.env.TOKEN', message: 'the environment variable NO_SUCH_TOKEN is not set' },
        { field: 'mcpServers.wrong.strategy', message: 'must be one of stateless, stateful, singleton' },
      ]);
      expect(existsSync(join(home, 'started'))).toBe(false);
      expect((await gateway.evaluate('lacking__echo')).isError).toBe(true);
    },
  );

  verifies('gateway.config.allow-lists', 'offers no more than an allow-list names', async () => {
    const gateway = await startGateway({
      args: ['--passthrough'],
      servers: { a: faulty({}, { tools: ['echo'] }), b: faulty({}, { exposeTools: ['pid', 'no_such'] }) },
    });
    await until(async () => (await gateway.list()).length === 3, 'both servers are listed');
    const names = (await gateway.list()).map(({ name }) => name);
    expect(names).toEqual(['recover_text', 'a__echo', 'b__pid']);
    await expect(gateway.call('a__pid')).rejects.toThrow('-32602');
  });

  verifies('gateway.config.servers', 'offers servers by their tags', async () => {
    const one = { tools: ['echo'] };
    const gateway = await startGateway({
      args: ['--passthrough', '--tags', 'web, data'],
      servers: {
        a: faulty({}, { ...one, tags: ['data'] }),
        b: faulty({}, { ...one, tags: ['x'] }),
        c: faulty({}, one),
      },
    });
    await until(async () => (await gateway.list()).length === 3, 'both servers are listed');
    expect((await gateway.list()).map(({ name }) => name)).toEqual(['recover_text', 'a__echo', 'c__echo']);
  });

  verifies(
    ['gateway.config.never-the-tree', 'security.t8.work-tree-config'],
    'is never looked for in the working tree',
    async () => {
      const home = freshHome();
      const hostile = JSON.stringify({ mcpServers: { evil: faulty({ pidFile: join(home, 'started') }) } });
      mkdirSync(join(home, '.jeeves'));
      for (const name of ['.mcp.json', 'mcp.json', 'gateway.json', '.jeeves/gateway.json', '.env', 'jeeves.json']) {
        writeFileSync(join(home, name), hostile);
      }
      const { code, err } = await runCommand(home);
      expect(code).toBe(2);
      expect(err).toContain(`${join(home, '.config', 'jeeves', 'gateway.json')}: there is no such file`);
      expect(existsSync(join(home, 'started'))).toBe(false);
    },
  );

  verifies('gateway.config.problems', 'that is of no use at all ends the program and says why', async () => {
    const home = freshHome();
    writeFileSync(join(home, 'x.json'), '{"mcpServers": 1}');
    expect(await runCommand(home, '--config', 'x.json')).toMatchObject({
      code: 2,
      out: '',
      err: 'error: mcpServers: must be an object that names the servers\n',
    });
  });
});

verifies('gateway.rules.reload', 'a file that changes is taken over while the gateway runs', async () => {
  const home = freshHome();
  const gateway = await startGateway({ home, servers: { a: faulty() } });
  await gateway.call('automatic_mcp');
  const isReloaded = (count: number) => () =>
    gateway.events.filter(({ event }) => event === 'gateway.reloaded').length >= count;
  writeFileSync(join(home, 'servers.json'), '{"mcpServers": {');
  await until(() => gateway.events.some(({ event }) => event === 'gateway.config_invalid'), 'the broken file is named');
  expect(textOf(await gateway.evaluate('a__echo', { text: 'still here' }))).toBe('still here');
  configIn(home, { a: faulty({}, { deny: ['echo'] }), b: faulty() });
  await until(isReloaded(1), 'the new file is taken over');
  expect(textOf(await gateway.evaluate('b__echo', { text: 'new' }))).toBe('new');
  expect(textOf(await gateway.evaluate('a__echo', { text: 'x' }))).toMatch(/^unknown tool "a__echo"/);
});

import { describe, expect } from 'vitest';
import { verifies } from '../../verifies.ts';
import { configIn, faulty, freshHome, runCommand, startGateway } from './gateway.ts';

describe('jeeves gateway check', () => {
  verifies('gateway.servers.check', 'shows what each server has, and succeeds when all come up', async () => {
    const home = freshHome();
    const config = configIn(home, { a: faulty(), b: faulty() });
    const { code, out } = await runCommand(home, 'check', '--config', config);
    expect(code).toBe(0);
    expect(out).toMatch(
      /^server +tools +time +problem\na +13 +[\d,]+ ms +ok\nb +13 +[\d,]+ ms +ok\n\n2 servers, 26 tools, 0 failed\n$/,
    );
  });

  verifies('gateway.servers.check', 'names what is wrong with each server, and fails', async () => {
    const home = freshHome();
    const config = configIn(home, {
      good: faulty(),
      dead: faulty({ fault: 'exits' }),
      gone: { command: '/nowhere/at/all' },
      odd: { command: 'x', env: { TOKEN: '${NOT_SET_ANYWHERE}' } },
    });
    const { code, out } = await runCommand(home, 'check', '--config', config, '--json');
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject([
      { server: 'good', ok: true, tools: 13 },
      { server: 'dead', ok: false, problem: 'ended with exit code 3' },
      { server: 'gone', ok: false, problem: 'cannot be started: there is no such program or directory' },
      { server: 'odd', ok: false, problem: expect.stringContaining('NOT_SET_ANYWHERE is not set') },
    ]);
    expect((await runCommand(home, 'check', '--config', 'nothing.json')).code).toBe(2);
  });
});

describe('the handshake', () => {
  verifies(
    'gateway.servers.instructions',
    'names the servers, and what they are for once they were listed',
    async () => {
      const home = freshHome();
      const servers = { a: faulty({ instructions: 'Repeats what it is told.' }), b: faulty() };
      const hello = async (): Promise<string> => {
        const gateway = await startGateway({ home, servers });
        const reply = await gateway.ask('initialize', { protocolVersion: '2025-11-25', capabilities: {} });
        await gateway.call('automatic_mcp');
        await gateway.close();
        return (reply['result'] as { instructions: string }).instructions;
      };
      expect(await hello()).toMatch(/Servers:\n- a\b/);
      expect(await hello()).toMatch(/- a: Repeats what it is told\n- b: echo, environment/);
    },
  );
});

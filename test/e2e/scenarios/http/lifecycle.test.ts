import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { openRaw, postText } from '../../../../packages/mcp-pruner/test/host/http/raw.ts';
import { verifies } from '../../verifies.ts';
import { cleanUpServices, launch, PROGRAMS, startService, temporaryHome } from '../text/service.ts';
import { callOf, postMcp, readyOf, requestOf, tokenOf } from './posting.ts';

cleanUpServices();

const BOTH_PROGRAMS: readonly (keyof typeof PROGRAMS)[] = ['mcp-pruner --http', 'jeeves-mcp-pruner'];

async function refusalOf(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
  const started = launch({ program: 'jeeves-mcp-pruner', args, env });
  expect(await started.exit).toBe(2);
  const last = started.events.at(-1);
  expect(last?.event).toBe('mcp_pruner.start_failed');
  return String(last?.data?.['message']);
}

/** Where a program listens that was told nothing. */
async function portTried(program: keyof typeof PROGRAMS): Promise<number> {
  const home = temporaryHome();
  const env = { PATH: process.env['PATH'], HOME: home, JEEVES_STORE: 'memory:', PRUNER_URL: 'embedded:' };
  const child = spawn(process.execPath, PROGRAMS[program], { cwd: home, env, stdio: ['ignore', 'pipe', 'ignore'] });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  const found = /"port":(\d+)|port_in_use: 127\.0\.0\.1:(\d+) /;
  await expect.poll(() => said, { timeout: 15_000 }).toMatch(found);
  child.kill();
  const [, listening, taken] = found.exec(said) ?? [];
  return Number(listening ?? taken);
}

describe('a program', () => {
  verifies('http.request-log', 'leaves one line on standard output for every request', async () => {
    const service = await startService({ program: 'jeeves-mcp-pruner' });
    const asked = [
      await service.get('/healthz'),
      await service.get('/metrics?secret=1'),
      await service.get('/nowhere'),
      await service.post('/rpc', requestOf('ping')),
      await service.post('/mcp', { jsonrpc: '2.0', method: 'notifications/initialized' }),
      await service.post('/prune', 'no JSON'),
    ];
    await service.stop();
    const lines = service.events.filter(({ event }) => event === 'http.request').map(({ data }) => data);
    const paths = ['/healthz', '/metrics', '/nowhere', '/rpc', '/mcp', '/prune'];
    expect(lines.map((data) => [data?.['path'], data?.['status']])).toEqual(
      paths.map((path, at) => [path, asked[at]?.status]),
    );
    expect(lines.map((data) => data?.['method'])).toEqual(['GET', 'GET', 'GET', 'POST', 'POST', 'POST']);
    expect(JSON.stringify(service.events)).not.toContain('secret');
  });

  verifies(
    ['http.program', 'http.ready-event'],
    'tells on standard output where it listens, and where the token is',
    async () => {
      for (const program of BOTH_PROGRAMS) {
        const root = temporaryHome();
        const service = await startService({ program, args: ['--root', root] });
        const ready = readyOf(service);
        expect(ready).toEqual({
          root,
          pid: service.child.pid,
          host: '127.0.0.1',
          port: service.port,
          token_file: expect.stringContaining(service.home),
        });
        expect(statSync(String(ready['token_file'])).mode & 0o777).toBe(0o600);
        expect((await service.get('/healthz')).json).toMatchObject({ ok: true });
        expect(await service.stop()).toBe(0);
        expect(existsSync(String(ready['token_file']))).toBe(false);
        expect(service.events.at(-1)).toMatchObject({ event: 'mcp_pruner.stopped', data: { graceful: true } });
        expect(service.err()).toBe('');
      }
    },
  );

  verifies('http.program', 'takes its flags before the environment', async () => {
    const [home, root] = [temporaryHome(), temporaryHome()];
    const env = { MCP_PRUNER_HOST: '192.0.2.1', MCP_PRUNER_PORT: 'x', MCP_PRUNER_CWD: join(home, 'none') };
    const args = ['--host', '127.0.0.1', '--port', '0', '--root', root, '--tools', 'read'];
    const service = await startService({ program: 'jeeves-mcp-pruner', home, env, args });
    expect(readyOf(service)).toMatchObject({ host: '127.0.0.1', root });
    const { json } = await postMcp(service, requestOf('tools/list'));
    expect(json.result.tools.map(({ name }: { name: string }) => name)).toEqual(['read', 'recover_text']);
  });

  verifies('http.program', 'says how to use it, and its version', async () => {
    for (const program of BOTH_PROGRAMS) {
      const help = launch({ program, args: ['--help'] });
      expect(await help.exit).toBe(0);
      for (const flag of ['--host', '--port', '--root', '--log-format']) expect(help.out()).toContain(flag);
      const version = launch({ program, args: ['--version'] });
      expect(await version.exit).toBe(0);
      expect(version.out()).toMatch(/^\d+\.\d+\.\d+\n$/);
    }
  });

  verifies('http.log-format', 'writes events as JSON lines, or as text when asked', async () => {
    const started = launch({ args: ['--log-format', 'text'] });
    await expect.poll(() => started.out(), { timeout: 15_000 }).toContain('port=');
    expect(started.out()).toMatch(/^\S+Z INFO {2}mcp_pruner\.ready root="[^"]+" pid=\d+ host="127\.0\.0\.1" port=\d+ /);
    started.child.kill();
    expect(await started.exit).toBe(0);
    expect(await refusalOf(['--log-format', 'xml'])).toContain('--log-format');
  });
});

describe('where it listens', () => {
  verifies('http.loopback-default', 'is this machine alone', async () => {
    const service = await startService();
    const others = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
    const outside = others.filter(({ internal, family }) => !internal && family === 'IPv4');
    expect(readyOf(service)['host']).toBe('127.0.0.1');
    for (const { address } of outside) {
      await expect(fetch(`http://${address}:${service.port}/healthz`)).rejects.toThrow();
    }
  });

  verifies('http.port-default', 'is port 8006, or any free one for `jeeves-mcp-pruner`', async () => {
    // Another process may have 8006 already: then the refusal names it.
    expect(await portTried('mcp-pruner --http')).toBe(8006);
    expect(await portTried('jeeves serve')).toBe(8006);
    const [one, two] = [await portTried('jeeves-mcp-pruner'), await portTried('jeeves-mcp-pruner')];
    expect(Math.min(one, two)).toBeGreaterThan(1023);
    expect([one, two]).not.toEqual([8006, 8006]);
  });

  verifies('http.config-invalid', 'must be a host, a port and a root that can be used', async () => {
    const file = join(temporaryHome(), 'file');
    writeFileSync(file, '');
    const cases: readonly (readonly [Promise<string>, RegExp])[] = [
      [refusalOf(['--host', 'not a host']), /^invalid_host: /],
      [refusalOf(['--host', '192.0.2.1']), /^invalid_host: /],
      [refusalOf(['--port', '65536']), /^invalid_port: /],
      [refusalOf(['--port=-1']), /^invalid_port: /],
      [refusalOf(['--port', '-1']), /^invalid_port: /],
      [refusalOf(['--port', '0', '--root', '/no/such/directory']), /^invalid_root_dir: .*does not exist/],
      [refusalOf(['--port', '0', '--root', file]), /^invalid_root_dir: .*is not a directory/],
      [refusalOf([], { MCP_PRUNER_CWD: file }), /^invalid_root_dir: .*is not a directory/],
      [refusalOf(['--nonsense']), /--nonsense/],
    ];
    for (const [message, expected] of cases) expect(await message).toMatch(expected);
  });

  verifies('http.config-invalid', 'must not be taken: the program says so, and the other goes on', async () => {
    const other = createServer((_, response) => response.end('other')).listen(0, '127.0.0.1');
    await expect.poll(() => other.listening).toBe(true);
    const { port } = other.address() as AddressInfo;
    const message = await refusalOf(['--port', String(port)]);
    expect(message).toMatch(new RegExp(`^port_in_use: 127\\.0\\.0\\.1:${port} is taken`));
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('other');
    other.close();
  });
});

describe('GET /healthz', () => {
  verifies('http.healthz', 'says who answers and since when', async () => {
    const before = Date.now();
    const service = await startService();
    const { status, json } = await service.get('/healthz');
    expect(status).toBe(200);
    expect(json).toEqual({
      ok: true,
      status: 'ok',
      server: { name: '@jeeves/mcp-pruner', version: expect.stringMatching(/^\d+\.\d+\.\d+$/) },
      time: { started_at: expect.any(String), uptime_ms: expect.any(Number) },
    });
    const started = Date.parse(json.time.started_at);
    expect(started).toBeGreaterThanOrEqual(before - 1000);
    expect(json.time.uptime_ms).toBeLessThanOrEqual(Date.now() - before + 1000);
  });

  verifies('http.healthz.failure', 'is 500 in the shape of errors when the root is gone', async () => {
    const root = join(temporaryHome(), 'root');
    mkdirSync(root);
    const service = await startService({ args: ['--root', root] });
    expect((await service.get('/healthz')).status).toBe(200);
    rmSync(root, { recursive: true });
    const { status, json } = await service.get('/healthz');
    expect([status, json]).toEqual([
      500,
      { ok: false, error: { code: 'internal_error', message: expect.stringContaining('does not exist') } },
    ]);
  });
});

describe('the end', () => {
  verifies('http.shutdown', 'does not come with the end of whoever reads the events', async () => {
    for (const program of [...BOTH_PROGRAMS, 'jeeves serve'] as const) {
      const service = await startService({ program });
      service.child.stdout?.destroy();
      service.child.stderr?.destroy();
      for (let at = 0; at < 3; at += 1) {
        expect((await postMcp(service, callOf('health', {}, at))).status).toBe(200);
      }
      service.child.kill('SIGTERM');
      expect(await service.exit).toBe(0);
    }
  });

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    verifies('http.shutdown', `by ${signal} lets what is under way finish, and takes nothing new`, async () => {
      const service = await startService({ env: { MCP_PRUNER_SHELL_LOGIN: '0' } });
      const started = join(service.home, 'started');
      const command = `touch ${started}; sleep 0.5; echo done`;
      const running = postMcp(service, callOf('bash', { command }), tokenOf(service));
      const idle = await openRaw(service.port);
      await expect.poll(() => existsSync(started), { timeout: 15_000 }).toBe(true);
      service.child.kill(signal);
      await idle.closed;
      await expect(openRaw(service.port)).rejects.toThrow('ECONNREFUSED');
      const { json, headers } = await running;
      expect(json.result.structuredContent.stdout).toBe('done\n');
      expect(headers.get('connection')).toBe('close');
      expect(await service.exit).toBe(0);
    });
  }

  verifies('http.shutdown', 'comes at once at the second signal, and leaves no process', async () => {
    const service = await startService({ env: { MCP_PRUNER_SHELL_LOGIN: '0' } });
    const pidFile = join(service.home, 'pid');
    const body = JSON.stringify(callOf('bash', { command: `echo $$ > ${pidFile}; exec sleep 300` }));
    const connection = await openRaw(service.port);
    connection.write(postText('/mcp', body, tokenOf(service)));
    await expect.poll(() => existsSync(pidFile) && statSync(pidFile).size > 1, { timeout: 15_000 }).toBe(true);
    const pid = Number(readFileSync(pidFile, 'utf8'));
    service.child.kill('SIGTERM');
    await connectionRefused(service.port);
    expect(service.child.exitCode).toBeNull();
    service.child.kill('SIGTERM');
    expect(await service.exit).toBe(0);
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });
});

async function connectionRefused(port: number): Promise<void> {
  await expect
    .poll(
      async () => {
        const opened = await openRaw(port).catch(() => undefined);
        opened?.socket.destroy();
        return opened === undefined;
      },
      { timeout: 15_000 },
    )
    .toBe(true);
}

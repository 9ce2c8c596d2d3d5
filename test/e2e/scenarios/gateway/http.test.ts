import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { describe, expect, onTestFinished } from 'vitest';
import { verifies } from '../../verifies.ts';
import { PROGRAM } from '../cli/program.ts';
import { configIn, EVERYTHING, faulty, freshHome, script, until } from './gateway.ts';

interface HttpGateway {
  readonly url: string;
  readonly token: string;
  readonly tokenFile: string;
  readonly child: ChildProcess;
  readonly post: (body: object, headers?: Record<string, string>) => Promise<Response>;
  readonly evaluate: (toolName: string, args?: object) => Promise<string>;
}

async function startHttp(
  servers: Readonly<Record<string, object>>,
  args: readonly string[] = [],
  home: string = freshHome(),
): Promise<HttpGateway> {
  const all = ['gateway', '--http', '--port', '0', '--config', configIn(home, servers), ...args];
  const child = spawn(process.execPath, [PROGRAM, ...all], {
    cwd: home,
    env: { PATH: process.env['PATH'], HOME: home },
  });
  const exited = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await exited;
  });
  const ready = await new Promise<{ host: string; port: number; token_file: string }>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const { event, data } = JSON.parse(line) as {
        event: string;
        data: { host: string; port: number; token_file: string };
      };
      if (event === 'gateway.ready') resolve(data);
    });
  });
  const url = `http://${ready.host}:${ready.port}/mcp`;
  const token = readFileSync(ready.token_file, 'utf8').trim();
  const post = (
    body: object,
    headers: Record<string, string> = { authorization: `Bearer ${token}` },
  ): Promise<Response> =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }),
    });
  const evaluate = async (toolName: string, toolArgs: object = {}): Promise<string> => {
    const params = { name: 'automatic_eval', arguments: { toolName, arguments: toolArgs } };
    return await (await post({ method: 'tools/call', params })).text();
  };
  return { url, token, tokenFile: ready.token_file, child, post, evaluate };
}

describe('the gateway over HTTP', () => {
  verifies('gateway.http', 'serves /mcp to those who show the token, and nobody else', async () => {
    const gateway = await startHttp({ a: faulty() });
    expect(statSync(gateway.tokenFile).mode & 0o777).toBe(0o600);
    const body = { method: 'tools/list' };
    expect((await gateway.post(body, {})).status).toBe(401);
    expect((await gateway.post(body, { authorization: 'Bearer wrong' })).status).toBe(401);
    const answer = (await (await gateway.post(body)).json()) as { result: { tools: { name: string }[] } };
    expect(answer.result.tools.map(({ name }) => name)).toEqual(['automatic_mcp', 'automatic_eval', 'recover_text']);
    await until(
      async () => (await gateway.evaluate('a__echo', { text: 'over http' })).includes('over http'),
      'an answer',
    );
    const help = spawn(process.execPath, [PROGRAM, 'gateway', '--help']);
    let text = '';
    help.stdout.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
    await once(help, 'close');
    expect(text).toMatch(/--port <number>.*\(default:\s+8007\)/s);
  });

  verifies(
    ['gateway.reply.http-session', 'gateway.session.replicas'],
    'remembers what a session was sent, in every gateway on the same store, and nothing of callers without one',
    async () => {
      const home = freshHome();
      const one = await startHttp({ a: faulty() }, [], home);
      const other = await startHttp({ a: faulty() }, [], home);
      const open = async (): Promise<string> => {
        const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
        const reply = await one.post({ method: 'initialize', params }, legacy(one));
        return reply.headers.get('mcp-session-id') ?? '';
      };
      const session = await open();
      expect(await filtered(one, legacy(one, session))).toBe(13);
      expect(await filtered(one, legacy(one, session))).toBe(0);
      expect(await filtered(other, legacy(other, session))).toBe(0);
      expect(await filtered(one, legacy(one, await open()))).toBe(13);
      const bare = { authorization: `Bearer ${one.token}` };
      expect([await filtered(one, bare, 'x'), await filtered(one, bare, 'x')]).toEqual([13, 13]);
    },
  );

  verifies(
    ['security.t21.no-passthrough', 'gateway.upstream.http', 'gateway.safety.own-credentials'],
    'shows an upstream its own credential, never the caller’s',
    async () => {
      const seen: IncomingHttpHeaders[] = [];
      const upstream = await recordingUpstream(seen);
      const gateway = await startHttp({
        web: { url: upstream, headers: { Authorization: 'Bearer of-the-upstream', 'X-Own': 'yes' } },
        a: faulty(),
      });
      await until(
        async () => (await gateway.evaluate('web__hello')).includes('hello from afar'),
        'an answer from afar',
      );
      const inside = await gateway.evaluate('a__environment');
      expect(inside).toContain('PATH');
      expect(seen.length).toBeGreaterThan(2);
      expect(seen.every(({ authorization }) => authorization === 'Bearer of-the-upstream')).toBe(true);
      expect(JSON.stringify(seen) + inside).not.toContain(gateway.token);
    },
  );

  verifies('gateway.upstream.http', 'reaches the reference server over Streamable HTTP', async () => {
    const port = await freePort();
    const server = spawn(process.execPath, [EVERYTHING, 'streamableHttp'], {
      env: { PATH: process.env['PATH'], PORT: String(port) },
    });
    onTestFinished(() => void server.kill('SIGKILL'));
    const url = `http://127.0.0.1:${port}/mcp`;
    await until(
      async () =>
        await fetch(url).then(
          () => true,
          () => false,
        ),
      'the server listens',
    );
    const gateway = await startHttp({ far: { url }, near: script(EVERYTHING) });
    for (const name of ['far__echo', 'near__echo']) {
      await until(async () => (await gateway.evaluate(name, { message: 'hi' })).includes('Echo: hi'), name);
    }
  });
});

function legacy({ token }: HttpGateway, session?: string): Record<string, string> {
  return {
    authorization: `Bearer ${token}`,
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2025-11-25',
    ...(session !== undefined && { 'mcp-session-id': session }),
  };
}

async function filtered(
  gateway: HttpGateway,
  headers: Record<string, string>,
  sessionId?: string,
): Promise<number | undefined> {
  const params = { name: 'automatic_mcp', arguments: { ...(sessionId !== undefined && { sessionId }) } };
  const text = await (await gateway.post({ method: 'tools/call', params }, headers)).text();
  const { result } = JSON.parse(text) as { result: { content: { text: string }[] } };
  return (JSON.parse(result.content[0]?.text ?? '{}') as { filtered?: number }).filtered;
}

/** A Streamable HTTP server that remembers what it was shown. */
async function recordingUpstream(seen: IncomingHttpHeaders[]): Promise<string> {
  const server = createServer((request, response) => {
    seen.push(request.headers);
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
    request.on('end', () => {
      if (request.method !== 'POST') return response.writeHead(405).end();
      const { id, method } = JSON.parse(text) as { id?: number; method: string };
      const tools = [{ name: 'hello', inputSchema: { type: 'object' } }];
      const results: Record<string, object> = {
        initialize: {
          protocolVersion: '2025-11-25',
          capabilities: { tools: {} },
          serverInfo: { name: 'x', version: '1' },
        },
        'tools/list': { tools },
        'tools/call': { content: [{ type: 'text', text: 'hello from afar' }] },
      };
      if (id === undefined) return response.writeHead(202).end();
      response.writeHead(200, { 'content-type': 'application/json' });
      return response.end(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] }));
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => void server.close(() => resolve()));
  return port;
}

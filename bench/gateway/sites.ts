import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { httpPeer, type Peer, start, stdioPeer } from './peer.ts';

const ROOT = new URL('../../', import.meta.url);
const PROGRAM = fileURLToPath(new URL('packages/cli/dist/cli.js', ROOT));
const MODULES = 'packages/gateway/node_modules/@modelcontextprotocol';

/** The server behind all of them. */
export const EVERYTHING: string = fileURLToPath(new URL(`${MODULES}/server-everything/dist/index.js`, ROOT));
export const TEST_SERVER: string = fileURLToPath(new URL('packages/gateway/test/upstream-server.mjs', ROOT));

/** What everybody else uses for this. */
const PROXY = 'mcp-proxy@6.7.19';

export type Servers = Readonly<Record<string, object>>;

export function script(file: string, ...args: string[]): object {
  return { command: process.execPath, args: [file, ...args] };
}

export async function gateway(home: string, servers: Servers, ...flags: string[]): Promise<Peer> {
  const args = [PROGRAM, 'gateway', '--config', configIn(home, servers), ...flags];
  const peer = await stdioPeer(args, { HOME: home });
  await peer.ask('tools/call', { name: 'automatic_mcp', arguments: {} });
  return peer;
}

export async function gatewayOverHttp(home: string, servers: Servers): Promise<Peer> {
  const child = start([PROGRAM, 'gateway', '--http', '--port', '0', '--config', configIn(home, servers)], {
    HOME: home,
  });
  const { host, port, token_file } = await new Promise<{ host: string; port: number; token_file: string }>(
    (resolve) => {
      if (child.stdout === null) throw new Error('no pipes');
      createInterface({ input: child.stdout }).on('line', (line) => {
        const { event, data } = JSON.parse(line) as { event: string; data: Parameters<typeof resolve>[0] };
        if (event === 'gateway.ready') resolve(data);
      });
    },
  );
  const authorization = `Bearer ${readFileSync(token_file, 'utf8').trim()}`;
  const peer = await httpPeer(`http://${host}:${port}/mcp`, { authorization }, () => child.kill('SIGTERM'));
  await peer.ask('tools/call', { name: 'automatic_mcp', arguments: {} });
  return peer;
}

export async function proxy(): Promise<Peer> {
  const port = await freePort();
  const entry = join(installed(), 'node_modules', 'mcp-proxy', 'dist', 'bin', 'mcp-proxy.mjs');
  const flags = ['--host', '127.0.0.1', '--port', String(port), '--server', 'stream'];
  const child = start([entry, ...flags, '--', process.execPath, EVERYTHING]);
  // It talks, and would stop when nobody listens.
  child.stdout?.resume();
  return await httpPeer(`http://127.0.0.1:${port}/mcp`, {}, () => child.kill('SIGTERM'));
}

/** Installed for the bench alone, where nothing else looks. */
function installed(): string {
  const directory = fileURLToPath(new URL('node_modules/.cache/bench-gateway/', ROOT));
  if (existsSync(join(directory, 'node_modules', 'mcp-proxy'))) return directory;
  mkdirSync(directory, { recursive: true });
  execFileSync('npm', [
    'install',
    '--prefix',
    directory,
    '--no-save',
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    PROXY,
  ]);
  return directory;
}

function configIn(home: string, mcpServers: Servers): string {
  mkdirSync(home, { recursive: true });
  const path = join(home, 'servers.json');
  writeFileSync(path, JSON.stringify({ mcpServers }));
  return path;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => void server.close(() => resolve()));
  return port;
}

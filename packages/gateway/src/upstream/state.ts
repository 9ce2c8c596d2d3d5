import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServerConfig } from '../config/server.ts';
import type { Originals, Pins } from './definitions.ts';
import type { JsonObject } from './upstream.ts';

/** What is remembered of a server while it does not run. */
export interface ServerState {
  /** Definitions as the server gave them. */
  readonly listed: readonly unknown[];
  readonly pins: Pins;
  /** Of tools that changed: the definition that their pin belongs to. */
  readonly originals?: Originals;
  /** What the server says it is for. */
  readonly about?: string;
  /** Milliseconds since the epoch. */
  readonly listedAt: number;
}

/** Where it is remembered, for all gateways of a user. */
export interface StateStore {
  /** Nothing where there is none, or none that can be read. */
  readonly read: (config: StateKey) => Promise<ServerState | undefined>;
  readonly write: (config: StateKey, state: ServerState) => Promise<void>;
}

/** An entry that is written differently is another server: its definitions are seen for the first time. */
export type StateKey = Pick<ServerConfig, 'name' | 'fingerprint'>;

const MAX_AGE_MS = 90 * 24 * 3600 * 1000;

export function stateDirectory(home: string): string {
  return join(home, '.local', 'state', 'jeeves', 'gateway');
}

export function createStateStore(directory: string): StateStore {
  async function read(key: StateKey): Promise<ServerState | undefined> {
    try {
      return toState(JSON.parse(await readFile(join(directory, fileName(key)), 'utf8')));
    } catch {
      return undefined;
    }
  }

  async function write(key: StateKey, state: ServerState): Promise<void> {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await replaceFile(join(directory, fileName(key)), JSON.stringify({ server: key.name, ...state }));
    await forgetOld(directory, state.listedAt);
  }

  return { read, write };
}

/** Readers find the old content or the new one, never a part. */
export async function replaceFile(path: string, content: string): Promise<void> {
  const fresh = `${path}.${randomUUID()}.tmp`;
  try {
    await writeFile(fresh, content, { mode: 0o600 });
    await rename(fresh, path);
  } catch (error) {
    await rm(fresh, { force: true });
    throw error;
  }
}

/** A hash: the name of a server never becomes a path. */
function fileName({ name, fingerprint }: StateKey): string {
  return `server-${createHash('sha256').update(`${name}\0${fingerprint}`).digest('hex').slice(0, 40)}.json`;
}

/** Entries change, and what was remembered for the old ones would stay for ever. */
async function forgetOld(directory: string, now: number): Promise<void> {
  for (const name of await readdir(directory)) {
    if (!name.startsWith('server-')) continue;
    const path = join(directory, name);
    const found = await stat(path).catch(() => undefined);
    if (found !== undefined && now - found.mtimeMs > MAX_AGE_MS) await rm(path, { force: true });
  }
}

function toState(value: unknown): ServerState | undefined {
  if (!isObject(value)) return undefined;
  const { listed, pins, listedAt, about, originals } = value;
  if (!Array.isArray(listed) || !isObject(pins) || typeof listedAt !== 'number') return undefined;
  const known = Object.entries(pins).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  const first = Object.entries(isObject(originals) ? originals : {}).filter((entry): entry is [string, JsonObject] => {
    return isObject(entry[1]);
  });
  return {
    listed,
    pins: Object.fromEntries(known),
    listedAt,
    ...(first.length > 0 && { originals: Object.fromEntries(first) }),
    ...(typeof about === 'string' && { about }),
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

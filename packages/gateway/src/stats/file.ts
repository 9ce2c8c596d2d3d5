import { randomUUID } from 'node:crypto';
import { appendFile, mkdir, readdir, readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '../upstream/state.ts';
import { addCalls, type CallsByServer, toCalls } from './calls.ts';
import { COUNTER_NAMES, type Counts, NO_COUNTS, sum } from './counters.ts';

/**
 * The counts of all gateways of a user, as lines that are only ever added: one small write each, so that processes need
 * no lock and a crash loses no more than its last line. Full files are set aside, and summed up once nobody can still be
 * writing to them.
 */
const CURRENT = 'stats.jsonl';
const SET_ASIDE = /^stats\.\d+\.[\w-]+\.jsonl$/;
const MAX_BYTES = 256 * 1024;
const QUIET_MS = 60_000;

/** Everything that was counted. */
export interface Tally {
  readonly counts: Counts;
  readonly calls: CallsByServer;
}

export async function appendCounts(
  directory: string,
  counts: Partial<Counts>,
  calls: CallsByServer = {},
): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await appendFile(join(directory, CURRENT), `${lineOf(counts, calls)}\n`, { mode: 0o600 });
}

export async function readCounts(directory: string): Promise<Counts> {
  return (await readTally(directory)).counts;
}

export async function readTally(directory: string): Promise<Tally> {
  let total = NOTHING;
  for (const name of await statsFiles(directory)) total = both(total, await tallyIn(join(directory, name)));
  return total;
}

const NOTHING: Tally = { counts: NO_COUNTS, calls: {} };

function both(left: Tally, right: Tally): Tally {
  return { counts: sum(left.counts, right.counts), calls: addCalls(left.calls, right.calls) };
}

function lineOf(counts: Partial<Counts>, calls: CallsByServer): string {
  return JSON.stringify(Object.keys(calls).length === 0 ? counts : { ...counts, calls });
}

/** Keeps the files small. Harmless when several processes do it at once. */
export async function compactCounts(directory: string, now: number): Promise<void> {
  const current = join(directory, CURRENT);
  const size = (await stat(current).catch(() => undefined))?.size ?? 0;
  if (size > MAX_BYTES)
    await rename(current, join(directory, `stats.${now}.${randomUUID()}.jsonl`)).catch(() => undefined);
  for (const name of await statsFiles(directory)) {
    const path = join(directory, name);
    const found = SET_ASIDE.test(name) ? await stat(path).catch(() => undefined) : undefined;
    if (found === undefined || found.size < MAX_BYTES || now - setAsideAt(name) < QUIET_MS) continue;
    const { counts, calls } = await tallyIn(path);
    await replaceFile(path, `${lineOf(counts, calls)}\n`);
  }
}

function setAsideAt(name: string): number {
  return Number(name.split('.')[1]);
}

async function statsFiles(directory: string): Promise<string[]> {
  const names = await readdir(directory).catch(() => []);
  return names.filter((name) => name === CURRENT || SET_ASIDE.test(name));
}

async function tallyIn(path: string): Promise<Tally> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return text.split('\n').map(toTally).reduce(both, NOTHING);
}

/** A line that cannot be read counts nothing. */
function toTally(line: string): Tally {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return NOTHING;
  }
  const fields = typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  const counts = COUNTER_NAMES.map((name) => [name, Number.isFinite(fields[name]) ? Number(fields[name]) : 0]);
  return { counts: Object.fromEntries(counts) as Counts, calls: toCalls(fields['calls']) };
}

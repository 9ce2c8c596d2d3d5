import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Database } from 'node-sqlite3-wasm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SegmentMeta } from '../src/segments.ts';
import { openSqliteStores } from '../src/sqlite/index.ts';
import { buildPrograms, type Programs } from './child.ts';
import { temporaryDirectory } from './harness.ts';
import { segmentOf } from './texts.ts';

const KILLS = 200;
const PHASES = 5;
/** As many writers at once as keep two cores busy. */
const AT_ONCE = 4;

const directory = temporaryDirectory('jeeves-crash-segments-');
let programs: Programs;
beforeAll(async () => {
  programs = await buildPrograms();
});
afterAll(() => {
  programs.remove();
  rmSync(directory, { recursive: true, force: true });
});

describe('a stash in SQLite and processes that die', () => {
  it(`keeps every acknowledged step through ${KILLS} kill -9 amid concurrent writes, and opens within a second`, async () => {
    const path = join(directory, 'killed.db');
    const steps: string[] = [];
    let slowest = 0;
    for (let phase = 0; phase < PHASES; phase += 1) {
      const lanes = Array.from({ length: AT_ONCE }, (_, lane) => killWriters(path, `w${phase}.${lane}`));
      steps.push(...(await Promise.all(lanes)).flat());
      const begun = performance.now();
      const stores = await openSqliteStores({ path });
      slowest = Math.max(slowest, performance.now() - begun);
      await stores.close();
    }
    expect(slowest).toBeLessThan(1000);
    const stores = await openSqliteStores({ path });
    const found = new Map((await stores.segments.list('p')).map((meta) => [meta.segmentId, meta]));
    const texts = await stores.segments.texts('p', [...found.keys()]);
    const { segments, tokens } = await stores.segments.totals('p');
    await stores.close();
    expect(lost(steps, found)).toEqual([]);
    expect([...texts].filter(([id, text]) => text !== segmentOf(id).text)).toEqual([]);
    expect([segments, tokens, texts.size]).toEqual([found.size, found.size * 10, found.size]);
    // Every second writer was let live until it had said something.
    expect(steps.length).toBeGreaterThanOrEqual(KILLS / 2);
    expect(inspect(path)).toEqual({ integrity: 'ok', words: found.size, texts: found.size });
  }, 400_000);

  it('answers a full disk with store_failed and loses nothing that it kept before', async () => {
    const path = join(directory, 'full.db');
    const child = programs.start('overfill', [path, 'wasm'], { fileSizeKiB: 2048 });
    expect(await child.exited).toBe(0);
    const told = JSON.parse(child.lines[0] ?? '{}') as { kept: string[]; [key: string]: unknown };
    expect(told['failure']).toBe('store_failed');
    expect(told['message']).toContain(path);
    expect([told['readable'], told['listed']]).toEqual([told.kept.length, told.kept.length]);
    expect(told.kept.length).toBeGreaterThan(3);
    const stores = await openSqliteStores({ path });
    const texts = await stores.segments.texts('p', told.kept);
    expect(told.kept.filter((id) => texts.get(id) !== `${id.slice('full-'.length)} `.repeat(20_000))).toEqual([]);
    await stores.segments.write('p', [{ kind: 'add', segment: segmentOf('after') }]);
    await stores.close();
  }, 60_000);
});

describe('a stash in a directory without write access', () => {
  it('answers with store_failed and advice, and loses nothing', async () => {
    const place = join(directory, 'readonly');
    const path = join(place, 'stash.db');
    chmodSync(directory, 0o755);
    const before = await openSqliteStores({ path });
    await before.segments.write('p', [{ kind: 'add', segment: segmentOf('old') }]);
    await before.close();
    chmodSync(path, 0o444);
    chmodSync(place, 0o555);
    const child = programs.start('open', [path], { unprivileged: true });
    expect(await child.exited).toBe(1);
    const told = child.errors.join('\n');
    expect(told).toContain("code: 'store_failed'");
    expect(told).toContain('Make its directory writable');
    chmodSync(place, 0o755);
    chmodSync(path, 0o644);
    const after = await openSqliteStores({ path });
    expect((await after.segments.texts('p', ['old'])).get('old')).toBe(segmentOf('old').text);
    await after.close();
  });
});

/** Starts writers one after the other, kills each at a moment of its own, and returns what they said. */
async function killWriters(path: string, name: string): Promise<string[]> {
  const said: string[] = [];
  for (let kill = 0; kill < KILLS / PHASES / AT_ONCE; kill += 1) {
    const child = programs.start('stash', [path, 'wasm', `${name}.${kill}`]);
    // Every second one dies wherever it is by then: still starting, opening or making the file, or writing already.
    if (kill % 2 === 0) await child.started;
    await sleep(Math.random() * (kill % 2 === 0 ? 30 : 250));
    child.process.kill('SIGKILL');
    await child.exited;
    expect(child.errors).toEqual([]);
    said.push(...child.lines);
  }
  return said;
}

/** Steps that were said to be safe and are not there. */
function lost(steps: readonly string[], found: ReadonlyMap<string, SegmentMeta>): string[] {
  const said = new Set(steps);
  return steps.filter((step) => {
    const [what = '', id = ''] = step.split(' ');
    const meta = found.get(id);
    if (what === 'removed') return meta !== undefined;
    if (what === 'removing' || said.has(`removing ${id}`)) return false;
    if (what === 'stashed') return meta?.tier !== 'stashed';
    return what === 'pinned' ? meta?.pinned !== true : meta === undefined;
  });
}

function inspect(path: string): unknown {
  const database = new Database(path);
  database.exec('PRAGMA locking_mode = EXCLUSIVE');
  database.exec("INSERT INTO segment_words (segment_words) VALUES ('integrity-check')");
  const integrity = database.get('PRAGMA integrity_check')?.['integrity_check'];
  const words = database.get(`SELECT count(*) AS n FROM segment_words WHERE segment_words MATCH '"#p1"'`)?.['n'];
  const texts = database.get('SELECT count(*) AS n FROM segment_texts')?.['n'];
  database.close();
  return { integrity, words, texts };
}

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPostgresStores } from '../src/postgres/index.ts';
import type { SegmentDraft, SegmentFilter, SegmentMatches } from '../src/segments.ts';
import type { Stores } from '../src/stores.ts';
import { STARTING_MS, schemaUrl } from './harness.ts';
import { ask, sharedPostgres } from './postgres-server.ts';
import { add, ids } from './segments-world.ts';
import { segmentOf } from './texts.ts';

const COUNT = 6000;
const PER_CALL = 1000;

/** Every so many segments have the word; some only among the newest. */
const WORDS: readonly [word: string, every: number, from: number][] = [
  ['halves', 2, 0],
  ['twelfths', 12, 0],
  ['fiftieths', 50, 0],
  ['lately', 9, COUNT - 1800],
];

const LARGE = Array.from({ length: COUNT }, (_, at) =>
  segmentOf(`s${at}`, {
    text: WORDS.filter(([, every, from]) => at >= from && at % every === 0)
      .map(([word]) => word)
      .concat(at === 1200 ? 'once' : [], 'plain')
      .join(' '),
    tier: at % 10 === 0 ? 'working' : 'stashed',
    taskId: `t${at % 40}`,
    pinned: at % 7 === 0,
    createdAt: at,
  }),
);
/** Few among the many of another project. */
const SMALL = LARGE.filter((_, at) => at % 10 === 2);

let place: string;
let stores: Stores;
beforeAll(async () => {
  place = schemaUrl(await (await sharedPostgres()).createDatabase(), 'search');
  stores = await openPostgresStores({ url: place });
  for (let at = 0; at < COUNT; at += PER_CALL) {
    await stores.segments.write('large', LARGE.slice(at, at + PER_CALL).map(add));
    await stores.segments.write('small', SMALL.slice(at / 10, (at + PER_CALL) / 10).map(add));
  }
}, STARTING_MS);
afterAll(async () => {
  await stores.close();
});

type Holds = (segment: SegmentDraft) => boolean;

function having(word: string): Holds {
  return ({ text }) => text.split(' ').includes(word);
}

function newestOf(segments: readonly SegmentDraft[], holds: Holds): string[] {
  return segments
    .filter(holds)
    .map(({ segmentId }) => segmentId)
    .toReversed();
}

/** What is found is true, and all there is unless the answer says otherwise. */
function expectNewest({ matches, found, capped }: SegmentMatches, expected: readonly string[]): void {
  expect(ids(matches)).toEqual(expected.slice(0, 20));
  expect(found).toBeLessThanOrEqual(expected.length);
  expect(capped || found === expected.length).toBe(true);
  expect(found).toBeGreaterThanOrEqual(Math.min(100, expected.length));
}

const FILTERS: readonly [string, SegmentFilter, Holds][] = [
  ['no filter', {}, () => true],
  ['the tier of most', { tier: 'stashed' }, ({ tier }) => tier === 'stashed'],
  ['the tier of few', { tier: 'working' }, ({ tier }) => tier === 'working'],
  ['a task', { tier: 'stashed', taskId: 't12' }, ({ tier, taskId }) => tier === 'stashed' && taskId === 't12'],
  ['pins', { pinned: true }, ({ pinned }) => pinned],
  ['a time long ago', { createdBefore: 1500 }, ({ createdAt }) => createdAt <= 1500],
];

describe('a search in Postgres', { timeout: STARTING_MS }, () => {
  it.each(FILTERS)('finds the newest segments with a word, however common, with %s', async (_, filter, holds) => {
    for (const word of ['plain', ...WORDS.map(([each]) => each), 'once', 'never']) {
      const wanted: Holds = (segment) => having(word)(segment) && holds(segment);
      for (const [projectId, segments] of [
        ['large', LARGE],
        ['small', SMALL],
      ] as const) {
        const answer = await stores.segments.search({ projectId, text: word, filter, limit: 20 });
        expectNewest(answer, newestOf(segments, wanted));
      }
    }
  });

  it.each([
    ['twelfths fiftieths', 300],
    ['halves twelfths', 12],
    ['plain halves twelfths fiftieths', 300],
  ])('puts those first that have all of "%s", also where each is common', async (text, every) => {
    const { matches, capped } = await stores.segments.search({ projectId: 'large', text, limit: 20 });
    expect(ids(matches).slice(0, 15)).toEqual(newestOf(LARGE, ({ createdAt }) => createdAt % every === 0).slice(0, 15));
    expect(capped).toBe(true);
  });

  it('puts the one first that has a word nobody else has', async () => {
    const { matches } = await stores.segments.search({ projectId: 'large', text: 'plain halves once', limit: 3 });
    expect(ids(matches)[0]).toBe('s1200');
  });

  it('looks into all projects where none is named', async () => {
    const { matches, found } = await stores.segments.search({ text: 'once', limit: 5 });
    expect(matches.map(({ segment }) => segment.projectId).sort()).toEqual(['large']);
    expect(found).toBe(1);
    const both = await stores.segments.search({ text: 'twelfths', filter: { taskId: 't12' }, limit: 400 });
    const inTask = [...LARGE, ...SMALL].filter(({ taskId }) => taskId === 't12');
    expect(both.found).toBe(newestOf(inTask, having('twelfths')).length);
  });

  it('reads no words: they lie apart from what it reads', async () => {
    const apart = await openPostgresStores({ url: schemaUrl(place, 'apart') });
    const texts = Array.from({ length: 100 }, (_, at) => Array.from({ length: 100 }, (_, word) => `w${at}w${word}`));
    await apart.segments.write(
      'p',
      texts.map((words, at) => add(segmentOf(`s${at}`, { text: words.join(' ') }))),
    );
    await apart.close();
    const [row] = await ask(place, "SELECT pg_relation_size('apart.segment_words') AS bytes");
    expect(Number(row?.['bytes']) / texts.length).toBeLessThan(250);
  });

  it('finds what a database of an earlier version holds, however long it takes to bring that up to date', async () => {
    await ask(
      place,
      `DROP INDEX search.segment_words_sought;
       ALTER TABLE search.segment_words DROP COLUMN tier, DROP COLUMN filler, RESET (toast_tuple_target);
       CREATE INDEX segment_words_index ON search.segment_words USING gin (words) WITH (fastupdate = off);
       UPDATE search.jeeves_version SET steps = 2`,
    );
    const later = await openPostgresStores({ url: place, statementTimeoutMs: 50 });
    await later.close();
    const filter = { tier: 'stashed' } as const;
    const answer = await stores.segments.search({ projectId: 'large', text: 'twelfths', filter, limit: 20 });
    const stashed = LARGE.filter(({ tier }) => tier === 'stashed');
    expectNewest(answer, newestOf(stashed, having('twelfths')));
  });
});

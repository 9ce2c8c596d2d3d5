import { type Gap, split } from '@jeeves/engine';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { filtered } from '../../src/routes/prune/filtered.ts';
import { openSite, type Site } from './site.ts';

const LOG = Array.from({ length: 60 }, (_, at) => `12:00:${at} INFO request ${at} was served from the cache`)
  .toSpliced(30, 1, '12:00:30 ERROR the port 8006 is taken')
  .join('\r\n');

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());

function gap(startLine: number, endLine: number): Gap {
  return { startLine, endLine, lineCount: endLine - startLine + 1, reason: 'off_goal', marker: '' };
}

async function prune(body: object) {
  const { status, json } = await site.post('/prune', body);
  expect(status).toBe(200);
  return json;
}

describe('POST /prune', () => {
  test('keeps lines as they are, counts what it left out, and says which lines are there', async () => {
    const answer = await prune({ query: 'Which port is taken?', code: LOG });
    const lines = LOG.split('\n');
    const shown: string[] = answer.pruned_code.split('\n');
    expect(shown.some((line) => /^\(filtered \d+ lines\)\r?$/.test(line))).toBe(true);
    const kept = shown.filter((line) => !line.startsWith('(filtered '));
    expect(kept).toEqual(answer.kept_frags.map((number: number) => lines[number - 1]));
    expect(answer.kept_frags).toContain(31);
    const filtered = [...answer.pruned_code.matchAll(/\(filtered (\d+) lines\)/g)].map(([, count]) => Number(count));
    expect(filtered.reduce((sum, count) => sum + count, answer.kept_frags.length)).toBe(60);
    expect(answer).toMatchObject({ token_scores: [], error_msg: null });
    expect(answer.left_token_cnt).toBeLessThan(answer.origin_token_cnt);
    expect(answer.score).toBeGreaterThan(0.5);
  });

  test('keeps the first line when asked to', async () => {
    const body = { query: 'Which port is taken?', code: LOG, threshold: 0.99 };
    expect((await prune(body)).kept_frags).not.toContain(1);
    const answer = await prune({ ...body, always_keep_first_frags: true });
    expect(answer.kept_frags[0]).toBe(1);
    expect(answer.pruned_code.startsWith('12:00:0 INFO')).toBe(true);
  });

  test('answers no text with no text', async () => {
    expect(await prune({ query: 'x', code: '' })).toEqual({
      score: 0,
      pruned_code: '',
      token_scores: [],
      kept_frags: [],
      origin_token_cnt: 0,
      left_token_cnt: 0,
      model_input_token_cnt: 0,
      error_msg: null,
    });
  });

  test('cuts what its threshold cuts, however short the topics of a text are', async () => {
    const topics = Array.from({ length: 60 }, (_, at) => [
      `## Topic ${at}`,
      '',
      `Weather talk number ${at} about gardens and rain.`,
      `More on plants ${at}.`,
      '',
    ]);
    const code = ['# Guide', ...topics.flat(), '## Database', '', 'Connect to the database with open().'].join('\n');
    const body = { query: 'how to connect to the database', code };
    const kept: number[] = [];
    for (const threshold of [0, 0.5, 1]) {
      const answer = await prune({ ...body, threshold });
      kept.push(answer.kept_frags.length);
      expect(answer.kept_frags).toContain(304);
      expect(answer.pruned_code.length).toBeLessThanOrEqual(code.length);
      expect(answer.left_token_cnt).toBeLessThanOrEqual(answer.origin_token_cnt);
    }
    expect(kept[0]).toBe(304);
    expect(kept[1]).toBeLessThan(150);
    expect(kept[2]).toBeLessThanOrEqual(kept[1] ?? 0);
  });

  test('puts back a single line between kept ones, and a gap no longer than its marker', () => {
    const lines = split('kept\na long line that nobody asked for\nkept\na\nb\nkept\nthe last line of all\n');
    const { text, kept } = filtered(lines, [gap(2, 2), gap(4, 5), gap(7, 7)], { keepFirst: false });
    expect(text).toBe('kept\na long line that nobody asked for\nkept\na\nb\nkept\n(filtered 1 lines)\n');
    expect(kept).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test('ignores what other clients add', async () => {
    const answer = await prune({ query: 'port', code: LOG, chunk_overlap_tokens: 10, keep_ratio: 0.5, task: 'x' });
    expect(answer.error_msg).toBeNull();
  });

  test('gives a text back whole, and says why, when it is too large', async () => {
    const own = await openSite({ maxInputChars: 100 });
    const { json } = await own.post('/prune', { query: 'port', code: LOG });
    expect([json.pruned_code === LOG, json.error_msg]).toEqual([true, 'input_too_large']);
    await own.close();
  });

  test.each([
    [{ code: 'x' }, ['body', 'query'], 'missing'],
    [{ query: 'x' }, ['body', 'code'], 'missing'],
    [{ query: 'x', code: 7 }, ['body', 'code'], 'string_type'],
    [{ query: null, code: 'x' }, ['body', 'query'], 'string_type'],
    [{ query: 'x', code: 'x', threshold: 'high' }, ['body', 'threshold'], 'float_type'],
    [{ query: 'x', code: 'x', always_keep_first_frags: 'maybe' }, ['body', 'always_keep_first_frags'], 'bool_type'],
    [{ query: 'x', code: 'x', chunk_overlap_tokens: 1.5 }, ['body', 'chunk_overlap_tokens'], 'int_type'],
    [{ query: 'x', code: 'x', chunk_overlap_tokens: -1 }, ['body', 'chunk_overlap_tokens'], 'greater_than_equal'],
    [[], ['body'], 'model_attributes_type'],
    ['{"query":', ['body', 0], 'json_invalid'],
  ])('refuses %j as FastAPI would', async (body, loc, type) => {
    const { status, json } = await site.post('/prune', body);
    expect([status, json.detail.length]).toEqual([422, 1]);
    expect(json.detail[0]).toEqual({ loc, type, msg: expect.stringMatching(/\w/) });
  });

  test('never keeps a line at a threshold that a lower one cuts', async () => {
    const line = fc.constantFrom(
      'def parse(port):',
      '    return int(port)',
      '',
      '# Ports are numbers.',
      'import socket',
      'ERROR the port is taken',
      'INFO all is well with the world today',
      '    retry = True if port else False',
    );
    const thresholds = fc.uniqueArray(fc.double({ min: -0.2, max: 1.2, noNaN: true }), { minLength: 2, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 120 }), thresholds, async (lines, values) => {
        const kept: Set<number>[] = [];
        for (const threshold of values.toSorted((a, b) => a - b)) {
          const answer = await prune({ query: 'port taken', code: lines.join('\n'), threshold });
          expect(answer.pruned_code.length).toBeLessThanOrEqual(lines.join('\n').length);
          kept.push(new Set(answer.kept_frags));
        }
        for (const [at, higher] of kept.slice(1).entries()) {
          expect([...higher].filter((number) => kept[at]?.has(number) !== true)).toEqual([]);
        }
      }),
      { numRuns: 60 },
    );
  });
});

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import type { CorpusCase, LineRange } from './corpus.ts';
import { corpusFiles, countLines, loadCorpus, loadStretch } from './corpus.ts';

const cases = [...loadCorpus(), ...loadStretch()];
const files = corpusFiles();
const positives = cases.filter((entry) => !entry.negative);

function textsBy(name: (entry: CorpusCase) => string): Record<string, number> {
  const found = new Map<string, Set<string>>();
  for (const entry of cases) found.set(name(entry), (found.get(name(entry)) ?? new Set()).add(entry.file));
  return Object.fromEntries([...found].map(([key, set]) => [key, set.size]));
}

function readText(file: string): string {
  return readFileSync(new URL(`texts/${file}`, import.meta.url), 'utf8');
}

function size(ranges: readonly LineRange[]): number {
  return ranges.reduce((sum, [start, end]) => sum + end - start + 1, 0);
}

describe('the texts', () => {
  it('are at least 66, of all kinds', () => {
    expect(files.length).toBeGreaterThanOrEqual(66);
    expect(textsBy((entry) => entry.kind)).toEqual({ code: 35, logs: 31, docs: 12, diffs: 5, json: 6 });
  });

  it('are in eight programming languages, three or more each, and some others', () => {
    const counts = textsBy((entry) => entry.language);
    for (const language of ['typescript', 'javascript', 'python', 'go', 'rust', 'java', 'c', 'cpp']) {
      expect(counts[language], language).toBeGreaterThanOrEqual(3);
    }
    expect(Object.keys(counts)).toEqual(
      expect.arrayContaining(['sql', 'bash', 'ruby', 'yaml', 'toml', 'dockerfile', 'css', 'jsonl', 'restructuredtext']),
    );
  });

  it('all have a case with lines to find', () => {
    expect([...new Set(positives.map((entry) => entry.file))].sort()).toEqual(files);
  });

  it('stay below 2.5 MB', () => {
    const bytes = files.reduce((sum, file) => sum + Buffer.byteLength(readText(file)), 0);
    expect(bytes).toBeLessThanOrEqual(2_500_000);
  });

  it.each(files)('%s carries no path of the machine it was made on', (file) => {
    const text = readText(file);
    for (const trace of ['/work/', '/root/', '/home/', '/tmp/', '/.pnpm/']) expect(text).not.toContain(trace);
  });

  it('are two with CRLF line ends, one without a final newline, and otherwise plain', () => {
    const crlf = files.filter((file) => readText(file).includes('\r\n'));
    expect(crlf).toEqual(['code/shift-calendar.js', 'docs/faq-support.md']);
    for (const file of crlf) expect(readText(file).replaceAll('\r\n', '')).not.toContain('\n');
    expect(files.filter((file) => !readText(file).endsWith('\n'))).toEqual(['json/package-manifest.json']);
  });

  it('are long enough for pruning to matter, with a few very long and a few short ones', () => {
    const lengths = files.map((file) => countLines(readText(file)));
    expect(lengths.filter((length) => length >= 80 && length <= 500).length).toBeGreaterThan(files.length / 2);
    expect(lengths.filter((length) => length >= 600 && length <= 1_500).length).toBeGreaterThanOrEqual(5);
    expect(lengths.filter((length) => length >= 20 && length <= 40).length).toBeGreaterThanOrEqual(3);
    expect(Math.min(...lengths)).toBeGreaterThanOrEqual(20);
  });
});

describe('the cases', () => {
  it('have ids of their own', () => {
    expect(new Set(cases.map((entry) => entry.id)).size).toBe(cases.length);
  });

  it('are at least 90, eight of them negative', () => {
    expect(cases.length).toBeGreaterThanOrEqual(90);
    expect(cases.filter((entry) => entry.negative)).toHaveLength(8);
  });

  it.each(cases.map((entry) => [entry.id, entry] as const))('%s points into its text', (_id, entry) => {
    const lines = entry.text.split('\n');
    for (const [start, end] of entry.mustSurvive) {
      expect(end).toBeLessThanOrEqual(entry.lineCount);
      // A range that begins or ends on nothing was counted wrongly.
      expect(lines[start - 1]?.trim()).not.toBe('');
      expect(lines[end - 1]?.trim()).not.toBe('');
    }
    expect(size(entry.mustSurvive)).toBeLessThanOrEqual(entry.negative ? 0 : 15);
    expect(size(entry.mustSurvive)).toBeLessThan(entry.lineCount / 4);
  });

  it('name the source that their kind of text has', () => {
    const allowed = { code: ['code'], logs: ['logs'], docs: ['docs'], diffs: ['code'], json: ['code', 'docs'] };
    for (const entry of cases) expect(allowed[entry.kind], entry.id).toContain(entry.source);
  });

  it('ask full questions, some of them in French', () => {
    for (const entry of cases) expect(entry.goal.split(' ').length, entry.id).toBeGreaterThanOrEqual(5);
    expect(cases.filter((entry) => entry.id.includes('-fr')).length).toBeGreaterThanOrEqual(6);
  });
});

describe('loadCorpus', () => {
  const made: string[] = [];
  afterEach(() => {
    for (const directory of made.splice(0)) rmSync(directory, { recursive: true });
  });

  function corpusWith(entry: Record<string, unknown>): URL {
    const directory = mkdtempSync(join(tmpdir(), 'corpus-'));
    made.push(directory);
    mkdirSync(join(directory, 'texts', 'code'), { recursive: true });
    writeFileSync(join(directory, 'texts', 'code', 'a.py'), 'one\ntwo\nthree');
    const valid = { id: 'x', file: 'code/a.py', source: 'code', goal: 'which?', mustSurvive: [[1, 1]], why: 'because' };
    writeFileSync(join(directory, 'cases.json'), JSON.stringify([{ ...valid, ...entry }]));
    return pathToFileURL(`${directory}/`);
  }

  it('reads a case with its text', () => {
    const [entry] = loadCorpus(
      corpusWith({
        mustSurvive: [
          [1, 1],
          [3, 3],
        ],
      }),
    );
    expect(entry).toMatchObject({
      kind: 'code',
      language: 'python',
      text: 'one\ntwo\nthree',
      lineCount: 3,
      negative: false,
    });
  });

  it.each([
    ['a line past the end', { mustSurvive: [[3, 4]] }, 'x: 3-4 is not inside 1-3'],
    ['a line before the start', { mustSurvive: [[0, 1]] }, 'x: 0-1 is not inside'],
    ['a range that runs backwards', { mustSurvive: [[2, 1]] }, 'x: 2-1 is not inside'],
    [
      'ranges that touch',
      {
        mustSurvive: [
          [1, 1],
          [2, 2],
        ],
      },
      'x: ranges overlap',
    ],
    ['a range of one number', { mustSurvive: [[1]] }, 'x: a range is a pair'],
    ['no lines without being negative', { mustSurvive: [] }, 'x: only negative cases'],
    ['lines in a negative case', { negative: true }, 'x: only negative cases'],
    ['an unknown source', { source: 'prose' }, 'x: prose is none of'],
    ['an empty goal', { goal: ' ' }, 'entry 0 has no goal'],
    ['a text that does not exist', { file: 'code/b.py' }, 'ENOENT'],
  ])('refuses %s', (_name, entry, message) => {
    const directory = corpusWith(entry);
    expect(() => loadCorpus(directory)).toThrow(message);
  });
});

import { describe, expect, it } from 'vitest';
import { detectKind } from '../../src/detect.ts';
import { createEmbeddedBackend, estimateTokens, prune, split } from '../../src/index.ts';
import { askTable } from '../../src/kinds/table-question.ts';
import { createMemoryStore } from '../memory-store.ts';

const repeat = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => `${line(at)}\n`).join('');

const DIFF = repeat(
  6,
  (file) =>
    `diff --git a/src/f${file}.ts b/src/f${file}.ts\nindex 1..2 100644\n--- a/src/f${file}.ts\n+++ b/src/f${file}.ts\n` +
    repeat(
      4,
      (hunk) =>
        `@@ -${hunk * 40 + 1},6 +${hunk * 40 + 1},6 @@\n context a\n context b\n-old ${file}.${hunk}\n+${file === 3 && hunk === 2 ? 'refundWindow = 30' : `new ${file}.${hunk}`}\n context c`,
    ),
);
const CSV = `id,customer,state,total\n${repeat(400, (at) => `${at},c${at % 7},${at === 233 ? 'refunded' : 'paid'},${(at * 37) % 900}`)}`;
const LISTING = repeat(
  30,
  (folder) =>
    `./d${folder}:\ntotal 8\n${repeat(8, (at) => `-rw-r--r-- 1 root root ${(folder * 8 + at) * 97} Nov 11 09:4${at % 10} f${at}.bin`)}`,
);
const LOCK = `lockfileVersion: '9.0'\n\npackages:\n\n${repeat(200, (at) => `  pkg${at}@1.${at}.0:\n    resolution: {integrity: sha512-${at}}\n    engines: {node: '>=18'}\n`)}  zod@4.1.12:\n    resolution: {integrity: sha512-zz}\n`;

describe('what a text is', () => {
  it.each([
    ['diff', DIFF],
    ['table', CSV],
    ['table', LISTING],
    [
      'table',
      `USER  PID %CPU %MEM   RSS COMMAND\n${repeat(40, (at) => `root  ${at}  0.0  0.${at % 10}  ${at * 40} /usr/bin/tool --flag ${at}`)}`,
    ],
    ['data', LOCK],
    ['data', JSON.stringify({ a: { b: [1, 2, { c: 'd' }] }, e: 'f' }, undefined, 2)],
    [
      'html',
      `<!doctype html>\n<html>\n<body>\n${repeat(50, (at) => `<p>Error ${at} happened at 10:00:0${at % 10}</p>`)}</body>\n</html>\n`,
    ],
    ['code', repeat(60, (at) => `# option ${at}: what it does is said here\nkey_${at} = ${at}\n`)],
    [
      'docs',
      repeat(30, (at) => `## Section ${at}\n\nSome words about the thing that this section is about, in a row.\n`),
    ],
    ['logs', repeat(60, (at) => `2026-11-15 09:00:${10 + (at % 50)} INFO worker: step ${at} done`)],
    ['logs', repeat(60, (at) => `\u001B[32mok\u001B[0m ${at} passes`)],
    ['logs', repeat(60, (at) => `[loading /modules/m${at}.class]\nsrc/A.java:${at}: error: cannot find symbol`)],
  ])('%s', (name, text) => {
    expect(detectKind(split(text)).name).toBe(name);
  });
});

describe('what a line brings along', () => {
  it('is the header of its hunk and the lines that name its file, in a diff', async () => {
    const lines = await shown(DIFF, 'what is the refund window now?', 200);
    expect(lines).toEqual(
      expect.arrayContaining([
        '+refundWindow = 30',
        '@@ -81,6 +81,6 @@',
        'diff --git a/src/f3.ts b/src/f3.ts',
        '+++ b/src/f3.ts',
      ]),
    );
  });

  it('is the row that names the columns, in a table', async () => {
    const lines = await shown(CSV, 'which orders were refunded?', 120);
    expect(lines).toContain('233,c2,refunded,521');
    expect(lines[0]).toBe('id,customer,state,total');
  });

  it('is the path of keys that leads to it, in a lock file', async () => {
    const lines = await shown(LOCK, 'which version of zod?', 120);
    expect(lines).toEqual(expect.arrayContaining(['packages:', '  zod@4.1.12:']));
  });

  it('is the folder a file is in, in a listing', async () => {
    const lines = await shown(LISTING, 'which file is the largest?', 150);
    expect(lines).toEqual(expect.arrayContaining(['./d29:', '-rw-r--r-- 1 root root 23183 Nov 11 09:47 f7.bin']));
  });

  it('is the headings above it, in prose', async () => {
    const text = `# Guide\n\n${repeat(30, (at) => `## Part ${at}\n\nWords about nothing much stand here, number ${at}.\n`)}## Refunds\n\nA refund takes nine days to arrive.\n`;
    const lines = await shown(text, 'how long does a refund take?', 60);
    expect(lines).toEqual(expect.arrayContaining(['# Guide', '## Refunds', 'A refund takes nine days to arrive.']));
  });
});

describe('a question about a whole table', () => {
  it.each([
    [CSV, 'which orders were refunded?', undefined],
    [CSV, 'how many orders were paid?', 'all_rows'],
    [CSV, 'which customer is the most loyal?', 'all_rows'],
    ['no table at all\njust words\nand more words\n', 'which is the largest?', undefined],
  ])('is told from one about a row', (text, goal, expected) => {
    expect(askTable(split(text), goal)).toBe(expected);
  });

  it('is answered by the column it names, best first', () => {
    const lines = split(CSV);
    const asked = askTable(lines, 'which order has the highest total?');
    const best = typeof asked === 'object' ? asked.lines.map((line) => Number(lines.at(line).split(',')[3])) : [];
    const all = Array.from({ length: 400 }, (_, at) => (at * 37) % 900).toSorted((a, b) => b - a);
    expect(best).toEqual(all.slice(0, 5));
  });
});

async function shown(text: string, goal: string, maxTokens: number): Promise<string[]> {
  const tools = {
    backend: createEmbeddedBackend(),
    store: createMemoryStore(),
    newId: () => 'prn_kind',
    now: () => 0,
    countTokens: (counted: string) => ({ tokens: estimateTokens(counted), method: 'estimate' as const }),
  };
  return (await prune({ text, goal, limits: { maxTokens } }, tools)).text.split('\n');
}

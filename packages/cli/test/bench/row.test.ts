import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { linesOf } from '../../src/bench/lines.ts';
import { readRow } from '../../src/bench/row.ts';

const GOOD = { id: 'a', query: 'why', text: 'one\ntwo\n', gold: [2], kind: 'docs' };

describe('a row', () => {
  test('is read', () => {
    expect(readRow(Buffer.from(JSON.stringify(GOOD)))).toEqual({
      id: 'a',
      goal: 'why',
      text: 'one\ntwo\n',
      gold: [2],
      source: 'docs',
    });
  });

  test('needs neither gold nor kind, and its id may be a number', () => {
    expect(readRow(Buffer.from('{"id":1,"query":"","text":"","gold":null}'))).toEqual({ id: 1, goal: '', text: '' });
  });

  test.each([
    ['{', 'not JSON'],
    ['[]', 'not a JSON object'],
    ['null', 'not a JSON object'],
    [JSON.stringify({ ...GOOD, id: undefined }), '"id" must be a string or a number'],
    [JSON.stringify({ ...GOOD, query: 3 }), '"query" must be a string'],
    [JSON.stringify({ ...GOOD, text: null }), '"text" must be a string'],
    [JSON.stringify({ ...GOOD, kind: 'prose' }), '"kind" must be "code", "logs" or "docs"'],
    [JSON.stringify({ ...GOOD, gold: [0] }), '"gold" must be a list of line numbers, from 1'],
    [JSON.stringify({ ...GOOD, gold: 2 }), '"gold" must be a list of line numbers, from 1'],
  ])('%s is refused with the reason', (text, problem) => {
    expect(readRow(Buffer.from(text))).toBe(problem);
  });

  test('that is not UTF-8 is refused', () => {
    expect(readRow(Buffer.from([0x7b, 0xff, 0x7d]))).toBe('not a UTF-8 text');
  });
});

describe('lines of a file', () => {
  test.each([
    ['', []],
    ['a', ['a']],
    ['a\n', ['a']],
    ['a\n\nb', ['a', '', 'b']],
    ['a\u2028b\r\nc\rd\n', ['a\u2028b\r', 'c\rd']],
    [`${'x'.repeat(200_000)}\ny`, ['x'.repeat(200_000), 'y']],
  ])('end at newlines only (case %#)', async (content, expected) => {
    const directory = mkdtempSync(join(tmpdir(), 'jeeves-lines-'));
    try {
      writeFileSync(join(directory, 'f'), content);
      const found: string[] = [];
      for await (const line of linesOf(join(directory, 'f'))) found.push(Buffer.from(line).toString());
      expect(found).toEqual(expected);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});

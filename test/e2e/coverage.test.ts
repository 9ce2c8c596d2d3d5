import { describe, expect, test } from 'vitest';
import { filesUnder, readSource } from '../architecture/sources.ts';
import { type Citations, citationsIn, coverageProblems } from './coverage.ts';
import { requirements } from './requirements.ts';
import { verifies } from './verifies.ts';

test('every requirement is cited by a test or deferred with a reason', () => {
  expect(coverageProblems(requirements, testFiles().map(read))).toEqual([]);
});

function cite(...ids: string[]): Citations[] {
  return [{ file: 'x.test.ts', ids, unreadable: 0 }];
}

describe('the gate', () => {
  const entry = { id: 'a.b', source: 'seed 002 §1', behaviour: 'It works.' };
  const later = { ...entry, deferred: 'not built yet' };

  test.each([
    ['passes a cited entry', [entry], cite('a.b'), []],
    ['passes a deferred entry', [later], [], []],
    ['names an entry nobody cites', [entry], [], ['a.b is cited by no test and not deferred']],
    ['names a deferred entry that is cited', [later], cite('a.b'), ['a.b is deferred, yet a test cites it']],
    ['names an unknown id', [entry], cite('a.b', 'a.c'), ['x.test.ts cites an unknown id: a.c']],
    ['names a duplicate', [entry, entry], cite('a.b'), ['a.b is defined more than once']],
    ['names an empty behaviour', [{ ...entry, behaviour: ' ' }], cite('a.b'), ['a.b has no behaviour']],
    ['names an empty source', [{ ...entry, source: '' }], cite('a.b'), ['a.b has no source']],
    ['names an empty reason', [{ ...entry, deferred: '' }], [], ['a.b is deferred without a reason']],
    [
      'names a citation nobody can read',
      [later],
      [{ file: 'x.test.ts', ids: [], unreadable: 1 }],
      ['x.test.ts cites ids that are not literals'],
    ],
  ])('%s', (_, entries, citations, problems) => {
    expect(coverageProblems(entries, citations)).toEqual(problems);
  });

  test('reads single ids and lists of them, over several lines, and counts what it cannot read', () => {
    const source =
      "verifies('a.b', 'x', f);\nverifies(\n  [\n    'a.c',\n    \"a.d\",\n  ],\n  'y', g);\nverifies(id, 'z', h);";
    expect(citationsIn('x.test.ts', source)).toEqual({ file: 'x.test.ts', ids: ['a.b', 'a.c', 'a.d'], unreadable: 1 });
  });

  test('sees the test files of the packages and of the repository', () => {
    const files = testFiles();
    expect(files.some((file) => file.startsWith('packages/engine/test/'))).toBe(true);
    expect(files.some((file) => file.startsWith('test/e2e/scenarios/engine/'))).toBe(true);
  });
});

describe('citing', () => {
  test.each([['no.such-id'], [['no.such-id']], [[]]])('%j fails before any test is registered', (ids) => {
    expect(() => verifies(ids, 'never registered', () => undefined)).toThrow(TypeError);
  });
});

function testFiles(): string[] {
  return [...filesUnder('packages'), ...filesUnder('test')].filter(
    // What runs the real clients is no part of `vitest run`, but of CI. This file holds made-up citations.
    (file) =>
      (file.endsWith('.test.ts') || file === 'test/agents/scenarios.ts') && file !== 'test/e2e/coverage.test.ts',
  );
}

function read(file: string): Citations {
  return citationsIn(file, readSource(file));
}

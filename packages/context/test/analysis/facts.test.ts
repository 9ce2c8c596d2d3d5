import { describe, expect, it } from 'vitest';
import { type Described, factsOf } from '../../src/analysis/facts.ts';

function facts(text: string, more: Partial<Described> = {}): ReturnType<typeof factsOf> {
  return factsOf({ type: 'log', text, tags: [], ...more });
}

describe('what was read or run', () => {
  const subjects: [string, string, Partial<Described>, object | undefined][] = [
    ['a command', '$ npm test\nok', {}, { key: 'command:npm test' }],
    ['a command with blanks', '$ npm   test  --  --run\nok', {}, { key: 'command:npm test -- --run' }],
    ['a command by its tag', 'ok', { tags: ['command:make all'] }, { key: 'command:make all' }],
    ['a read file', 'File: src/a.ts\nconst a', { type: 'code' }, { key: 'file:src/a.ts' }],
    ['a part of a file', 'File: src/a.ts (lines 10-80)', { type: 'code' }, { key: 'file:src/a.ts', lines: [10, 80] }],
    ['a part, after a colon', 'Read ./src/a.ts:10-80', { type: 'code' }, { key: 'file:src/a.ts', lines: [10, 80] }],
    ['a file by its name', 'const a = 1', { type: 'code', file: './src/a.ts' }, { key: 'file:src/a.ts' }],
    ['a file that was printed', '$ cat src/a.ts', {}, { key: 'file:src/a.ts' }],
    ['a command on a file', '$ eslint src/a.ts', { file: 'src/a.ts' }, { key: 'command:eslint src/a.ts' }],
    ['plain output', 'all is well', {}, undefined],
    ['a note about a file', 'File: src/a.ts', { type: 'note', file: 'src/a.ts' }, undefined],
    ['a message', '$ npm test', { type: 'message' }, undefined],
  ];
  it.each(subjects)('is known of %s', (_, text, more, subject) => {
    expect(facts(text, more).subject).toEqual(subject);
  });

  it('gives the file, too', () => {
    expect(facts('File: src/a.ts', { type: 'code' }).file).toBe('src/a.ts');
    expect(facts('anything', { type: 'note', file: 'src/b.ts' }).file).toBe('src/b.ts');
  });
});

describe('whether it failed', () => {
  const failed: [string, boolean, Partial<Described>?][] = [
    ['$ npm test\n…\n[exit code 1]', true],
    ['$ npm test\n…\n[exit code 0]', false],
    ['Process exited with code 137', true],
    ['bash: foo: command not found', true],
    ['cat: a: No such file or directory', true],
    ['nonzero_exit: The command failed.', true],
    ['npm error code ELIFECYCLE', true],
    ['ok\nerror: could not compile', true],
    ['error[E0308]: mismatched types', true],
    ['ok\nTraceback (most recent call last):\n  File "a.py"', true],
    ['Ran 3 tests\nFAILED (failures=1)', true],
    ['0 errors, all tests pass', false],
    ['the word error in a sentence', false],
    ['anything', true, { tags: ['failed'] }],
    ['error: thrown here', false, { type: 'code' }],
    [`$ build\n${'fine\n'.repeat(2000)}error: at the very end`, true],
    [`${'fine\n'.repeat(2000)}error: in the middle\n${'fine\n'.repeat(2000)}`, false],
  ];
  it.each(failed)('%j: %s', (text, expected, more) => {
    expect(facts(text, more).failed).toBe(expected);
  });

  it('is told of hostile texts in no time', () => {
    const started = performance.now();
    for (const text of ['exit '.repeat(200_000), `$ ${' '.repeat(400_000)}`, ': command'.repeat(100_000)]) facts(text);
    expect(performance.now() - started).toBeLessThan(3000);
  });
});

import { describe, expect, it } from 'vitest';
import { createEmbeddedBackend, prune, type SourceType } from '../src/index.ts';
import { hashOfStem } from '../src/terms/scanner.ts';
import { createMemoryStore } from './memory-store.ts';

const SIZE = 200_000;
const HOSTILE: readonly (readonly [string, string])[] = [
  ['spaces', ' '.repeat(SIZE)],
  ['tabs and a brace', `${'\t'.repeat(SIZE)}{`],
  ['opening parens', '('.repeat(SIZE)],
  ['import with an endless tail', `import ${'{'.repeat(SIZE)}`],
  ['a name without end', `function ${'a'.repeat(SIZE)}(`],
  ['a type without end', `type ${'a '.repeat(SIZE / 2)}`],
  ['backticks', '`'.repeat(SIZE)],
  ['equals signs', '='.repeat(SIZE)],
  ['words and spaces', 'a '.repeat(SIZE / 2)],
  ['dots and colons', 'a.:'.repeat(SIZE / 3)],
  ['error look-alikes', 'erro exceptio traceb '.repeat(SIZE / 21)],
  ['calm look-alikes', `errors ${' '.repeat(SIZE)}=`],
  ['frames', `    at ${'a('.repeat(SIZE / 2)}`],
  ['brackets', '[['.repeat(SIZE / 2)],
  ['markers', '⟦pruned '.repeat(SIZE / 8)],
  ['dates', '2026-01-01 '.repeat(SIZE / 11)],
];

const dependencies = {
  backend: createEmbeddedBackend(),
  store: createMemoryStore(),
  newId: () => 'prn_hostile',
  now: () => performance.now(),
  countTokens: (text: string) => ({ tokens: text.length, method: 'estimate' as const }),
};

describe('hostile lines', () => {
  const cases = HOSTILE.flatMap(([title, line]) =>
    (['code', 'logs', 'docs'] as const).map((source) => [title, source, line] as const),
  );

  it.each(cases)('%s cost no more than their length in %s', async (_title, source: SourceType, line) => {
    const text = `start\n${line}\n${line}\nend of it\n`.repeat(2);
    const started = performance.now();
    const result = await prune({ text, goal: `why does ${line.slice(0, 900)} fail`, source }, dependencies);
    // A quadratic step over 200,000 characters would take minutes; the margin is for slow machines.
    expect(performance.now() - started).toBeLessThan(2_000);
    expect(result.warnings).not.toContain('internal_error');
  });

  it('words that were chosen to crowd one place of the table cost no more than others', async () => {
    // Numbers whose hashes share their low bits: with a table placed by those bits, each search would walk through all.
    const crowded: string[] = [];
    for (let number = 100_000_000; crowded.length < 40_000; number += 1) {
      if ((hashOfStem(String(number)) & 0x3ffff) < 4_096) crowded.push(String(number));
    }
    const plain = Array.from({ length: crowded.length }, (_, at) => String(200_000_000 + at));
    await time(plain);
    expect(await time(crowded)).toBeLessThan(5 * (await time(plain)) + 200);
  });

  it('ten megabytes on one line take under a second', async () => {
    const text = 'const value = request.retry(timeout); '.repeat(263_158);
    const started = performance.now();
    const result = await prune({ text, goal: 'where is the retry timeout', source: 'code' }, dependencies);
    const elapsed = performance.now() - started;
    expect(result.gaps).toMatchObject([{ startLine: 1, endLine: 1 }]);
    expect(result.note).toMatch(/^⟦line 1 in part: characters 1-\d+ of 10000004⟧\nconst value = request\.retry/);
    expect(elapsed).toBeLessThan(1_000);
  });
});

async function time(words: readonly string[]): Promise<number> {
  const started = performance.now();
  await prune({ text: words.join('\n'), goal: 'which number', source: 'logs' }, dependencies);
  return performance.now() - started;
}

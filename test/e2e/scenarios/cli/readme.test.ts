import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadTokenCounter } from '@jeeves/engine/tokens';
import { expect, test } from 'vitest';
import { desk } from './program.ts';

const README = readFileSync(new URL('../../../../README.md', import.meta.url), 'utf8');
const LOG = fileURLToPath(new URL('../../../corpus/texts/logs/python-unittest.log', import.meta.url));
const { run } = desk();

test('the before and after of the README is what the program prints', async () => {
  const [, before, tokensBefore, goal = '', after, tokensAfter] =
    /A real test run, (\d+) lines and ([\d,]+) tokens, asked \*"(.+?)"\*. Jeeves keeps (\d+) lines, ([\d,]+) tokens/.exec(
      README,
    ) ?? [];
  const { out } = await run(['prune', LOG, '--goal', goal]);
  const countTokens = await loadTokenCounter();
  const raw = readFileSync(LOG, 'utf8');
  const printed = out.slice(0, out.indexOf('⟦jeeves recover '));
  const kept = printed.split('\n').filter((line) => !line.startsWith('⟦pruned ')).length - 1;
  expect({ lines: raw.split('\n').length - 1, kept, before: countTokens(raw).tokens }).toEqual({
    lines: number(before),
    kept: number(after),
    before: number(tokensBefore),
  });
  expect(countTokens(printed).tokens).toBe(number(tokensAfter));
  const shown = /```text\n([\s\S]*?)```/.exec(README)?.[1]?.split('\n') ?? [];
  const claimed = shown.filter((line) => line.trim() !== '…' && line !== '' && !line.startsWith('⟦jeeves recover '));
  expect(claimed.length).toBeGreaterThanOrEqual(8);
  for (const line of claimed) expect(out.split('\n')).toContain(line);
});

function number(text = ''): number {
  return Number(text.replace(',', ''));
}

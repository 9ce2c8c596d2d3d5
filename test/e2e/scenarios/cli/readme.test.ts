import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadTokenCounter } from '@jeeves/engine/tokens';
import type { PruneTextResult } from '@jeeves/protocol';
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
  const { stats } = JSON.parse((await run(['prune', LOG, '--goal', goal, '--json'])).out) as PruneTextResult;
  expect({ lines: stats.original_lines, kept: stats.kept_lines, tokens: stats.tokens_est_before }).toEqual({
    lines: number(before),
    kept: number(after),
    tokens: number(tokensBefore),
  });
  // `--json` shows the longer markers of prune_text; the tokens claimed are those of the text as printed.
  const countTokens = await loadTokenCounter();
  expect(countTokens(out.slice(0, out.indexOf('⟦jeeves recover '))).tokens).toBe(number(tokensAfter));
  const shown = /```text\n([\s\S]*?)```/.exec(README)?.[1]?.split('\n') ?? [];
  const claimed = shown.filter((line) => line.trim() !== '…' && line !== '' && !line.startsWith('⟦jeeves recover '));
  expect(claimed.length).toBeGreaterThanOrEqual(8);
  for (const line of claimed) expect(out.split('\n')).toContain(line);
});

function number(text = ''): number {
  return Number(text.replace(',', ''));
}

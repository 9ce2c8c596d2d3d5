import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TokenCounter } from '@jeeves/engine';
import { loadTokenCounter } from '@jeeves/engine/tokens';
import { beforeAll, describe, expect } from 'vitest';
import type { Result } from '../../../../packages/mcp-pruner/test/harness.ts';
import { verifies } from '../../verifies.ts';
import { type AnswerCase, buildCase, fileCase, type Place } from './answers.ts';
import { pruningOf, recoveredOf, sharedSite, textOf } from './site.ts';

/** What a pruned reply may cost each client. */
const BUDGETS = { 'claude-code': 4000, 'codex-mcp-client': 2400 } as const;

/** How many builds of each size: larger ones take longer, and say the same. */
const BUILDS: readonly [lines: number, cases: number][] = [
  [400, 100],
  [4000, 100],
  [40_000, 10],
  [400_000, 2],
];
/** A hundred large outputs take a while on a busy machine. */
const PATIENCE_MS = 300_000;
const PLACES: readonly Place[] = ['end', 'middle', 'stderr'];

let countTokens: TokenCounter;
beforeAll(async () => {
  countTokens = await loadTokenCounter();
});

/** What is wrong with a reply: nothing, when it answers within the budget. */
function problemsOf({ name, answer }: AnswerCase, result: Result, budget: number): string[] {
  const text = textOf(result);
  const { tokens } = countTokens(text);
  return [
    ...answer.filter((line) => !text.includes(line)).map((line) => `${name}: lacks ${JSON.stringify(line)}`),
    ...(tokens > budget ? [`${name}: ${tokens} tokens`] : []),
    ...(pruningOf(result).applied ? [] : [`${name}: not pruned`]),
  ];
}

for (const [client, budget] of Object.entries(BUDGETS)) {
  describe(`as ${client}`, () => {
    const server = sharedSite({ client });

    for (const [lines, cases] of BUILDS) {
      verifies(
        ['output.answer', 'output.budget'],
        `the error of a failing build of ${lines} lines is in the reply, within ${budget} tokens`,
        async () => {
          const problems: string[] = [];
          for (let seed = 0; seed < cases; seed += 1) {
            const place = PLACES[seed % PLACES.length] ?? 'end';
            const build = buildCase(seed, lines, place);
            writeFileSync(join(server().root, 'build.log'), build.text);
            const command = `cat build.log ${place === 'stderr' ? '>&2' : ''}; exit 1`;
            const question = { context_focus_question: build.question };
            problems.push(...problemsOf(build, await server().call('bash', { command, ...question }), budget));
          }
          expect(problems).toEqual([]);
        },
        PATIENCE_MS,
      );
    }

    for (const share of [0.52, 0.98]) {
      verifies(
        ['output.answer', 'output.budget'],
        `the answer at ${share * 100} % of a file of 8,000 lines is in the reply, within ${budget} tokens`,
        async () => {
          const problems: string[] = [];
          for (let seed = 0; seed < 100; seed += 1) {
            const file = fileCase(seed, 8000, share);
            writeFileSync(join(server().root, 'source.ts'), file.text);
            const args = { file_path: 'source.ts', context_focus_question: file.question };
            problems.push(...problemsOf(file, await server().call('read', args), budget));
          }
          expect(problems).toEqual([]);
        },
        PATIENCE_MS,
      );
    }

    verifies(['output.budget', 'recover.one-space'], 'what a small budget leaves out is recovered', async () => {
      const file = fileCase(1, 2000, 0.5);
      writeFileSync(join(server().root, 'source.ts'), file.text);
      const args = { file_path: 'source.ts', context_focus_question: file.question, max_tokens: 300 };
      const result = await server().call('read', args);
      expect(problemsOf(file, result, 300)).toEqual([]);
      const ranges = [{ start_line: 1, end_line: 2000 }];
      const recovered = await server().call('recover_text', { prune_id: pruningOf(result).prune_id, ranges });
      const { metadata, raw_text } = recoveredOf(recovered);
      expect(file.text.startsWith(raw_text)).toBe(true);
      expect(metadata.ranges[0]?.start_line).toBe(1);
    });
  });
}

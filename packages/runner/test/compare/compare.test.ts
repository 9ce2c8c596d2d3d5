import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { verifies } from '../../../../test/e2e/verifies.ts';
import { type Comparison, compare } from '../../src/compare/compare.ts';
import { compareMarkdown } from '../../src/compare/report.ts';
import { parseTask, readTask } from '../../src/compare/task.ts';
import { readRunnerConfig } from '../../src/config.ts';
import type { AgentProvider } from '../../src/provider.ts';
import { loadProvider } from '../../src/providers/load.ts';
import { logWithError, world } from '../world.ts';

const { path, file, env } = world();
file('project/app.log', logWithError());

const TASK = `
name: find the error
prompt: Why does the service fail?
directory: project
setup: touch prepared
check: test -f prepared && grep -q 5432 answer.txt
script:
  steps:
    - call: read
      with: { file_path: app.log }
      goal: why is the database connection refused
    - recover: first
    - call: bash
      with: { command: "grep -o 'port 5432' app.log > answer.txt" }
    - say: It is the database.
`;

/** Counts tokens, not requests: what Codex calls a turn is all of them. */
const COUNTLESS: AgentProvider = {
  name: 'countless',
  async *run() {
    const timestamp = '2026-01-01T00:00:00.000Z';
    yield { type: 'tool_use', name: 'command_execution', input: { command: 'ls' }, id: 'a', timestamp };
    yield { type: 'tool_result', toolUseId: 'a', content: '', timestamp };
    yield { type: 'result', content: 'done', timestamp };
    yield { type: 'usage', input_tokens: 10, output_tokens: 1, total_cost_usd: null };
  },
};

async function compared(text: string, runs: number, load?: () => Promise<AgentProvider>): Promise<Comparison> {
  const task = parseTask(text, join(path, 'task.yaml'));
  return await compare({
    task,
    runs,
    loadProvider: load ?? (() => loadProvider('fake', { script: task.script })),
    config: readRunnerConfig(env(), path),
    directory: join(path, `compare-${randomBytes(4).toString('hex')}`),
    now: Date.now,
    randomBytes,
  });
}

describe('a comparison', () => {
  verifies(
    ['runner.compare', 'runner.compare.sentence', 'runner.no-prune', 'runner.simulated'],
    'runs a task in pairs, checks it, and says what pruning saved',
    async () => {
      const comparison = await compared(TASK, 2);
      expect(comparison).toMatchObject({ schema: 'jeeves.compare.v1', provider: 'fake', runs: 2 });
      expect(comparison.pairs.map((pair) => [pair.with.success, pair.without.success])).toEqual([
        [true, true],
        [true, true],
      ]);
      const { tokens, turns, success } = comparison.summary;
      expect(tokens.pairs).toBe(2);
      expect(tokens.with).toBeLessThan(tokens.without);
      expect(tokens.saved.mean).toBeCloseTo(tokens.without - tokens.with, 6);
      expect(tokens.saved.t?.[0]).toBeGreaterThan(0);
      expect(tokens.saved.bootstrap?.[0]).toBeGreaterThan(0);
      // With the pruner a gap was recovered: that takes a turn of its own.
      expect(turns.with - turns.without).toBe(1);
      expect(success).toMatchObject({ with: 1, without: 1 });
      for (const { without } of comparison.pairs) {
        expect(without.net_tokens).toBe(0);
        expect(existsSync(join(without.directory, 'run.json'))).toBe(true);
      }
      const page = compareMarkdown(comparison);
      expect(page.split('\n')[0]).toMatch(
        /^Simulated: \d+ % fewer tokens, one more turn, success unchanged \(2 of 2\)\.$/,
      );
      expect(comparison).toMatchObject({ simulated: true, sentence: page.split('.\n')[0] });
      expect(page).toContain('No model was asked');
      expect(page).toContain('| simulated | without |');
      expect(page).toContain('| tokens, all requests |');
      expect(page).toContain('95 % interval (bootstrap)');
      expect(page).toContain('Cost is estimated');
    },
  );

  test('counts a task that its check refuses as not done, and works on a copy', async () => {
    const { summary } = await compared(TASK.replace('5432 answer.txt', '9999 answer.txt'), 1);
    expect(summary.success).toMatchObject({ with: 0, without: 0 });
    expect(existsSync(join(path, 'project/answer.txt'))).toBe(false);
    expect(summary.tokens.saved.t).toBeNull();
  });

  test('heeds the exit code of a check alone, however much it writes', async () => {
    const talkative = TASK.replace('check: test', 'check: seq 400000 && test');
    expect((await compared(talkative, 1)).summary.success).toMatchObject({ with: 1, without: 1 });
  });

  test('says that a higher success rate is no loss', async () => {
    const page = compareMarkdown(await compared('prompt: x', 1));
    expect(page).toContain('above 0 is a gain, but for the success rate a loss');
  });

  test('counts requests itself where the provider does not', async () => {
    const { summary, sentence, simulated } = await compared('prompt: x', 1, () => Promise.resolve(COUNTLESS));
    expect(summary.turns).toMatchObject({ with: 2, without: 2, pairs: 1 });
    expect(sentence).toBe('As many tokens, as many turns, success unchanged (1 of 1)');
    expect(simulated).toBeUndefined();
  });

  test('whose setup fails is refused', async () => {
    await expect(compared(TASK.replace('touch prepared', 'exit 1'), 1)).rejects.toMatchObject({ code: 'invalid_task' });
  });

  test('of a task whose directory is missing is refused before anything runs', () => {
    const task = file('lost.yaml', 'prompt: x\ndirectory: nowhere\n');
    expect(() => readTask(task)).toThrow('"directory" is not a directory');
  });

  test.each([
    ['no prompt', 'check: "true"', '"prompt" is not a text'],
    ['an unknown field', 'prompt: x\nchek: "true"', 'unknown: chek'],
    ['a wrong count', 'prompt: x\nmax_turns: many', '"max_turns" is not a whole number'],
    ['a wrong step', 'prompt: x\nscript: { steps: [{ jump: 1 }] }', 'step 1 is none of'],
    ['no YAML', '{', 'not YAML'],
  ])('of a task with %s is refused', (_, text, problem) => {
    expect(() => parseTask(text, 'task.yaml')).toThrow(problem);
  });
});

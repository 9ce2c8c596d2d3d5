import { randomBytes } from 'node:crypto';
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { verifies } from '../../../../test/e2e/verifies.ts';
import { readRunnerConfig } from '../../src/config.ts';
import type { AgentProvider } from '../../src/provider.ts';
import { runWorkflow, type WorkflowOutcome, type WorkflowRunOptions } from '../../src/workflow/runWorkflow.ts';
import { parseWorkflow } from '../../src/workflow/workflow.ts';
import { commandsWith, readJson, world } from '../world.ts';

const { path, file, env } = world();

const TRIVIAL = `
workflow: { name: trivial, start: hello }
phases:
  hello:
    prompt: Say hello.
    transitions: [{ to: complete, auto: true }]
  complete: { type: terminal }
`;

const REVIEW = `
workflow: { name: review, start: write, default_provider: fake }
phases:
  write:
    prompt: write
    transitions: [{ to: check, when: phase.success }]
  check:
    type: script
    command: test "$RED" != 1
    transitions:
      - { to: write, when: "status.round != 2", priority: 2 }
      - { to: judge, when: "phase.success", priority: 1 }
  judge:
    type: evaluate
    prompt_file: prompts/judge.md
    transitions:
      - { to: done, when: "status.approved == true" }
      - { to: write, auto: true, priority: 9 }
  done: { type: terminal }
`;

function script(command: string, transitions = '[]'): string {
  const work = JSON.stringify(command);
  return `
workflow: { name: script, start: work }
phases: { work: { type: script, command: ${work}, transitions: ${transitions} } }
`;
}

/** Answers each prompt with what is planned for it, in order. */
function planned(answers: Readonly<Record<string, readonly string[]>>): { provider: AgentProvider; prompts: string[] } {
  const prompts: string[] = [];
  const provider: AgentProvider = {
    name: 'planned',
    async *run(prompt) {
      const said = answers[prompt.trim()]?.[prompts.filter((earlier) => earlier === prompt).length];
      prompts.push(prompt);
      if (said === 'fail') throw new Error('no model');
      yield { type: 'result', content: said ?? 'done', timestamp: '2026-01-01T00:00:00.000Z' };
    },
  };
  return { provider, prompts };
}

async function run(
  text: string,
  provider: AgentProvider,
  more: Readonly<Record<string, string>> = {},
  flags: Partial<WorkflowRunOptions> = {},
): Promise<WorkflowOutcome> {
  return await runWorkflow({
    runId: 'id',
    workflow: parseWorkflow(text),
    file: join(path, 'flow.yaml'),
    provider: 'fake',
    loadProvider: () => Promise.resolve(provider),
    cwd: path,
    directory: join(path, `flow-${randomBytes(4).toString('hex')}`),
    config: readRunnerConfig(env(more), path),
    maxPhases: 8,
    ...flags,
  });
}

describe('a workflow', () => {
  file('prompts/judge.md', 'judge\n');

  verifies('runner.workflow', 'runs its phases until it comes to an end', async () => {
    const { provider, prompts } = planned({});
    const { status, run: recorded, directory } = await run(TRIVIAL, provider);
    expect(status).toBe('succeeded');
    expect(prompts).toEqual(['Say hello.']);
    expect(recorded.phases).toEqual([
      { phase: 'hello', directory: 'phases/001-hello', status: 'succeeded', next: 'complete' },
    ]);
    expect(readJson(join(directory, 'run.json'))).toEqual(JSON.parse(JSON.stringify(recorded)));
    expect(readJson(join(directory, 'phases/001-hello/sdk-output.json'))).toMatchObject({ success: true });
  });

  verifies('runner.workflow', 'follows its guards, by priority, on what agents claim and commands say', async () => {
    const { provider } = planned({ write: ['first', 'second\n{"round": 2}'], judge: ['Fine.\n{"approved": true}'] });
    const { status, run: recorded } = await run(REVIEW, provider);
    expect(status).toBe('succeeded');
    expect(recorded.phases?.map(({ phase }) => phase)).toEqual(['write', 'check', 'judge']);
    const red = await run(REVIEW, planned({ write: ['first', '{"round": 2}'] }).provider, { RED: '1' });
    expect(red.run.phases?.map(({ phase, status: ended }) => `${phase} ${ended}`)).toEqual([
      'write succeeded',
      'check failed',
      'write succeeded',
      'check failed',
    ]);
    expect(red.status).toBe('failed');
  });

  test('that goes round in circles fails', async () => {
    const { status, run: recorded } = await run(REVIEW, planned({}).provider);
    expect(status).toBe('failed');
    expect(recorded.error).toContain('8 phases');
  });

  test('whose agent fails with nothing to follow has failed', async () => {
    const { status, run: recorded } = await run(REVIEW, planned({ write: ['fail'] }).provider);
    expect(status).toBe('failed');
    expect(recorded).toMatchObject({ error: 'no model', error_type: 'Error' });
  });

  test('keeps what a command wrote, and its exit code when it was the last', async () => {
    const text = script('echo out; echo err >&2; exit 3');
    const { run: recorded, directory } = await run(text, planned({}).provider);
    expect(recorded.error).toContain('exit code 3');
    expect(readFileSync(join(directory, 'phases/001-work/output.log'), 'utf8')).toBe('out\nerr\n');
  });

  test.each([
    ['timed_out', () => ({ timeoutMs: 2000 })],
    ['cancelled', () => ({ abort: AbortSignal.timeout(2000) })],
  ])('that is %s ends its command with all that the command started', async (status, flags) => {
    const seconds = `600.${randomBytes(4).readUInt32BE()}`;
    const text = script(`sleep ${seconds} & echo started; sleep ${seconds}`);
    const { status: ended, directory } = await run(text, planned({}).provider, {}, flags());
    expect(ended).toBe(status);
    expect(readFileSync(join(directory, 'phases/001-work/output.log'), 'utf8')).toBe('started\n');
    await expect.poll(() => commandsWith(seconds), { timeout: 5000 }).toEqual([]);
  });

  test('shares its time among its phases', async () => {
    const text = script('sleep 0.4', '[{ to: work, auto: true }]');
    const { status, run: recorded } = await run(text, planned({}).provider, {}, { timeoutMs: 1500 });
    expect(status).toBe('timed_out');
    expect(recorded.phases?.length).toBeLessThan(6);
  });

  test('takes provider and model from its caller, unless a phase names its own', async () => {
    const asked: string[] = [];
    const { provider } = planned({});
    const loadProvider = (name: string): Promise<AgentProvider> => {
      asked.push(name);
      return Promise.resolve(provider);
    };
    const text = TRIVIAL.replace('start: hello', 'start: hello, default_provider: claude, default_model: big');
    const given = { loadProvider, provider: 'codex', model: 'small' };
    const { run: recorded, outcomes } = await run(text, provider, {}, given);
    expect(recorded).toMatchObject({ provider: 'codex', model: 'small' });
    expect(outcomes[0]?.run.model).toBe('small');
    await run(text.replace('prompt: Say', 'provider: fake\n    prompt: Say'), provider, {}, given);
    expect(asked).toEqual(['codex', 'fake']);
  });

  test.each([
    ['a missing start', TRIVIAL.replace('start: hello', 'start: nowhere'), '"workflow.start": there is no phase named'],
    [
      'a missing target',
      TRIVIAL.replace('to: complete', 'to: nowhere'),
      'hello: "to": there is no phase named "nowhere"',
    ],
    ['an unknown provider', TRIVIAL.replace('prompt:', 'provider: bard\n    prompt:'), 'hello.provider is none of'],
    [
      'an unknown default provider',
      TRIVIAL.replace('start: hello', 'start: hello, default_provider: bard'),
      '"workflow.default_provider" is none of claude, codex, fake',
    ],
    ['a misspelt field', TRIVIAL.replace('transitions', 'transition'), 'hello has unknown fields: transition'],
    ['a misspelt transition', TRIVIAL.replace('auto:', 'autom:'), 'has unknown fields: autom'],
    ['no prompt', TRIVIAL.replace('prompt: Say hello.', 'model: x'), 'either "prompt" or "prompt_file"'],
    ['an unknown type', TRIVIAL.replace('type: terminal', 'type: final'), 'its type is none of'],
    ['a script without a command', TRIVIAL.replace('type: terminal', 'type: script'), 'it needs "command"'],
    ['a name with a path', TRIVIAL.replace('name: trivial', 'name: ../x'), 'no plain name'],
    ['a guard that is none', TRIVIAL.replace('auto: true', 'when: "a b"'), 'is no name'],
    ['a transition that never fires', TRIVIAL.replace('auto: true', 'priority: 1'), '"when" or "auto: true"'],
    ['no YAML', 'workflow: [', 'not YAML'],
    ['a list', '- a', 'not a mapping'],
  ])('with %s is refused before anything runs', (_, text, problem) => {
    expect(() => parseWorkflow(text)).toThrow(problem);
  });

  test('reads no prompt from outside its directory, and finds that out before it starts', async () => {
    symlinkSync('/etc/hostname', join(path, 'link.md'));
    for (const prompt of ['../secret.md', '/etc/hostname', 'link.md']) {
      const text = REVIEW.replace('prompts/judge.md', prompt);
      const { provider, prompts } = planned({});
      await expect(run(text, provider)).rejects.toMatchObject({ code: 'invalid_workflow' });
      expect(prompts).toEqual([]);
    }
  });
});

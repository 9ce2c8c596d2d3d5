import { randomBytes } from 'node:crypto';
import type { ProviderEvent } from '@jeeves/protocol';
import { describe, expect, test } from 'vitest';
import { verifies } from '../../../../../test/e2e/verifies.ts';
import type { ProviderRunOptions } from '../../../src/provider.ts';
import { createFakeProvider } from '../../../src/providers/fake/fake.ts';
import { parseScript } from '../../../src/providers/fake/script.ts';
import { loadProvider } from '../../../src/providers/load.ts';
import { commandsWith, world } from '../../world.ts';

const { path, file, env } = world();
file('a.txt', 'alpha\nbeta\n');

async function play(script: string, more: Partial<ProviderRunOptions> = {}): Promise<ProviderEvent[]> {
  const provider = createFakeProvider({ script: parseScript(script) });
  const never = new AbortController().signal;
  const options = { cwd: path, env: env(), abort: never, withdraw: never, onServer: () => undefined, ...more };
  const events: ProviderEvent[] = [];
  for await (const event of provider.run('x'.repeat(3000), options)) events.push(event);
  return events;
}

describe('the fake agent', () => {
  verifies('runner.fake', 'greets, says that it is done, and counts its tokens', async () => {
    const events = await play('{}');
    expect(events.map(({ type }) => type)).toEqual(['system', 'user', 'assistant', 'result', 'usage']);
    expect(events[0]).toMatchObject({ subtype: 'init', sessionId: 'fake-session' });
    expect(events[1]).toMatchObject({ content: 'x'.repeat(2000) });
    expect(events[3]).toMatchObject({ content: '<promise>COMPLETE</promise>' });
    expect(events[4]).toMatchObject({ num_turns: 1, cache_creation_input_tokens: Math.round(3000 / 3.6) });
  });

  test.each([
    ['read', '{ file_path: a.txt }', 'alpha\nbeta\n', false],
    ['read', '{ file_path: missing }', 'ENOENT', true],
    ['bash', '{ command: "echo out; echo err >&2; exit 3" }', 'out\n\nerr\n\n[exit code 3]', true],
    ['grep', '{ pattern: "^b", path: a.txt }', '2:beta\n', false],
    ['grep', '{ pattern: nothing, path: a.txt }', '', false],
    ['dance', '{}', 'there is no tool named dance', true],
  ])('uses a tool of its own: %s %s', async (tool, args, text, isError) => {
    const events = await play(`steps: [{ call: ${tool}, with: ${args} }]`);
    const result = events.find((event) => event.type === 'tool_result');
    expect(result?.content).toContain(text);
    expect(result?.isError).toBe(isError);
  });

  test('that is stopped leaves nothing behind of a command of its own', async () => {
    const seconds = `600.${randomBytes(4).readUInt32BE()}`;
    const abort = new AbortController();
    const played = play(`steps: [{ call: bash, with: { command: "sleep ${seconds} & sleep ${seconds}" } }]`, {
      abort: abort.signal,
    });
    void expect
      .poll(() => commandsWith(seconds).length, { timeout: 10_000 })
      .toBeGreaterThan(1)
      .finally(() => abort.abort());
    await expect(played).rejects.toThrow();
    await expect.poll(() => commandsWith(seconds), { timeout: 5000 }).toEqual([]);
  });

  test('fails when it is stopped after so many turns, as the real ones do', async () => {
    const script = 'steps: [{ say: a }, { say: b }, { say: c }]';
    await expect(play(script, { maxTurns: 2 })).rejects.toThrow('stopped after 2 turns');
    expect((await play(script, { maxTurns: 3 })).filter(({ type }) => type === 'assistant')).toHaveLength(3);
  });

  test('counts every request with all that came before it', async () => {
    const usage = (await play('steps: [{ say: "aaaaaaaaaaaaaaaaaa" }, { say: b }]')).at(-1);
    // Prompt 833, then 5 tokens of the first answer: read again by requests two and three.
    expect(usage).toMatchObject({ num_turns: 3, cache_read_input_tokens: 833 + 838, cache_creation_input_tokens: 838 });
  });

  test.each([
    ['steps: 3', '"steps" is not a list'],
    ['steps: [{ say: 3 }]', 'expected a text'],
    ['steps: [{ wait: soon }]', 'expected a whole number'],
    ['step: []', 'unknown: step'],
    ['[]', 'not a mapping'],
    ['a: [', 'not YAML'],
  ])('refuses the script %s', (script, problem) => {
    expect(() => parseScript(script)).toThrow(problem);
  });

  test('is one of the providers, all of which are found by name', async () => {
    expect((await loadProvider('fake')).name).toBe('fake');
    expect((await loadProvider('claude')).name).toBe('claude-agent-sdk');
    expect((await loadProvider('codex')).name).toBe('codex');
    await expect(loadProvider('nobody')).rejects.toMatchObject({ code: 'unknown_provider' });
  });
});

import type { LedgerLimit, RunFile } from '@jeeves/protocol';
import { afterEach, describe, expect } from 'vitest';
import { type Output, ownToolsOf } from '../../packages/runner/src/ledger/own/own.ts';
import { verifies } from '../e2e/verifies.ts';
import { CLAUDE, type Client, CODEX } from './client.ts';
import type { Step } from './model/script.ts';
import { startWorld, type World } from './world.ts';

/** Lines of 40 characters each. */
function lines(characters: number): string {
  const all = Array.from({ length: Math.ceil(characters / 40) }, (_, at) => `line ${String(at).padStart(6, '0')} of`);
  return all
    .map((line) => `${line.padEnd(39, '.')}\n`)
    .join('')
    .slice(0, characters);
}

/** A call of the client's own tools, and what came of it before anybody shortened it. */
interface Case {
  readonly step: (project: string) => Step;
  readonly output: Output;
}

function command(client: Client, characters: number, failed = false): Case {
  const step = client.shell(`head -c ${characters} big.txt${failed ? '; exit 1' : ''}`);
  return { step: () => step, output: { kind: 'command', raw: lines(characters), partial: false, failed } };
}

function claudeRead(file: string, raw: string): Case {
  const step = (project: string): Step => ({ call: 'Read', input: { file_path: `${project}/${file}` } });
  return { step, output: { kind: 'file', raw, partial: false, failed: false } };
}

function claudeGrep(file: string, raw: string): Case {
  const step = (project: string): Step => {
    return { call: 'Grep', input: { pattern: 'line', path: `${project}/${file}`, output_mode: 'content' } };
  };
  const numbered = raw
    .trimEnd()
    .split('\n')
    .map((line, at) => `${at + 1}:${line}`);
  return { step, output: { kind: 'search', raw: numbered.join('\n'), partial: false, failed: false } };
}

const FILES = {
  'big.txt': lines(400_000),
  'some.txt': lines(4000),
  'few.txt': lines(9000),
  'many.txt': 'line\n'.repeat(400),
  'wide.txt': `line ${'y'.repeat(200)}\n`.repeat(200),
};
/** Claude adds these to any result, ours among them. */
const REMINDER = /<system-reminder>[\s\S]*?<\/system-reminder>/g;
/** Headings and paths of either side; line numbers come on top. */
const SLACK = 250;

let world: World;
afterEach(() => world.remove());

async function expectShown(client: Client, provider: string, cases: readonly Case[]): Promise<void> {
  const own = ownToolsOf(provider, client.model);
  world = await startWorld({
    client,
    files: FILES,
    script: (project) => [...cases.map(({ step }) => step(project)), { say: 'done' }],
    args: ['--no-prune'],
  });
  await world.ended;
  const results = world.model.seen.at(-1)?.results ?? [];
  expect(results).toHaveLength(cases.length);
  for (const [at, { output }] of cases.entries()) {
    const { text } = own.show(output, (counted) => ({ tokens: Math.ceil(counted.length / 4), method: 'estimate' }));
    const real = (results[at] ?? '').replaceAll(REMINDER, '');
    const numbers = output.kind === 'file' ? 7 * text.split('\n').length : 0;
    const about = `call ${at + 1}: ${real.length} characters, expected about ${text.length}`;
    expect(Math.abs(real.length - text.length), about).toBeLessThan(SLACK + numbers);
  }
}

describe('what the ledger takes for a client’s own output is what the client shows', () => {
  verifies('runner.ledger.baseline', 'of Claude', async () => {
    await expectShown(CLAUDE, 'claude-agent-sdk', [
      command(CLAUDE, 29_900),
      command(CLAUDE, 30_500),
      command(CLAUDE, 300_000),
      command(CLAUDE, 9000, true),
      command(CLAUDE, 25_000, true),
      command(CLAUDE, 300_000, true),
      claudeRead('some.txt', FILES['some.txt']),
      claudeRead('big.txt', FILES['big.txt']),
      claudeGrep('few.txt', FILES['few.txt']),
      claudeGrep('many.txt', FILES['many.txt']),
      claudeGrep('wide.txt', FILES['wide.txt']),
    ]);
  });

  verifies('runner.ledger.baseline', 'of Codex', async () => {
    const sizes = [9900, 10_500, 60_000, 300_000];
    await expectShown(CODEX, 'codex', [...sizes.map((size) => command(CODEX, size)), command(CODEX, 60_000, true)]);
  });

  verifies('runner.ledger.baseline', 'of Codex with a model of its catalogue', async () => {
    const sizes = [9900, 39_900, 42_000, 300_000];
    const client = { ...CODEX, model: 'gpt-5.5' };
    await expectShown(
      client,
      'codex',
      sizes.map((size) => command(client, size)),
    );
  });
});

describe('a run with the pruner', () => {
  const CLIENTS: readonly (readonly [Client, LedgerLimit])[] = [
    [CLAUDE, 'claude_bash_persisted'],
    [CODEX, 'codex_output'],
  ];
  for (const [client, limit] of CLIENTS) {
    verifies('runner.ledger.baseline', `books each call beside ${client.provider}’s own`, async () => {
      const input = { command: 'cat big.txt', context_focus_question: 'Which line is number 4711?' };
      const script: Step[] = [{ call: 'pruner/bash', input }, { say: 'done' }];
      world = await startWorld({ client, files: FILES, script });
      await world.ended;
      const { ledger } = world.record().run as unknown as RunFile;
      expect(ledger?.reader).toBe(client.provider);
      expect(ledger?.per_call).toMatchObject([{ tool: 'mcp:pruner/bash', limit }]);
      const [call] = ledger?.per_call ?? [];
      expect(call?.saved_tokens).toBe((call?.own_tokens ?? 0) - (call?.shown_tokens ?? 0));
      expect(ledger?.gross.tokens).toBeLessThan(12_000);
    });
  }
});

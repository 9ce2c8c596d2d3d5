import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JeevesEvent } from '@jeeves/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifies } from '../../../../test/e2e/verifies.ts';
import { openRoot } from '../../src/exec/root.ts';
import type { Tool, ToolCall, ToolOutcome } from '../../src/host/tool.ts';
import type { Pruner, ToolOutput } from '../../src/pruner.ts';
import { createBash } from '../../src/tools/bash.ts';
import { createGrep } from '../../src/tools/grep.ts';
import { createRead } from '../../src/tools/read.ts';

const NONE = Number.POSITIVE_INFINITY;
const RECEIVED_AT = 1_000_000;
const directory = mkdtempSync(join(tmpdir(), 'jeeves-tools-'));
const asked: ToolOutput[] = [];
/** Takes note of what it is asked and prunes nothing. */
const pruner: Pruner = {
  enabled: true,
  pruneOutput: (output) => {
    asked.push(output);
    const text = output.raw.toString();
    const pruning = { attempted: false, applied: false, fallback: false, raw_bytes: Buffer.byteLength(text) };
    return Promise.resolve({ text, structuredText: text, truncated: false, pruning });
  },
};
let tools: Readonly<Record<string, Tool>>;

beforeAll(async () => {
  writeFileSync(join(directory, 'words.ts'), 'alpha\nbravo\n');
  const root = await openRoot(directory);
  const environment = { PATH: process.env['PATH'] };
  tools = {
    read: createRead({ root, pruner, now: Date.now }),
    bash: createBash({ root, pruner, environment, environmentPass: [], shellLogin: false }),
    grep: createGrep({ root, pruner, environment }),
  };
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

async function run(name: string, args: object, parts: Partial<ToolCall<object>> = {}): Promise<ToolOutcome> {
  const tool = tools[name] as Tool;
  asked.length = 0;
  return await tool.run({
    args: tool.definition.input.parse(args),
    requestId: 'req_1',
    client: { name: 'test', version: '1' },
    signal: new AbortController().signal,
    receivedAt: RECEIVED_AT,
    emit: () => undefined,
    progress: () => undefined,
    ...parts,
  });
}

describe('a call hands its output to the pruner', () => {
  const goal = { context_focus_question: ' Where is bravo? ' };

  verifies('pruning.deadline', 'with the tool’s time and 25 seconds after its arrival as the end', async () => {
    await run('read', { file_path: 'words.ts', ...goal });
    expect(asked).toMatchObject([
      { tool: 'read', deadline: RECEIVED_AT + 55_000, goal: 'Where is bravo?', source: 'code' },
    ]);
    await run('bash', { command: 'cat words.ts', timeout_ms: 2000, ...goal });
    expect(asked[0]).toMatchObject({ tool: 'bash', deadline: RECEIVED_AT + 27_000, source: 'auto' });
    await run('grep', { pattern: 'a', timeout_ms: 2000, ...goal });
    expect(asked).toMatchObject([{ tool: 'grep', deadline: RECEIVED_AT + 27_000, onlySentLines: true }]);
  });

  test('numbered as in the file', async () => {
    await run('read', { file_path: 'words.ts', start_line: 2, ...goal });
    expect(asked).toMatchObject([{ firstLine: 2 }]);
    expect(asked[0]?.raw.toString()).toBe('bravo\n');
  });

  test('as a log when a command failed', async () => {
    await run('bash', { command: 'cat words.ts; exit 1', ...goal });
    expect(asked[0]).toMatchObject({ source: 'logs' });
    expect(asked[0]?.raw.toString()).toBe('alpha\nbravo\n');
  });
});

describe('the budget of a call', () => {
  const budgets: readonly [string, object, string, { maxTokens: number; shownBytes: number }][] = [
    ['its client', {}, 'claude-code', { maxTokens: 4000, shownBytes: 40_000 }],
    ['its client', {}, 'codex-mcp-client', { maxTokens: 2400, shownBytes: 40_000 }],
    ['its client', {}, 'vscode', { maxTokens: 4000, shownBytes: 1_048_576 }],
    ['its max_tokens', { max_tokens: 150 }, 'codex-mcp-client', { maxTokens: 150, shownBytes: 40_000 }],
    ['its max_output_bytes', { max_output_bytes: 5000 }, 'vscode', { maxTokens: 4000, shownBytes: NONE }],
  ];
  for (const [what, args, name, budget] of budgets) {
    verifies('output.budget', `follows ${what}: ${name}`, async () => {
      const client = { client: { name, version: '1' } };
      await run('read', { file_path: 'words.ts', ...args }, client);
      expect(asked[0]?.budget).toMatchObject(budget);
      await run('grep', { pattern: 'a', ...args }, client);
      expect(asked[0]?.budget).toMatchObject(budget);
      await run('bash', { command: 'cat words.ts', context_focus_question: 'What?', ...args }, client);
      expect(asked[0]?.budget.maxTokens).toBe(budget.maxTokens);
    });
  }
});

test('a cancelled call fails with the reason and reports nothing', async () => {
  const controller = new AbortController();
  const events: JeevesEvent[] = [];
  const parts = { signal: controller.signal, emit: (event: JeevesEvent) => events.push(event) };
  const running = run('bash', { command: 'sleep 60' }, parts);
  setTimeout(() => controller.abort(new Error('cancelled')), 100);
  await expect(running).rejects.toThrow('cancelled');
  expect(events).toEqual([]);
});

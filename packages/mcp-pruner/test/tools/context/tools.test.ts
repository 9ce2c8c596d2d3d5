import { randomBytes } from 'node:crypto';
import type { ContextError, JeevesEvent, RetrieveStashedResult, WorkingSetResult } from '@jeeves/protocol';
import { TOOL_SETS } from '@jeeves/protocol';
import { createMemoryStore } from '@jeeves/store';
import { afterAll, describe, expect, test } from 'vitest';
import { outcomeLine } from '../../../src/host/reply.ts';
import type { Tool, ToolCall, ToolOutcome } from '../../../src/host/tool.ts';
import { contextTool } from '../../../src/tools/context/answer.ts';
import { createContextTools } from '../../../src/tools/context/index.ts';

const box = createContextTools({
  storeUrl: 'memory:',
  home: '/nowhere',
  recovery: createMemoryStore(),
  now: Date.now,
  randomBytes,
});
afterAll(() => box.close());

async function run(tool: Tool | undefined, args: object, parts: Partial<ToolCall<object>> = {}): Promise<ToolOutcome> {
  if (tool === undefined) throw new Error('no such tool');
  return await tool.run({
    args: tool.definition.input.parse(args),
    requestId: 'req_1',
    client: { name: 'test', version: '1' },
    signal: new AbortController().signal,
    receivedAt: 0,
    emit: () => undefined,
    progress: () => undefined,
    ...parts,
  });
}

function named(name: string): Tool | undefined {
  return box.tools.find(({ definition }) => definition.name === `context_${name}`);
}

describe('the context tools', () => {
  test('are those of the contract, in its order', () => {
    expect(box.tools.map(({ definition }) => definition)).toEqual(TOOL_SETS.context);
  });

  test('answer with the same object as text and as structure, a next step at its end', async () => {
    for (const tool of box.tools) {
      const examples = (tool.definition.input.meta()?.['examples'] ?? [{}]) as object[];
      for (const example of examples) {
        const { text, structured } = await run(tool, example);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(structured)));
        expect(Object.keys(structured).at(-1)).toBe('next_step');
        expect(structured).toMatchObject({
          next_step: { tool: expect.stringMatching(/^context_/), why: expect.stringMatching(/\.$/) },
        });
      }
    }
  });

  test('give agents no more text than they show, and name the rest', async () => {
    const segments = Array.from({ length: 5 }, (_, at) => ({
      segment_id: `s${at}`,
      text: `${at} ${'word '.repeat(3000)}`,
    }));
    await run(named('stash'), { project_id: 'large', segments });
    const retrieve = async (name: string): Promise<RetrieveStashedResult> => {
      const { structured } = await run(
        named('retrieve_stashed'),
        { project_id: 'large' },
        { client: { name, version: '1' } },
      );
      return structured as RetrieveStashedResult;
    };
    const all = await retrieve('test');
    expect(all.retrieved_segments).toHaveLength(5);
    const some = await retrieve('claude-code');
    expect(some.retrieved_segments).toHaveLength(2);
    expect(some.omitted_segments).toHaveLength(3);
    expect(some.next_step).toMatchObject({
      tool: 'context_retrieve_stashed',
      arguments: { segment_ids: some.omitted_segments },
    });
  });

  test('shorten their lists when a reply would be too large, and say so', async () => {
    const segments = Array.from({ length: 100 }, (_, at) => ({ segment_id: `${at} ${'x'.repeat(16_000)}`, text: 'a' }));
    await run(named('stash'), { project_id: 'names', segments });
    await run(named('retrieve_stashed'), { project_id: 'names', move_to_active: true });
    const outcome = await run(named('get_working_set'), { project_id: 'names' });
    const [line] = outcomeLine(1, outcome, 'structured', 500_000) ?? [];
    const reply = JSON.parse(Buffer.from(line ?? []).toString()) as { result: { structuredContent: WorkingSetResult } };
    const { segments: shown, segment_count, truncated, next_step } = reply.result.structuredContent;
    expect(truncated).toBe(true);
    expect(shown.length).toBeGreaterThan(0);
    expect(shown.length).toBeLessThan(segment_count);
    expect(next_step.tool).toBe('context_gc_analyze');
  });
});

async function refuse(): Promise<never> {
  return await Promise.reject(new TypeError('secret of x is undefined'));
}

describe('a defect', () => {
  test('is a structured error that tells nothing of it, and an event that tells all', async () => {
    const events: JeevesEvent[] = [];
    const definition = TOOL_SETS.context[0] as Tool['definition'];
    const tool = contextTool(definition, { open: refuse, now: Date.now }, () =>
      Promise.reject(new Error('never reached')),
    );
    const { structured, isError } = await run(tool, { project_id: 'p' }, { emit: (event) => events.push(event) });
    expect(isError).toBe(true);
    expect((structured as ContextError).error).toEqual({
      code: 'INTERNAL_ERROR',
      message: 'A defect of the server. Nothing was changed.',
      details: {},
    });
    expect(events.map(({ event }) => event)).toEqual(['tool.internal_error', 'tool.exec_failed']);
    expect(events[0]?.data).toMatchObject({ message: 'secret of x is undefined' });
  });
});

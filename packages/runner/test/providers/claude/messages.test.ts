import { describe, expect, test } from 'vitest';
import { type ClaudeReader, createClaudeReader, toolName } from '../../../src/providers/claude/messages.ts';

const AT = '2026-11-15T11:53:35.729Z';
const NOW = '2026-11-15T12:00:00.000Z';

function reader(durations: Readonly<Record<string, number>> = {}): ClaudeReader {
  return createClaudeReader({ now: () => Date.parse(NOW), durationOf: (id) => durations[id] });
}

function assistant(id: string, content: readonly object[]): Readonly<Record<string, unknown>> {
  const usage = { input_tokens: 100, cache_creation_input_tokens: 3, cache_read_input_tokens: 5, output_tokens: 10 };
  return { type: 'assistant', message: { id, role: 'assistant', content, usage }, timestamp: AT };
}

const USAGE = { input_tokens: 1, output_tokens: 2, cache_read_input_tokens: 3, cache_creation_input_tokens: 4 };

describe('a message becomes events', () => {
  test.each([
    [
      'the start of a session',
      { type: 'system', subtype: 'init', session_id: 's1', claude_code_version: '2.1.325', model: 'claude-x' },
      [{ type: 'system', subtype: 'init', content: 'Claude Code 2.1.325, claude-x', sessionId: 's1', timestamp: NOW }],
    ],
    [
      'what the model says',
      assistant('m', [{ type: 'text', text: 'Looking.' }]),
      [{ type: 'assistant', content: 'Looking.', timestamp: AT }],
    ],
    [
      'a call of Claude’s own tool',
      assistant('m', [{ type: 'tool_use', id: 't1', name: 'Read', input: { file_path: 'a.txt' } }]),
      [{ type: 'tool_use', id: 't1', name: 'Read', input: { file_path: 'a.txt' }, timestamp: AT }],
    ],
    [
      'a call of a server’s tool',
      assistant('m', [{ type: 'tool_use', id: 't1', name: 'mcp__pruner__recover_text', input: {} }]),
      [{ type: 'tool_use', id: 't1', name: 'mcp:pruner/recover_text', input: {}, timestamp: AT }],
    ],
    ['a thought', assistant('m', [{ type: 'thinking', thinking: 'Hm.' }]), []],
    [
      'a compaction',
      { type: 'system', subtype: 'compact_boundary', timestamp: AT },
      [{ type: 'system', subtype: 'compaction', content: 'The conversation is compacted.', timestamp: AT }],
    ],
    [
      'a refusal',
      { type: 'system', subtype: 'permission_denied', tool_name: 'CronCreate', timestamp: AT },
      [{ type: 'system', content: 'Not permitted: CronCreate', timestamp: AT }],
    ],
    ['something unheard of', { type: 'telepathy', content: 'x' }, []],
    ['a message without anything', { type: 'assistant' }, []],
  ])('%s', (_, message, events) => {
    expect(reader().read(message)).toEqual(events);
  });

  test('the result of a call, with what the server said beside the text, and its duration', () => {
    const structured = { tool: 'read', pruning: { applied: true } };
    const message = {
      type: 'user',
      message: { content: [{ type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: 'kept\n' }] }] },
      tool_use_result: { content: [{ type: 'text', text: 'kept\n' }], _meta: { 'jeeves/result': structured } },
      timestamp: AT,
    };
    expect(reader({ t1: 38 }).read(message)).toEqual([
      {
        type: 'tool_result',
        toolUseId: 't1',
        content: 'kept\n',
        isError: false,
        durationMs: 38,
        structured,
        timestamp: AT,
      },
    ]);
  });

  test('results of several calls are told apart, and none gets what belongs to one of them', () => {
    const a = { type: 'tool_result', tool_use_id: 'a', content: 'a' };
    const b = { type: 'tool_result', tool_use_id: 'b', content: 'b', is_error: true };
    const message = {
      type: 'user',
      message: { content: [a, b] },
      tool_use_result: { _meta: { 'jeeves/result': { tool: 'read' } } },
    };
    const events = reader().read(message);
    expect(events).toMatchObject([
      { toolUseId: 'a', content: 'a', isError: false },
      { toolUseId: 'b', content: 'b', isError: true },
    ]);
    for (const event of events) expect(event).not.toHaveProperty('structured');
  });
});

describe('the end', () => {
  test('of a conversation that worked is its result and what it used', () => {
    const end = reader();
    const message = {
      type: 'result',
      subtype: 'success',
      is_error: false,
      result: 'Done.',
      usage: USAGE,
      num_turns: 2,
    };
    expect(end.read({ ...message, total_cost_usd: 0.5 })).toEqual([
      { type: 'result', content: 'Done.', timestamp: NOW },
      { type: 'usage', ...USAGE, total_cost_usd: 0.5, num_turns: 2 },
    ]);
    expect(end.outcome()).toEqual({ failed: false, message: 'Done.' });
  });

  test('counts answers of the model as turns, however many calls each has', () => {
    const end = reader();
    // One answer comes as a message per block.
    for (const id of ['one', 'one', 'two']) end.read(assistant(id, [{ type: 'text', text: 'a' }]));
    const message = { type: 'result', subtype: 'success', result: '', usage: USAGE, num_turns: 3 };
    expect(end.read(message).at(-1)).toMatchObject({ num_turns: 2 });
  });

  test('counts every model that was asked, subagents included', () => {
    const model = { inputTokens: 10, outputTokens: 20, cacheReadInputTokens: 30, cacheCreationInputTokens: 40 };
    const message = {
      type: 'result',
      subtype: 'success',
      result: '',
      usage: USAGE,
      modelUsage: { big: model, small: model },
    };
    expect(reader().read(message).at(-1)).toMatchObject({
      input_tokens: 20,
      output_tokens: 40,
      cache_read_input_tokens: 60,
      cache_creation_input_tokens: 80,
    });
  });

  test.each([
    [{ subtype: 'success', is_error: true, result: 'API Error: 500 boom' }, 'API Error: 500 boom'],
    [{ subtype: 'error_max_turns', is_error: false, errors: ['Reached 3 turns'] }, 'Reached 3 turns'],
    [{ subtype: 'error_during_execution', is_error: true }, 'error_during_execution'],
  ])('is a failure for %j', (message, text) => {
    const end = reader();
    expect(end.read({ type: 'result', ...message })[0]).toMatchObject({
      type: 'system',
      subtype: 'error',
      content: text,
    });
    expect(end.outcome()).toEqual({ failed: true, message: text });
  });

  test('that never comes leaves what the answers cost; an answer in several messages counts once', () => {
    const cut = reader();
    cut.read(assistant('m1', [{ type: 'text', text: 'a' }]));
    cut.read(assistant('m1', [{ type: 'text', text: 'b' }]));
    cut.read(assistant('m2', []));
    expect(cut.outcome()).toBeUndefined();
    expect(cut.usage()).toMatchObject({ input_tokens: 200, output_tokens: 20 });
    expect(reader().usage()).toBeUndefined();
  });
});

test.each([
  ['mcp__pruner__read', 'mcp:pruner/read'],
  ['mcp__a__b__c', 'mcp:a/b__c'],
  ['mcp__pruner', 'mcp__pruner'],
  ['Bash', 'Bash'],
])('%s is called %s', (name, shared) => {
  expect(toolName(name)).toBe(shared);
});

import { describe, expect, test } from 'vitest';
import type { CodexServerNews } from '../../../src/providers/codex/calls.ts';
import { type CodexReader, createCodexReader } from '../../../src/providers/codex/events.ts';

const timestamp = '2026-11-15T12:00:00.000Z';

interface Read extends CodexReader {
  readonly news: CodexServerNews[];
  readonly wait: (ms: number) => void;
}

function reader(): Read {
  let time = Date.parse(timestamp);
  const news: CodexServerNews[] = [];
  const made = createCodexReader({ now: () => time, onServer: (item) => news.push(item) });
  return {
    ...made,
    news,
    wait(ms) {
      time += ms;
    },
  };
}

const item = (type: 'started' | 'completed', fields: object): string =>
  JSON.stringify({ type: `item.${type}`, item: { id: 'item_1', ...fields } });

const READ = { type: 'mcp_tool_call', server: 'pruner', tool: 'read', arguments: { file_path: 'a.txt' } };
const CLOSED = 'tool call error: tool call failed for `pruner/read`\n\nCaused by:\n    Transport closed';

describe('a line becomes events', () => {
  test.each([
    [
      'the start of a thread',
      JSON.stringify({ type: 'thread.started', thread_id: 'th' }),
      [{ type: 'system', subtype: 'init', content: 'Codex', sessionId: 'th', timestamp }],
    ],
    [
      'what the model says',
      item('completed', { type: 'agent_message', text: 'Done.' }),
      [{ type: 'assistant', content: 'Done.', timestamp }],
    ],
    [
      'a command',
      item('completed', {
        type: 'command_execution',
        command: 'ls',
        aggregated_output: 'a\nb',
        exit_code: 2,
        status: 'failed',
      }),
      [
        { type: 'tool_use', name: 'command_execution', input: { command: 'ls' }, id: 'item_1', timestamp },
        {
          type: 'tool_result',
          toolUseId: 'item_1',
          content: 'a\nb\n[exit_code] 2',
          isError: true,
          durationMs: 0,
          timestamp,
        },
      ],
    ],
    [
      'a change of files',
      item('completed', { type: 'file_change', changes: [{ path: 'a.ts', kind: 'update' }], status: 'completed' }),
      [
        {
          type: 'tool_use',
          name: 'file_change',
          input: { changes: [{ path: 'a.ts', kind: 'update' }] },
          id: 'item_1',
          timestamp,
        },
        { type: 'tool_result', toolUseId: 'item_1', content: 'update a.ts', isError: false, durationMs: 0, timestamp },
      ],
    ],
    [
      'a thought',
      item('completed', { type: 'reasoning', text: 'x'.repeat(3000) }),
      [{ type: 'system', content: 'x'.repeat(2000), timestamp }],
    ],
    [
      'a plan',
      item('completed', { type: 'todo_list', items: [{ text: 'a', completed: false }] }),
      [{ type: 'system', content: '[{"text":"a","completed":false}]', timestamp }],
    ],
    [
      'a note on the model',
      item('completed', { type: 'error', message: 'Model metadata not found' }),
      [{ type: 'system', content: 'Model metadata not found', timestamp }],
    ],
    ['the start of a turn', JSON.stringify({ type: 'turn.started' }), []],
    ['an empty line', '', []],
    ['noise', '{oops', [{ type: 'system', subtype: 'error', content: 'Not an event: {oops', timestamp }]],
    ['JSON that is no event', '[1]', [{ type: 'system', subtype: 'error', content: 'Not an event: [1]', timestamp }]],
  ])('%s', (_, line, events) => {
    expect(reader().read(line)).toEqual(events);
  });

  test('a call of a server’s tool, once when it starts and once when it ends', () => {
    const codex = reader();
    const structured = { tool: 'read', pruning: { applied: true } };
    const result = {
      content: [{ type: 'text', text: 'kept\n' }],
      _meta: { 'jeeves/result': structured },
      structured_content: null,
    };
    expect(codex.read(item('started', { ...READ, result: null, error: null, status: 'in_progress' }))).toEqual([
      { type: 'tool_use', name: 'mcp:pruner/read', input: { file_path: 'a.txt' }, id: 'item_1', timestamp },
    ]);
    codex.wait(40);
    expect(codex.read(item('completed', { ...READ, result, error: null, status: 'completed' }))).toEqual([
      {
        type: 'tool_result',
        toolUseId: 'item_1',
        content: 'kept\n',
        isError: false,
        durationMs: 40,
        structured,
        timestamp: '2026-11-15T12:00:00.040Z',
      },
    ]);
    expect(codex.news).toEqual([{ server: 'pruner' }]);
    expect(codex.calls()).toBe(1);
  });
});

describe('a call that fails', () => {
  test('for the tool’s own reasons says nothing against the server', () => {
    const codex = reader();
    const result = { content: [{ type: 'text', text: 'not_found: no such file' }] };
    const events = codex.read(item('completed', { ...READ, result, error: null, status: 'failed' }));
    expect(events.at(-1)).toMatchObject({ content: 'not_found: no such file', isError: true });
    expect(codex.news).toEqual([{ server: 'pruner' }]);
  });

  test('because the server is gone says so', () => {
    const codex = reader();
    const events = codex.read(
      item('completed', { ...READ, result: null, error: { message: CLOSED }, status: 'failed' }),
    );
    expect(events.at(-1)).toMatchObject({ content: CLOSED, isError: true });
    expect(codex.news).toEqual([{ server: 'pruner', error: CLOSED }]);
  });
});

describe('turns', () => {
  const usage = { input_tokens: 100, cached_input_tokens: 30, cache_write_input_tokens: 10, output_tokens: 5 };

  test('end with the last thing said, and add up what they used; cached input is counted apart', () => {
    const codex = reader();
    codex.read(item('completed', { type: 'agent_message', text: 'Done.' }));
    const done = JSON.stringify({ type: 'turn.completed', usage });
    expect(codex.read(done)).toEqual([{ type: 'result', content: 'Done.', timestamp }]);
    codex.read(done);
    expect(codex.usage()).toEqual({
      type: 'usage',
      input_tokens: 120,
      output_tokens: 10,
      cache_read_input_tokens: 60,
      cache_creation_input_tokens: 20,
      total_cost_usd: null,
    });
  });

  test('that fail say why', () => {
    const codex = reader();
    codex.read(JSON.stringify({ type: 'error', message: 'Reconnecting' }));
    codex.read(JSON.stringify({ type: 'turn.failed', error: { message: 'stream error' } }));
    expect(codex.failure()).toBe('stream error');
    expect(codex.usage()).toBeUndefined();
  });

  test('that succeed after an error have not failed', () => {
    const codex = reader();
    codex.read(JSON.stringify({ type: 'error', message: 'Reconnecting' }));
    codex.read(JSON.stringify({ type: 'turn.completed', usage }));
    expect(codex.failure()).toBeUndefined();
  });
});

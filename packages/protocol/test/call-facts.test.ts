import { describe, expect, test } from 'vitest';
import { callFacts, exitData, recoverArguments, resultFacts, sdkOutputSchema, withGoal } from '../src/index.ts';

describe('what a call is about', () => {
  test.each([
    [
      'mcp:pruner/read',
      { file_path: 'a.ts', context_focus_question: 'why' },
      { kind: 'file', pruner: true, target: 'a.ts', goal: 'why' },
    ],
    [
      'mcp:pruner/read',
      { file_path: 'a.ts', start_line: 3 },
      { kind: 'file', pruner: true, target: 'a.ts', partial: true },
    ],
    ['Read', { file_path: '/w/a.ts' }, { kind: 'file', pruner: false, target: '/w/a.ts' }],
    ['mcp:pruner/bash', { command: 'ls' }, { kind: 'command', pruner: true, target: 'ls' }],
    ['command_execution', { command: 'ls' }, { kind: 'command', pruner: false, target: 'ls' }],
    ['mcp:pruner/grep', { pattern: 'x' }, { kind: 'search', pruner: true, target: '["x","."]' }],
    ['Grep', { pattern: 'x', path: 'src' }, { kind: 'search', pruner: false, target: '["x","src"]' }],
    ['mcp:pruner/recover_text', { prune_id: 'prn_1' }, { kind: 'recover', pruner: true, target: 'prn_1' }],
    ['mcp:other/read', { file_path: 'a.ts' }, { kind: 'other', pruner: false }],
    ['WebSearch', { query: 'x' }, { kind: 'other', pruner: false }],
    ['Read', { file_path: 3 }, { kind: 'file', pruner: false }],
    ['constructor', {}, { kind: 'other', pruner: false }],
  ])('%s %j', (name, input, facts) => {
    expect(JSON.parse(JSON.stringify(callFacts(name, input)))).toEqual(facts);
  });
});

describe('what became of an output', () => {
  const PRUNING = {
    attempted: true,
    applied: true,
    fallback: false,
    raw_bytes: 100,
    pruned_bytes: 10,
    prune_id: 'prn_1',
  };

  test('is read from what accompanies it', () => {
    expect(resultFacts({ tool: 'read', pruning: PRUNING })).toEqual({
      applied: true,
      rawBytes: 100,
      prunedBytes: 10,
      pruneId: 'prn_1',
      pruneIds: ['prn_1'],
    });
  });

  const GAP = '⟦pruned 1-2 (2 lines)⟧\n';
  test.each([
    ['the other stream', { stdout: GAP, stderr: 'e' }, { pruneIds: ['prn_1'], beside: 'e' }],
    ['stdout, when stderr was pruned', { stdout: 'o', stderr: GAP }, { pruneIds: ['prn_1'], beside: 'o' }],
    [
      'nothing, when both were pruned',
      { stdout: 'o', stderr: 'e', pruning: { ...PRUNING, stderr_prune_id: 'prn_2' } },
      { pruneIds: ['prn_1', 'prn_2'] },
    ],
  ])('of a command leaves %s beside it', (_, structured, expected) => {
    const { pruneIds, beside } = resultFacts({ pruning: PRUNING, ...structured }) ?? {};
    expect({ pruneIds, beside }).toEqual(expected);
  });

  test.each([undefined, null, 'text', [], {}, { pruning: null }, { pruning: { applied: 'yes' } }])(
    '%j says nothing',
    (value) => {
      expect(resultFacts(value)).toBeUndefined();
    },
  );
});

test('arguments of calls are spelled as the tools want them', () => {
  expect(withGoal({ file_path: 'a' }, 'why')).toEqual({ file_path: 'a', context_focus_question: 'why' });
  expect(withGoal({ file_path: 'a' }, undefined)).toEqual({ file_path: 'a' });
  expect(recoverArguments('prn_1', { startLine: 2, endLine: 5 })).toEqual({
    prune_id: 'prn_1',
    ranges: [{ start_line: 2, end_line: 5 }],
  });
});

test('the end of a process is told by code or signal', () => {
  expect(exitData({ exitCode: 0 })).toEqual({ exit_code: 0 });
  expect(exitData({ signal: 'SIGKILL', exitCode: undefined })).toEqual({ signal: 'SIGKILL' });
});

test('the JSON Schema of sdk-output.json asks for every part', () => {
  expect(sdkOutputSchema()).toMatchObject({
    properties: { schema: { const: 'jeeves.sdk.v1' } },
    required: expect.arrayContaining(['session_id', 'messages', 'tool_calls', 'stats']) as unknown,
  });
});

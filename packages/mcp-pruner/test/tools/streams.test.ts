import { describe, expect, test } from 'vitest';
import { shareCap } from '../../src/exec/capture.ts';
import type { ToolCall } from '../../src/host/tool.ts';
import type { PrunedOutput, Pruner } from '../../src/pruner.ts';
import type { PrunableArgs } from '../../src/tools/call.ts';
import { type OutputLimits, outputLimits } from '../../src/tools/limits.ts';
import { sourceOfCommand, sourceOfFile } from '../../src/tools/source.ts';
import { showStreams, streamsText } from '../../src/tools/streams.ts';

function raw(text: string): PrunedOutput {
  const pruning = { attempted: false, applied: false, fallback: false, raw_bytes: Buffer.byteLength(text) } as const;
  return { text, structuredText: text, pruning };
}

describe('two streams', () => {
  const SIZES = [
    [10, 10],
    [100, 10],
    [10, 100],
    [100, 100],
    [0, 100],
    [100, 0],
  ] as const;
  test.each(SIZES)('of %d and %d bytes share a limit as the capture shares it', (out, err) => {
    const [stdout, stderr] = ['o'.repeat(out), 'e'.repeat(err)];
    for (const bytes of [0, 1, 29, 30, 31, 90, 110, 200]) {
      const written =
        stdout === ''
          ? ({ chosen: 'stderr', output: raw(stderr), other: stdout } as const)
          : ({ chosen: 'stdout', output: raw(stdout), other: stderr } as const);
      const { structured, rawCut } = showStreams(written, bytes);
      const expected = shareCap(stdout, stderr, bytes);
      expect({ ...structured, truncated: rawCut }).toEqual(expected);
    }
  });

  test('stand under each other, stderr under its heading, notices last', () => {
    const shown = { ...showStreams({ chosen: 'stdout', output: raw('out'), other: 'err' }, 100), closing: '⟦closing⟧' };
    expect(streamsText(shown, { ended: undefined, cutAt: undefined })).toBe('out\n[stderr]\nerr\n⟦closing⟧');
    const ended = { code: 'nonzero_exit', message: 'it failed', exit_code: 4 } as const;
    expect(streamsText(shown, { ended, cutAt: 9 })).toBe(
      'nonzero_exit: it failed\nout\n[stderr]\nerr\n[exit code 4]\n' +
        '[output cut at 9 bytes; send it to a file and read that with start_line, or narrow the command]\n⟦closing⟧',
    );
  });

  test('without a word are an empty text', () => {
    const shown = showStreams({ chosen: 'stderr', output: raw(''), other: '' }, 100);
    expect(streamsText(shown, { ended: undefined, cutAt: undefined })).toBe('');
  });
});

const NONE = Number.POSITIVE_INFINITY;
test.each<[string, string, object, OutputLimits]>([
  ['nothing', 'vscode', {}, { captured: 1_048_576, shown: NONE }],
  ['nothing', 'claude-code', {}, { captured: 40_000, shown: 40_000 }],
  ['a question', 'vscode', { context_focus_question: 'x' }, { captured: 1_048_576, shown: NONE }],
  ['a question', 'codex-mcp-client', { context_focus_question: 'x' }, { captured: 1_048_576, shown: 40_000 }],
  ['a limit', 'vscode', { max_output_bytes: 5000 }, { captured: 5000, shown: NONE }],
  ['both', 'claude-code', { max_output_bytes: 50_000, context_focus_question: 'x' }, { captured: 50_000, shown: NONE }],
])('%s of %s limits the output', (_, name, args, limits) => {
  const call = { args, client: { name, version: '1' } } as ToolCall<PrunableArgs>;
  expect(outputLimits(call, { enabled: true } as Pruner)).toEqual(limits);
});

test('a question that nobody answers changes no limit', () => {
  const client = { name: 'claude-code', version: '1' };
  const call = { args: { context_focus_question: 'x' }, client } as ToolCall<PrunableArgs>;
  expect(outputLimits(call, { enabled: false } as Pruner)).toEqual({ captured: 40_000, shown: 40_000 });
});

test.each([
  ['src/server.ts', 'code'],
  ['Main.JAVA', 'code'],
  ['docs/README.md', 'docs'],
  ['app.log', 'logs'],
  ['notes.txt', 'auto'],
  ['Makefile', 'auto'],
  ['.bashrc', 'auto'],
])('%s is %s by its name', (path, source) => {
  expect(sourceOfFile(path)).toBe(source);
});

test('what a failing command wrote is a log', () => {
  expect([sourceOfCommand(true), sourceOfCommand(false)]).toEqual(['logs', 'auto']);
});

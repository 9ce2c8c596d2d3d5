import type { PruningMetadata } from '@jeeves/protocol';
import { describe, expect, test } from 'vitest';
import type { ToolCall } from '../../src/host/tool.ts';
import type { PrunedOutput, Pruner, ToolOutput } from '../../src/pruner.ts';
import { block } from '../../src/tools/block.ts';
import { sourceOfCommand, sourceOfFile } from '../../src/tools/source.ts';
import { aroundStreams, fitStreams, showStreams, streamsPruning, streamsText } from '../../src/tools/streams.ts';

const RAW = { attempted: false, applied: false, fallback: false } as const;

function shown(text: string, parts: Partial<PrunedOutput> = {}): PrunedOutput {
  return { text, structuredText: text, truncated: false, pruning: { ...RAW, raw_bytes: text.length }, ...parts };
}

describe('two streams', () => {
  test('stand under each other, stderr under its heading, notices last', () => {
    const streams = { stdout: shown('out', { closing: '⟦closing⟧' }), stderr: shown('err') };
    expect(streamsText(streams, { ended: undefined, cutAt: undefined })).toBe('out\n[stderr]\nerr\n⟦closing⟧');
    const ended = { code: 'nonzero_exit', message: 'it failed', exit_code: 4 } as const;
    expect(streamsText(streams, { ended, cutAt: 9 })).toBe(
      'nonzero_exit: it failed\nout\n[stderr]\nerr\n[exit code 4]\n' +
        '[output cut at 9 bytes; send it to a file and read that with start_line, or narrow the command]\n⟦closing⟧',
    );
    expect(aroundStreams(ended, undefined)).toBe('[stderr]\nnonzero_exit: it failed\n[exit code 4]');
  });

  test('that are both cut have an id each, right under what it gives back', () => {
    const streams = { stdout: shown('out', { closing: '⟦one⟧' }), stderr: shown('err', { closing: '⟦two⟧' }) };
    expect(streamsText(streams, { ended: undefined, cutAt: undefined })).toBe('out\n⟦one⟧\n[stderr]\nerr\n⟦two⟧');
  });

  test('without a word are an empty text', () => {
    const streams = { stdout: shown(''), stderr: shown('') };
    expect(streamsText(streams, { ended: undefined, cutAt: undefined })).toBe('');
  });

  test('share what a transport carries: on contention a third is for stdout', () => {
    const fit = (bytes: number): PrunedOutput => shown('x'.repeat(bytes));
    const streams = { stdout: shown('o'.repeat(100), { fit }), stderr: shown('e'.repeat(100), { fit }) };
    const fitted = fitStreams(streams, 90);
    expect([fitted.stdout.text.length, fitted.stderr.text.length]).toEqual([30, 60]);
  });
});

describe('two streams with a question', () => {
  const asked: ToolOutput[] = [];
  const pruner: Pruner = {
    enabled: true,
    pruneOutput: (output) => {
      asked.push(output);
      return Promise.resolve(shown(output.raw.toString().slice(0, 100)));
    },
  };
  const call = {
    args: { command: 'x', timeout_ms: 1, context_focus_question: 'why?' },
    client: { name: 'x', version: '1' },
    signal: new AbortController().signal,
    emit: () => undefined,
  } as unknown as ToolCall<{ command: string; timeout_ms: number }>;
  const [SHORT, LONG] = ['a short line\n', 'a line of many\n'.repeat(2000)];

  test.each([
    ['a short stderr stays whole', LONG, SHORT, [['stdout', 'why?'], ['stderr', undefined]]],
    ['a short stdout stays whole', SHORT, LONG, [['stderr', 'why?'], ['stdout', undefined]]],
    ['both short ones are asked about as stdout', SHORT, SHORT, [['stdout', 'why?'], ['stderr', undefined]]],
    ['both long ones are pruned', LONG, LONG, [['stderr', 'why?'], ['stdout', 'why?']]],
    ['stderr alone is pruned', '', LONG, [['stderr', 'why?'], ['stdout', undefined]]],
    ['stdout alone is pruned', LONG, '', [['stdout', 'why?'], ['stderr', undefined]]],
  ])('%s', async (_, stdout, stderr, expected) => {
    asked.length = 0;
    const bytes = { stdout: Buffer.from(stdout), stderr: Buffer.from(stderr) };
    const written = { ...bytes, source: 'logs', around: '[stderr]', deadline: 0 } as const;
    await showStreams(call, pruner, written, { cut: undefined, shownBytes: 40_000, maxTokens: 1000 });
    expect(asked.map(({ raw, goal }) => [raw === bytes.stdout ? 'stdout' : 'stderr', goal])).toEqual(expected);
    const [first, second] = asked.filter(({ goal }) => goal !== undefined);
    if (second === undefined) return expect(first?.budget.maxTokens).toBe(1000);
    expect(first?.budget.maxTokens).toBe(500);
    expect(second.budget.maxTokens).toBe(1000);
    expect(second.budget.aroundTokens).toBeGreaterThan(20);
  });
});

describe('the metadata of two streams', () => {
  const applied = (raw_bytes: number, pruned_bytes: number, prune_id: string): PruningMetadata => ({
    attempted: true,
    applied: true,
    fallback: false,
    raw_bytes,
    pruned_bytes,
    prune_id,
  });
  const failed: PruningMetadata = { attempted: true, applied: false, fallback: true, reason: 'pruner_error', raw_bytes: 7 };
  const left = (raw_bytes: number): PruningMetadata => ({ ...RAW, reason: 'no_focus_question', raw_bytes });
  const of = (out: PruningMetadata, err: PruningMetadata): PruningMetadata =>
    streamsPruning({ stdout: shown('', { pruning: out }), stderr: shown('', { pruning: err }) });

  test('are those of the pruned one where the other stayed whole', () => {
    expect(of(applied(9, 5, 'a'), left(3))).toEqual(applied(9, 5, 'a'));
    expect(of(left(3), applied(9, 5, 'b'))).toEqual(applied(9, 5, 'b'));
    expect(of(left(0), left(4))).toEqual(left(4));
  });

  test('add up where both were pruned, and name both ids', () => {
    expect(of(applied(9, 5, 'a'), applied(30, 2, 'b'))).toMatchObject({
      ...applied(39, 7, 'a'),
      stderr_prune_id: 'b',
    });
  });

  test('say of a failure only when nothing was pruned', () => {
    expect(of(failed, applied(9, 5, 'b'))).not.toHaveProperty('reason');
    expect(of(failed, applied(9, 5, 'b'))).toMatchObject({ applied: true, fallback: false, prune_id: 'b' });
    expect(of(failed, left(2))).toEqual(failed);
  });

  test('say that codes of either were left out', () => {
    expect(of(left(4), { ...left(4), stripped: true, prune_id: 'b' })).toMatchObject({ stripped: true, prune_id: 'b' });
  });
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

test.each([
  [['a', 'b'], 'a\nb'],
  [['a\n', 'b'], 'a\nb'],
  [['a\r\n', 'b\n', 'c'], 'a\r\nb\nc'],
  [['', 'a', undefined, 'b'], 'a\nb'],
  [[undefined, ''], ''],
])('parts %j stand under each other', (parts, text) => {
  expect(block(...parts)).toBe(text);
});

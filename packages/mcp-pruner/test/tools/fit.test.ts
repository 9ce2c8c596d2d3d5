import { describe, expect, test } from 'vitest';
import type { PrunedOutput } from '../../src/pruner.ts';
import { block } from '../../src/tools/block.ts';
import { fit, linesCovered } from '../../src/tools/fit.ts';

const RAW: PrunedOutput = {
  text: 'one\ntwo\nthree\n',
  structuredText: 'one\ntwo\nthree\n',
  pruning: { attempted: false, applied: false, fallback: false, reason: 'no_focus_question', raw_bytes: 14 },
};
const PRUNED: PrunedOutput = {
  text: 'one\n⟦pruned 2-9 (8 lines)⟧\nten\neleven\n',
  structuredText: 'one\n⟦pruned 2-9 (8 lines)⟧\nten\neleven\n',
  closing: '⟦prune_id=prn_x · recover_text restores any range⟧',
  kept: Uint8Array.of(1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1),
  pruning: { attempted: true, applied: true, fallback: false, raw_bytes: 200, pruned_bytes: 43, prune_id: 'prn_x' },
};

describe('an output that fits', () => {
  test.each([[RAW], [PRUNED]])('stays as it is', (output) => {
    expect(fit(output, 50)).toEqual({ ...output, rawCut: false });
    expect(fit(output, Number.POSITIVE_INFINITY)).toEqual({ ...output, rawCut: false });
  });
});

describe('a raw output that does not fit', () => {
  test('is cut at the byte, and its metadata count what is left', () => {
    expect(fit(RAW, 6)).toEqual({
      text: 'one\ntw',
      structuredText: 'one\ntw',
      pruning: { ...RAW.pruning, raw_bytes: 6 },
      rawCut: true,
    });
  });

  test('is not cut inside a character', () => {
    expect(fit({ ...RAW, text: 'éé', structuredText: 'éé' }, 3).text).toBe('é');
  });

  test('that a service gave back unchanged counts as both', () => {
    const applied = { attempted: true, applied: true, fallback: false, raw_bytes: 14, pruned_bytes: 14 };
    expect(fit({ ...RAW, pruning: applied }, 4).pruning).toEqual({ ...applied, raw_bytes: 4, pruned_bytes: 4 });
  });
});

describe('a pruned output that does not fit', () => {
  test('is cut between lines and says which lines recovery gives', () => {
    const fitted = fit(PRUNED, 36);
    expect(fitted.text).toBe('one\n⟦pruned 2-9 (8 lines)⟧\nten\n');
    expect(fitted.prunedCut).toBe('[cut at 36 bytes; recover_text gives lines 11-11]');
    expect(fitted).toMatchObject({ closing: PRUNED.closing, rawCut: false });
    expect(fitted.pruning).toMatchObject({ raw_bytes: 200, pruned_bytes: Buffer.byteLength(fitted.text) });
  });

  test('counts from the window’s first line', () => {
    expect(fit(PRUNED, 36, 101).prunedCut).toContain('lines 111-111');
  });

  test('never tears a marker apart', () => {
    expect(fit(PRUNED, 20).text).toBe('one\n');
    expect(fit(PRUNED, 20).prunedCut).toContain('lines 2-11');
  });

  test('gets a closing line when it had none, as now there is something to recover', () => {
    const { closing: _, kept: __, ...whole } = PRUNED;
    expect(fit(whole, 36).closing).toBe(PRUNED.closing);
  });

  test('in a service’s own words is recoverable as the raw output', () => {
    const words = { ...PRUNED, pruning: { ...PRUNED.pruning, aligned: false } };
    expect(fit(words, 20).prunedCut).toBe('[cut at 20 bytes; recover_text gives the raw output]');
  });

  test('cuts the object by the same limit where it differs from the text', () => {
    const fitted = fit({ ...PRUNED, structuredText: '(filtered 9 lines)\nten\neleven\n' }, 25);
    expect(fitted.structuredText).toBe('(filtered 9 lines)\nten\n');
    expect(fitted.pruning.pruned_bytes).toBe(23);
  });
});

test.each([
  ['no lines', Uint8Array.of(1, 1), 0, 0],
  ['kept lines', Uint8Array.of(1, 1, 1), 2, 2],
  ['a gap as one line', Uint8Array.of(0, 0, 0, 1), 1, 3],
  ['lines behind a gap', Uint8Array.of(1, 0, 0, 1, 1), 3, 4],
  ['no more than there are', Uint8Array.of(0, 0), 9, 2],
  ['lines without a gap anywhere', undefined, 7, 7],
])('%s of a pruned text stand for lines of the raw one', (_, kept, rendered, covered) => {
  expect(linesCovered(kept, rendered)).toBe(covered);
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

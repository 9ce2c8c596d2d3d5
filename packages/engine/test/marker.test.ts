import { describe, expect, it } from 'vitest';
import {
  formatCanonical,
  formatClosing,
  formatCompact,
  formatShellClosing,
  looksLikeMarker,
  parseClosing,
  parseMarker,
  REASON_TEXTS,
} from '../src/marker.ts';

describe('marker grammar', () => {
  it('writes the canonical marker byte for byte', () => {
    expect(formatCanonical('prn_x', { startLine: 120, endLine: 154 }, 'off_goal')).toBe(
      '⟦PRUNÉ: prune_id=prn_x lignes 120-154 (35) raison=hors focus⟧',
    );
  });

  it('writes the compact marker and the closing line', () => {
    expect(formatCompact({ startLine: 120, endLine: 154 })).toBe('⟦pruned 120-154 (35 lines)⟧');
    expect(formatCompact({ startLine: 7, endLine: 7 })).toBe('⟦pruned 7-7 (1 line)⟧');
    expect(formatClosing('prn_x')).toBe('⟦prune_id=prn_x · recover_text restores any range⟧');
  });

  it('has a closed vocabulary of reasons, in French', () => {
    expect(REASON_TEXTS).toEqual({ off_goal: 'hors focus', repeated: 'lignes répétées', blank: 'lignes vides' });
  });

  it('reads its own markers back', () => {
    const range = { startLine: 3, endLine: 9 };
    expect(parseMarker(formatCanonical('prn_1', range, 'repeated'))).toEqual({
      style: 'canonical',
      pruneId: 'prn_1',
      ...range,
      lineCount: 7,
      reason: 'lignes répétées',
    });
    expect(parseMarker(formatCompact(range))).toEqual({ style: 'compact', ...range, lineCount: 7 });
    expect(parseClosing(formatClosing('prn_1'))).toBe('prn_1');
    expect(formatShellClosing('prn_1', range)).toBe('⟦jeeves recover prn_1 --lines 3-9⟧');
    expect(parseClosing(formatShellClosing('prn_1', range))).toBe('prn_1');
  });

  it.each([
    '',
    'plain',
    '⟦pruned⟧',
    '⟦PRUNÉ: lignes 1-2⟧',
    '12│ ⟦pruned 1-2 (2 lines)⟧',
    '⟦pruned 1-2 (2 lines)⟧ and more',
  ])('takes %j for no marker', (line) => {
    expect(parseMarker(line)).toBeUndefined();
  });

  it.each(['⟦PRUNÉ: whatever', '  ⟦pruned 1-2 (2 lines)⟧', '⟦NO_PRUNE_BEGIN⟧', '⟦prune_id=x⟧', '⟦jeeves recover x'])(
    'sees that %j looks like one',
    (line) => {
      expect(looksLikeMarker(line)).toBe(true);
    },
  );

  it('reads a megabyte of brackets in linear time', () => {
    const hostile = `⟦PRUNÉ: prune_id=${'x'.repeat(1_000_000)} lignes 1-2 (2) raison=${'⟧'.repeat(1_000_000)}`;
    const started = performance.now();
    expect(parseMarker(hostile)?.style).toBe('canonical');
    expect(performance.now() - started).toBeLessThan(500);
  });
});

import {
  fromPruneTextInput,
  fromRecoverTextInput,
  PRUNE_TEXT,
  type PruneOutcome,
  RECOVER_TEXT,
  toPruneTextResult,
  toRecoverError,
  toRecoverTextResult,
} from '@jeeves/protocol';
import { describe, expect, it } from 'vitest';

const marker = '⟦PRUNÉ: prune_id=prn_1 lignes 2-3 (2) raison=hors focus⟧';
const outcome: PruneOutcome = {
  pruneId: 'prn_1',
  text: `a\n${marker}\nd`,
  gaps: [{ startLine: 2, endLine: 3, lineCount: 2, reason: 'hors focus', marker }],
  stats: {
    originalLines: 4,
    keptLines: 2,
    prunedLines: 2,
    prunedRatio: 0.5,
    tokensBefore: 5_000_000,
    tokensAfter: 1_000_000,
    tokensMethod: 'o200k',
    elapsedMs: 12,
    usedFallback: false,
    backend: 'embedded',
  },
  warnings: ['marker_in_input'],
};

describe('toPruneTextResult', () => {
  it('writes every field of seed 002 §4.1', () => {
    expect(toPruneTextResult(outcome)).toEqual({
      prune_id: 'prn_1',
      pruned_text: `a\n${marker}\nd`,
      annotations: [
        {
          kind: 'pruned_block',
          original_start_line: 2,
          original_end_line: 3,
          pruned_line_count: 2,
          reason: 'hors focus',
          marker,
        },
      ],
      stats: {
        original_lines: 4,
        kept_lines: 2,
        pruned_lines: 2,
        pruned_ratio: 0.5,
        tokens_est_before: 5_000_000,
        tokens_est_after: 1_000_000,
        elapsed_ms: 12,
        used_fallback: false,
        backend: 'heuristic',
        tokens_method: 'o200k',
        tokens_saved_est: 4_000_000,
      },
      warnings: ['marker_in_input'],
    });
  });

  it.each([
    ['embedded', 'heuristic'],
    ['deepinfra', 'deepinfra'],
    ['swe-pruner', 'swe-pruner'],
  ])('calls the backend %s %s', (backend, name) => {
    expect(withStats({ backend }).stats.backend).toBe(name);
  });

  it('adds the facts of seed 002 §13 and no others', () => {
    const facts = {
      deepinfraLatencyMs: 0,
      deepinfraDocsScored: 64,
      deepinfraDocsTotal: 420,
      deepinfraHttpStatus: 429,
      deepinfraCached: false,
      somethingInternal: 1,
    };
    const { stats } = withStats({ backend: 'deepinfra', facts });
    expect(stats).toMatchObject({
      cost_estimated_usd: 0.04,
      deepinfra_latency_ms: 0,
      deepinfra_docs_scored: 64,
      deepinfra_docs_total: 420,
      deepinfra_http_status: 429,
      deepinfra_cached: false,
    });
    expect(Object.keys(stats)).toHaveLength(17);
  });

  it.each([
    ['off_goal', 'hors focus'],
    ['repeated', 'lignes répétées'],
    ['blank', 'lignes vides'],
    ['hors focus', 'hors focus'],
  ])('gives the reason %s as %s', (reason, text) => {
    const gaps = [{ startLine: 2, endLine: 3, lineCount: 2, reason, marker }];
    expect(toPruneTextResult({ ...outcome, gaps }).annotations[0]?.reason).toBe(text);
  });

  it('prices no loss', () => {
    const { stats } = withStats({ backend: 'deepinfra', tokensBefore: 10, tokensAfter: 30 });
    expect([stats.tokens_saved_est, stats.cost_estimated_usd]).toEqual([-20, 0]);
  });
});

describe('toRecoverTextResult', () => {
  it('writes every field of seed 002 §4.2', () => {
    expect(toRecoverTextResult({ pruneId: 'prn_1', text: 'b\r\nc', ranges: [{ startLine: 2, endLine: 3 }] })).toEqual({
      raw_text: 'b\r\nc',
      metadata: { prune_id: 'prn_1', ranges: [{ start_line: 2, end_line: 3 }], line_numbering: 'original' },
    });
  });
});

describe('toRecoverError', () => {
  const errors: [string, object, object][] = [
    [
      'prune_id_not_found',
      { pruneId: 'prn_1' },
      { code: -32004, message: 'prune_id_not_found', data: { code: 'prune_id_not_found', prune_id: 'prn_1' } },
    ],
    [
      'recovery_unavailable',
      { pruneId: 'prn_1' },
      { code: -32603, message: 'recovery_unavailable', data: { code: 'recovery_unavailable', prune_id: 'prn_1' } },
    ],
    [
      'invalid_range',
      { startLine: 9, endLine: 12, maxLine: 7 },
      {
        code: -32005,
        message: 'invalid_range',
        data: { code: 'invalid_range', start_line: 9, end_line: 12, max_line: 7 },
      },
    ],
    ['store_failed', { path: '/x' }, { code: -32603, message: 'Internal error' }],
  ];
  it.each(errors)('answers %s', (code, data, answer) => {
    expect(toRecoverError({ code, data: { ...data } })).toEqual(answer);
  });
});

describe('fromPruneTextInput', () => {
  it('says the same in the words of the engine', () => {
    const args = PRUNE_TEXT.input.parse({
      text: 'a',
      goal_hint: 'b',
      source_type: 'logs',
      options: {
        max_prune_ratio: 0.55,
        min_keep_lines: 40,
        timeout_ms: 1500,
        annotate_lines: true,
        include_markers: false,
      },
    });
    expect(fromPruneTextInput(args)).toEqual({
      text: 'a',
      goal: 'b',
      source: 'logs',
      limits: { maxPruneRatio: 0.55, minKeepLines: 40 },
      timeoutMs: 1500,
      annotateLines: true,
      includeMarkers: false,
    });
  });
});

describe('fromRecoverTextInput', () => {
  it('hands on ranges, or the query as a goal', () => {
    const ranges = RECOVER_TEXT.input.parse({ prune_id: 'p', ranges: [{ start_line: 1, end_line: 2 }] });
    expect(fromRecoverTextInput(ranges)).toEqual({
      pruneId: 'p',
      ranges: [{ startLine: 1, endLine: 2 }],
      lineNumbers: false,
    });
    const query = RECOVER_TEXT.input.parse({ prune_id: 'p', query: ' why ', include_line_numbers: true });
    expect(fromRecoverTextInput(query)).toEqual({ pruneId: 'p', goal: 'why', lineNumbers: true });
  });
});

function withStats(stats: Partial<PruneOutcome['stats']>): ReturnType<typeof toPruneTextResult> {
  return toPruneTextResult({ ...outcome, stats: { ...outcome.stats, ...stats } });
}

import { PRUNE_WARNINGS, PRUNING_METADATA } from '@jeeves/protocol';
import { describe, expect, it } from 'vitest';

const skipped = { attempted: false, applied: false, fallback: false, reason: 'no_focus_question', raw_bytes: 0 };

describe('PRUNING_METADATA', () => {
  const fallback = { ...skipped, attempted: true, fallback: true, reason: 'pruner_error', backend: 'http' };
  const read = [
    skipped,
    { ...skipped, reason: 'disabled_or_unconfigured' },
    { ...skipped, reason: 'too_large' },
    { ...skipped, reason: 'output_empty' },
    { ...fallback, error: { code: 'timeout', message: 'm' } },
    { ...fallback, error: { code: 'http_error', message: 'm' } },
    { ...fallback, error: { code: 'invalid_response', message: 'm' } },
    { attempted: true, applied: true, fallback: false, raw_bytes: 9, pruned_bytes: 3, pruner_duration_ms: 1.5 },
    {
      attempted: true,
      applied: true,
      fallback: false,
      raw_bytes: 9,
      prune_id: 'p',
      backend: 'embedded',
      aligned: true,
    },
  ];
  it.each(read)('reads %j', (metadata) => {
    expect(PRUNING_METADATA.parse(metadata)).toEqual(metadata);
  });

  it('drops fields of later versions', () => {
    expect(PRUNING_METADATA.parse({ ...skipped, colour: 'red' })).toEqual(skipped);
  });

  it.each([
    { ...skipped, reason: 'no_question' },
    { ...skipped, reason: 'input_too_large' },
    { ...skipped, raw_bytes: -1 },
    { ...skipped, attempted: undefined },
    { ...skipped, error: { code: 'refused', message: '' } },
    { ...skipped, backend: 'cloud' },
  ])('refuses %j', (metadata) => {
    expect(PRUNING_METADATA.safeParse(metadata).success).toBe(false);
  });
});

describe('warnings of prune_text', () => {
  it('are these', () => {
    expect(Object.keys(PRUNE_WARNINGS)).toEqual([
      'input_too_large',
      'timeout',
      'constraints_unmet',
      'budget_unmet',
      'no_match',
      'needs_all_rows',
      'internal_error',
      'reply_truncated',
      'store_failed',
      'http_error',
      'invalid_response',
      'config_error',
      'backend_error',
      'marker_in_input',
      'no_prune_unclosed',
      'cache_hit',
      'deepinfra_docs_truncated',
      'deepinfra_error',
      'deepinfra_http_error',
      'deepinfra_parse_error',
      'deepinfra_config_error',
    ]);
  });
});

import { SWE_PRUNE_REQUEST } from '@jeeves/protocol';
import { describe, expect, it } from 'vitest';

describe('SWE_PRUNE_REQUEST', () => {
  it('needs a query and a text only', () => {
    expect(SWE_PRUNE_REQUEST.parse({ query: 'q', code: 'c' })).toEqual({
      query: 'q',
      code: 'c',
      threshold: 0.5,
      always_keep_first_frags: false,
      chunk_overlap_tokens: 50,
    });
  });

  it('ignores what other services of its kind accept', () => {
    expect(SWE_PRUNE_REQUEST.parse({ query: 'q', code: 'c', keep_ratio: 0.3 })).not.toHaveProperty('keep_ratio');
  });

  it.each([{}, { query: 'q' }, { code: 'c' }, { query: 1, code: 'c' }, { query: 'q', code: 'c', threshold: 'low' }])(
    'refuses %j',
    (body) => {
      expect(SWE_PRUNE_REQUEST.safeParse(body).success).toBe(false);
    },
  );
});

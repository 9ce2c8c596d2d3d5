import { loadTokenCounter } from '@jeeves/engine/tokens';
import { beforeAll, describe, expect } from 'vitest';
import { packageNames, readSource, sourcesOf } from '../../../architecture/sources.ts';
import { verifies } from '../../verifies.ts';
import { cleanUpServices, type Service, startService } from './service.ts';

cleanUpServices();
let service: Service;
beforeAll(async () => {
  service = await startService();
});

/** The options of seed 002 §4.1, with time for a busy machine. */
const OPTIONS = {
  max_prune_ratio: 0.55,
  min_keep_lines: 40,
  timeout_ms: 15_000,
  annotate_lines: true,
  include_markers: true,
};

describe('prune_text with the options of its specification', () => {
  for (const name of packageNames()) {
    verifies('text.never-grows', `makes no source file of ${name} larger`, async () => {
      const countTokens = await loadTokenCounter();
      const grown: string[] = [];
      for (const file of sourcesOf(name)) {
        const text = readSource(file);
        const wanted = { text, goal_hint: 'How are errors handled?', source_type: 'code' } as const;
        const { pruned_text, stats } = await service.prune(wanted, OPTIONS);
        const [before, after] = [countTokens(text).tokens, countTokens(pruned_text).tokens];
        if (after > before || stats.tokens_saved_est < 0) grown.push(`${file}: ${before} to ${after}`);
      }
      expect(grown).toEqual([]);
    });
  }
});

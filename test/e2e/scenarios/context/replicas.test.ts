import type { GcAnalyzeResult, RetrieveStashedResult, SearchStashedResult } from '@jeeves/protocol';
import { describe, expect } from 'vitest';
import { sharedPostgres } from '../../../../packages/store/test/postgres-server.ts';
import { verifies } from '../../verifies.ts';
import { cleanUpAfterwards, freshStore, idsOf, startContext } from './server.ts';

cleanUpAfterwards();

const project_id = 'shop';

describe('two servers on one store', () => {
  const stores: [string, () => Promise<string>][] = [
    ['Postgres', async () => await (await sharedPostgres()).createDatabase()],
    ['SQLite', async () => freshStore()],
  ];
  for (const [name, open] of stores) {
    verifies(['context.replicas', 'context.search'], `see each other’s stash and pins: ${name}`, async () => {
      const store = await open();
      const [one, two] = await Promise.all([startContext({ store }), startContext({ store })]);
      await one.tell(project_id, [{ segment_id: 'a' }, { segment_id: 'b' }, { segment_id: 'c' }]);
      expect(idsOf(await two.working(project_id))).toEqual(['a', 'b', 'c']);

      await one.ask('stash', {
        project_id,
        segments: [{ segment_id: 'hook', text: 'The webhook is verified by HMAC' }],
      });
      const found = await two.ask<SearchStashedResult>('search_stashed', { project_id, query: 'webhook verified' });
      expect(idsOf(found.segments)).toEqual(['hook']);
      const args = { project_id, segment_ids: ['hook'] };
      const { retrieved_segments } = await two.ask<RetrieveStashedResult>('retrieve_stashed', args);
      expect(retrieved_segments[0]?.text).toBe('The webhook is verified by HMAC');

      await two.ask('gc_pin', { project_id, segment_ids: ['a'] });
      await two.ask('gc_prune', { project_id, segment_ids: ['b'], action: 'stash' });
      const { pruning_candidates } = await one.ask<GcAnalyzeResult>('gc_analyze', { project_id });
      expect(idsOf(pruning_candidates)).toEqual(['c']);
      expect(await one.stashed(project_id)).toEqual(['b', 'hook']);
      await Promise.all([one.process.close(), two.process.close()]);
    });
  }
});

import type { AnalyzeUsageResult, ContextError } from '@jeeves/protocol';
import { describe, expect } from 'vitest';
import { verifies } from '../../verifies.ts';
import { callOf, postMcp, requestOf } from '../http/posting.ts';
import { cleanUpServices, startService } from '../text/service.ts';
import { descriptors } from './described.ts';

cleanUpServices();

describe('the context tools over HTTP', () => {
  verifies(
    ['context.analyze-usage', 'context.errors.structured'],
    'are listed, answer and fail as over stdio',
    async () => {
      const service = await startService({ env: { MCP_PRUNER_TOOLS: 'context' } });
      const listed = await postMcp(service, requestOf('tools/list'));
      const names = (listed.json as unknown as { result: { tools: { name: string }[] } }).result.tools.map(
        ({ name }) => name,
      );
      expect(names.filter((name) => name.startsWith('context_'))).toHaveLength(13);
      expect(names).toContain('recover_text');
      const context_descriptors = descriptors([{ segment_id: 'a' }]);
      const ask = async (name: string, args: object): Promise<unknown> => {
        const { json } = await postMcp(service, callOf(name, args));
        return (json as unknown as { result: { structuredContent: unknown } }).result.structuredContent;
      };
      const usage = (await ask('context_analyze_usage', {
        project_id: 'p',
        context_descriptors,
      })) as AnalyzeUsageResult;
      expect(usage).toMatchObject({ current_tokens: 25_000, usage_percent: 78, pruning_candidates_count: 1 });
      const wrong = { project_id: 'p', segment_ids: ['a'], action: 'delete' };
      const { error } = (await ask('context_gc_prune', wrong)) as ContextError;
      expect(error.code).toBe('CONFIRMATION_REQUIRED');
    },
  );
});

import { readFileSync } from 'node:fs';
import type { AnalyzeUsageResult, StashResult } from '@jeeves/protocol';
import { describe, expect } from 'vitest';
import { verifies } from '../../verifies.ts';
import { cleanUpAfterwards, startContext } from './server.ts';

cleanUpAfterwards();

interface Call {
  readonly name: string;
  readonly arguments: object;
}

/** Every block of JSON in the guide, parsed. */
function blocks(): object[] {
  const guide = readFileSync(new URL('../../../../docs/guide/context.md', import.meta.url), 'utf8');
  return [...guide.matchAll(/```json\n(.*?)```/gs)].map(([, json = '']) => JSON.parse(json) as object);
}

describe('the guide', () => {
  verifies(
    ['context.usage-shape', 'context.payback'],
    'shows calls that work and what the server answers to them',
    async () => {
      const [, usage, clearing, stash] = blocks() as [object, Call, object, Call];
      const server = await startContext();
      const tool = (call: Call): string => call.name.replace('context_', '');
      const answer = await server.ask<AnalyzeUsageResult>(tool(usage), usage.arguments);
      expect(answer.usage_percent).toBe(78);
      expect(answer.clearings).toContainEqual(expect.objectContaining(clearing));
      expect(answer.next_step.tool).toBe('context_gc_analyze');
      const { stashed_segments, previews_only } = await server.ask<StashResult>(tool(stash), stash.arguments);
      expect(stashed_segments).toHaveLength(2);
      expect(stashed_segments[0]).toBe('read-1');
      expect(previews_only).toEqual([]);
      await server.process.close();
    },
  );
});

import type { SegmentMeta } from '@jeeves/engine';
import { refcountOf } from '../analysis/references.ts';
import type { World } from './world.ts';

/** How many working segments refer to each of these, of whichever project it is. */
export async function refcounts(
  world: World,
  metas: readonly SegmentMeta[],
): Promise<ReadonlyMap<SegmentMeta, number>> {
  const counts = new Map<SegmentMeta, number>();
  for (const project of new Set(metas.map(({ projectId }) => projectId))) {
    const { references } = (await world.remembered.project(project)).contents;
    for (const meta of metas) {
      if (meta.projectId !== project) continue;
      const { segmentId: id, topic, tier } = meta;
      counts.set(meta, refcountOf(references, { id, topic, inWindow: tier === 'working' }));
    }
  }
  return counts;
}

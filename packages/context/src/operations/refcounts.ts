import type { SegmentMeta } from '@jeeves/engine';
import { refcountsFor } from '../analysis/references.ts';
import type { World } from './world.ts';

/** How many working segments refer to each of these, of whichever project it is. */
export async function refcounts(
  world: World,
  metas: readonly SegmentMeta[],
): Promise<ReadonlyMap<SegmentMeta, number>> {
  const counts = new Map<SegmentMeta, number>();
  for (const project of new Set(metas.map(({ projectId }) => projectId))) {
    const { columns, references } = (await world.remembered.project(project)).contents;
    const own = metas.filter(({ projectId }) => projectId === project);
    const referred = own.map(({ segmentId: id, topic, tier }) => ({ id, topic, inWindow: tier === 'working' }));
    for (const [at, count] of refcountsFor(columns, references, referred).entries()) {
      counts.set(own[at] as SegmentMeta, count);
    }
  }
  return counts;
}

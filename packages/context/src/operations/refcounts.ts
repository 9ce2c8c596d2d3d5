import type { SegmentMeta } from '@jeeves/store';
import { refcountOf, referencesIn } from '../analysis/references.ts';
import type { Services } from './services.ts';

/** How many working segments refer to each of these, of whichever project it is. */
export async function refcounts(
  services: Services,
  metas: readonly SegmentMeta[],
): Promise<ReadonlyMap<SegmentMeta, number>> {
  const counts = new Map<SegmentMeta, number>();
  for (const project of new Set(metas.map(({ projectId }) => projectId))) {
    const references = referencesIn((await services.projects.read(project)).items);
    for (const meta of metas.filter(({ projectId }) => projectId === project)) {
      counts.set(meta, refcountOf(references, { id: meta.segmentId, topic: meta.topic }));
    }
  }
  return counts;
}

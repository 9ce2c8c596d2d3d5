import type { SegmentFilter, SegmentMeta } from './segments.ts';

/** Whether a segment is meant. A store may narrow before; this decides. (A revision is the store's to compare.) */
export function matchesFilter(meta: SegmentMeta, filter: SegmentFilter, ids?: ReadonlySet<string>): boolean {
  return (
    (ids === undefined || ids.has(meta.segmentId)) &&
    (filter.tier === undefined || meta.tier === filter.tier) &&
    (filter.taskId === undefined || meta.taskId === (filter.taskId ?? undefined)) &&
    (filter.file === undefined || meta.file === filter.file) &&
    (filter.type === undefined || meta.type === filter.type) &&
    (filter.pinned === undefined || meta.pinned === filter.pinned) &&
    (filter.createdAfter === undefined || meta.createdAt >= filter.createdAfter) &&
    (filter.createdBefore === undefined || meta.createdAt <= filter.createdBefore) &&
    (filter.tags === undefined || filter.tags.every((tag) => meta.tags.includes(tag)))
  );
}

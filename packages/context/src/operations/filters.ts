import type { SegmentFilter, SegmentTier } from '@jeeves/store';
import type { SegmentType } from '../analysis/item.ts';

/** Selects segments; all given conditions must hold, and `{}` selects every one. Times are milliseconds. */
export interface Filters {
  readonly file?: string | undefined;
  readonly task?: string | undefined;
  readonly type?: SegmentType | undefined;
  /** All of them. */
  readonly tags?: readonly string[] | undefined;
  readonly createdAfter?: number | undefined;
  readonly createdBefore?: number | undefined;
}

export function storeFilter(filters: Filters | undefined, tier: SegmentTier): SegmentFilter {
  const { file, task, type, tags, createdAfter, createdBefore } = filters ?? {};
  return {
    tier,
    ...(file !== undefined && { file }),
    ...(task !== undefined && { taskId: task }),
    ...(type !== undefined && { type }),
    ...(tags !== undefined && { tags }),
    ...(createdAfter !== undefined && { createdAfter }),
    ...(createdBefore !== undefined && { createdBefore }),
  };
}

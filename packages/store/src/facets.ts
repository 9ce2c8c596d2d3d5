import { createHash } from 'node:crypto';
import { tierNumber } from './packing.ts';
import type { SegmentFilter, SegmentMeta } from './segments.ts';

/**
 * What a segment can be filtered by, as words of its index beside those of its text, so that a search for a common word
 * within a small task stays small. No word of a text begins with `#`.
 */
export function facetsOf(projectNo: number, meta: SegmentMeta): string[] {
  return facets(projectNo, { ...meta, taskId: meta.taskId ?? null });
}

/** The facets that every segment of a filter has. The rest of the filter is checked on what they find. */
export function facetsOfFilter(projectNo: number | undefined, filter: SegmentFilter): string[] {
  return facets(projectNo, filter);
}

type Facets = Pick<SegmentFilter, 'tier' | 'taskId' | 'type' | 'tags'> & { readonly file?: string | undefined };

function facets(projectNo: number | undefined, { tier, taskId, type, file, tags }: Facets): string[] {
  return [
    ...(projectNo === undefined ? [] : [`#p${projectNo}`]),
    ...(tier === undefined ? [] : [`#t${tierNumber(tier)}`]),
    ...(taskId === undefined ? [] : [taskId === null ? '#k' : `#k${digest(taskId)}`]),
    ...(type === undefined ? [] : [`#y${digest(type)}`]),
    ...(file === undefined ? [] : [`#f${digest(file)}`]),
    ...(tags ?? []).map((tag) => `#g${digest(tag)}`),
  ];
}

/** Short and of plain letters, whatever the value is. Two values that meet are told apart by the filter itself. */
function digest(value: string): string {
  return createHash('sha256').update(value, 'utf16le').digest('hex').slice(0, 16);
}

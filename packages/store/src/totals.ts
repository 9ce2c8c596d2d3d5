import type { SegmentCount, SegmentMeta, SegmentTier, SegmentTotals } from './segments.ts';

/** The segments of a project that are alike in everything totals are asked by. */
export interface Cell extends SegmentCount {
  readonly tier: SegmentTier;
  readonly type: string;
  readonly taskId: string | undefined;
  readonly pinned: boolean;
}

export function cellKey({ tier, type, taskId, pinned }: Omit<Cell, keyof SegmentCount>): string {
  return JSON.stringify([tier, type, taskId ?? null, pinned]);
}

/** How the cells change when `before` becomes `after`; either may be missing. */
export function addDelta(deltas: Map<string, Cell>, before?: SegmentMeta, after?: SegmentMeta): void {
  if (before !== undefined) addTo(deltas, before, -1);
  if (after !== undefined) addTo(deltas, after, 1);
}

/** Adds cells up. The span of times is the store's to look up. */
export function sumCells(cells: Iterable<Cell>, span: { oldest?: number; newest?: number }): SegmentTotals {
  const sums = { segments: 0, tokens: 0, pinned: none(), byTier: { working: none(), stashed: none() } };
  const byType = new Map<string, SegmentCount>();
  const byTask = new Map<string | undefined, SegmentCount>();
  for (const cell of cells) {
    if (cell.segments === 0) continue;
    sums.segments += cell.segments;
    sums.tokens += cell.tokens;
    if (cell.pinned) sums.pinned = plus(sums.pinned, cell);
    sums.byTier[cell.tier] = plus(sums.byTier[cell.tier], cell);
    byType.set(cell.type, plus(byType.get(cell.type), cell));
    byTask.set(cell.taskId, plus(byTask.get(cell.taskId), cell));
  }
  return { ...sums, byType, byTask, ...span };
}

function addTo(deltas: Map<string, Cell>, meta: SegmentMeta, sign: 1 | -1): void {
  const { tier, type, taskId, pinned } = meta;
  const key = cellKey({ tier, type, taskId, pinned });
  const counted = plus(deltas.get(key), { segments: sign, tokens: sign * meta.tokens });
  deltas.set(key, { tier, type, taskId, pinned, ...counted });
}

function plus(a: SegmentCount = none(), b: SegmentCount): SegmentCount {
  return { segments: a.segments + b.segments, tokens: a.tokens + b.tokens };
}

function none(): SegmentCount {
  return { segments: 0, tokens: 0 };
}

import { EngineError } from '@jeeves/engine';
import type {
  SegmentChanges,
  SegmentCondition,
  SegmentDraft,
  SegmentMeta,
  SegmentWrite,
  WriteOutcome,
} from './segments.ts';

/** A segment after a write. Without a text, its text is the stored one. */
export interface PlannedSegment {
  readonly meta: SegmentMeta;
  readonly text?: string;
}

/** What a list of writes comes to, worked out alike for every store. */
export interface WritePlan {
  readonly outcomes: readonly WriteOutcome[];
  /** By id, whatever differs from before; undefined where the segment is removed. */
  readonly after: ReadonlyMap<string, PlannedSegment | undefined>;
}

/** `known` holds every stored segment that a write names, by its id or by its origin. */
export function planWrites(
  projectId: string,
  writes: readonly SegmentWrite[],
  known: readonly SegmentMeta[],
): WritePlan {
  const plan = new Plan(projectId, known);
  return { outcomes: writes.map((write) => plan.apply(write)), after: plan.after };
}

/** The ids and origins that a list of writes names. */
export function namedIn(writes: readonly SegmentWrite[]): { ids: string[]; origins: string[] } {
  const ids = new Set<string>();
  const origins = new Set<string>();
  for (const write of writes) {
    ids.add('segment' in write ? write.segment.segmentId : write.segmentId);
    if ('segment' in write && write.segment.originKey !== undefined) origins.add(write.segment.originKey);
  }
  return { ids: [...ids], origins: [...origins] };
}

class Plan {
  readonly after = new Map<string, PlannedSegment | undefined>();
  readonly #projectId: string;
  readonly #known = new Map<string, SegmentMeta>();
  readonly #idOfOrigin = new Map<string, string>();

  constructor(projectId: string, known: readonly SegmentMeta[]) {
    this.#projectId = projectId;
    for (const meta of known) this.#remember(meta);
  }

  apply(write: SegmentWrite): WriteOutcome {
    if (write.kind === 'add') return this.#add(write.segment);
    if (write.kind === 'put') return this.#put(write.segment);
    if (write.kind === 'change') return this.#change(write.segmentId, write.changes, write.onlyIf);
    return this.#remove(write.segmentId, write.onlyIf);
  }

  #add(segment: SegmentDraft): WriteOutcome {
    const before = this.#known.get(this.#idOf(segment) ?? segment.segmentId);
    if (before === undefined) return this.#keep(segment, 'added');
    if (before.textComplete || !segment.textComplete) return { segmentId: before.segmentId, result: 'known' };
    const { text, textHash, tokens, facts } = segment;
    this.#set({ meta: { ...before, textHash, tokens, facts, textComplete: true }, text });
    return { segmentId: before.segmentId, result: 'completed' };
  }

  #put(segment: SegmentDraft): WriteOutcome {
    const { segmentId } = segment;
    const owner = this.#idOf(segment);
    if (owner !== undefined && owner !== segmentId) return { segmentId, result: 'refused' };
    const before = this.#known.get(segmentId);
    if (before !== undefined) this.#forget(before);
    return this.#keep(segment, before === undefined ? 'added' : 'replaced');
  }

  #change(segmentId: string, changes: SegmentChanges, onlyIf: SegmentCondition = {}): WriteOutcome {
    const before = this.#known.get(segmentId);
    if (before === undefined) return { segmentId, result: 'missing' };
    if (!holds(before, onlyIf)) return { segmentId, result: 'refused' };
    const { text, ...rest } = changes;
    this.#set({ ...this.after.get(segmentId), ...(text === undefined ? {} : { text }), meta: changed(before, rest) });
    return { segmentId, result: 'changed' };
  }

  #remove(segmentId: string, onlyIf: SegmentCondition = {}): WriteOutcome {
    const before = this.#known.get(segmentId);
    if (before === undefined) return { segmentId, result: 'missing' };
    if (!holds(before, onlyIf)) return { segmentId, result: 'refused' };
    this.#forget(before);
    this.after.set(segmentId, undefined);
    return { segmentId, result: 'removed' };
  }

  #keep({ text, ...draft }: SegmentDraft, result: 'added' | 'replaced'): WriteOutcome {
    this.#set({ meta: { ...draft, projectId: this.#projectId }, text });
    return { segmentId: draft.segmentId, result };
  }

  #set(planned: PlannedSegment): void {
    assertNumbers(planned.meta);
    this.after.set(planned.meta.segmentId, planned);
    this.#remember(planned.meta);
  }

  #idOf({ originKey }: SegmentDraft): string | undefined {
    return originKey === undefined ? undefined : this.#idOfOrigin.get(originKey);
  }

  #remember(meta: SegmentMeta): void {
    this.#known.set(meta.segmentId, meta);
    if (meta.originKey !== undefined) this.#idOfOrigin.set(meta.originKey, meta.segmentId);
  }

  #forget(meta: SegmentMeta): void {
    this.#known.delete(meta.segmentId);
    if (meta.originKey !== undefined) this.#idOfOrigin.delete(meta.originKey);
  }
}

/** A store that keeps what it cannot compare would answer wrongly for ever after. */
function assertNumbers({ segmentId, createdAt, touchedAt, tokens, survivals }: SegmentMeta): void {
  if ([createdAt, touchedAt, tokens, survivals].every(Number.isFinite)) return;
  throw new EngineError('store_failed', 'Times, tokens and survivals of a segment are numbers.', {
    data: { segmentId },
  });
}

function holds(meta: SegmentMeta, { tier, pinned }: SegmentCondition): boolean {
  return (tier === undefined || meta.tier === tier) && (pinned === undefined || meta.pinned === pinned);
}

function changed(meta: SegmentMeta, { taskId, topic, touchedAt, ...plain }: Omit<SegmentChanges, 'text'>): SegmentMeta {
  return {
    ...meta,
    ...plain,
    touchedAt: Math.max(meta.touchedAt, touchedAt ?? meta.touchedAt),
    taskId: taskId === undefined ? meta.taskId : (taskId ?? undefined),
    topic: topic === undefined ? meta.topic : (topic ?? undefined),
  };
}

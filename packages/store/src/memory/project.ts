import { matchesFilter } from '../filter.ts';
import { namedIn, type PlannedSegment, planWrites } from '../plan.ts';
import type {
  ProjectState,
  ProjectSummary,
  SegmentFilter,
  SegmentMeta,
  SegmentTotals,
  SegmentWrite,
  Snapshot,
  SnapshotDraft,
  SnapshotInfo,
  WriteOutcome,
} from '../segments.ts';
import { snapshotTaken, totalsOf } from '../snapshots.ts';
import { addDelta, type Cell, sumCells } from '../totals.ts';
import { wordsOf } from '../words.ts';

export interface Held {
  readonly seq: number;
  readonly revision: number;
  readonly meta: SegmentMeta;
  readonly text: string;
  readonly words: ReadonlySet<string>;
}

/** What one project holds. */
export class MemoryProject {
  readonly id: string;
  currentTask: string | undefined;
  #revision = 0;
  #renewedAt = 0;
  #collections = 0;
  readonly #held = new Map<string, Held>();
  /** What a segment is never changes, only which one is held: a snapshot is the list of them. */
  readonly #snapshots = new Map<string, { readonly info: SnapshotInfo; readonly held: readonly Held[] }>();
  readonly #idOfOrigin = new Map<string, string>();

  constructor(id: string) {
    this.id = id;
  }

  state(): ProjectState {
    return {
      revision: this.#revision,
      renewedAt: this.#renewedAt,
      collections: this.#collections,
      currentTask: this.currentTask,
    };
  }

  summary(): ProjectSummary {
    return { projectId: this.id, ...this.state(), byTier: this.totals({}).byTier };
  }

  isUsed(): boolean {
    return this.#held.size > 0 || this.#snapshots.size > 0 || this.currentTask !== undefined;
  }

  write(writes: readonly SegmentWrite[], nextSeq: () => number): WriteOutcome[] {
    const { outcomes, after } = planWrites(this.id, writes, this.#known(writes));
    if (after.size > 0) this.#revision += 1;
    for (const [segmentId, planned] of after) {
      const before = this.#held.get(segmentId);
      if (before?.meta.originKey !== undefined) this.#idOfOrigin.delete(before.meta.originKey);
      if (planned === undefined) {
        if (this.#held.delete(segmentId)) this.#renewedAt = this.#revision;
      } else this.#set(planned, before, before?.seq ?? nextSeq());
    }
    return [...outcomes];
  }

  #known(writes: readonly SegmentWrite[]): SegmentMeta[] {
    const { ids, origins } = namedIn(writes);
    const named = new Set([...ids, ...origins.map((origin) => this.#idOfOrigin.get(origin) ?? '')]);
    return [...named].flatMap((id) => this.#held.get(id)?.meta ?? []);
  }

  #set({ meta, text }: PlannedSegment, before: Held | undefined, seq: number): void {
    const content =
      text === undefined && before !== undefined
        ? { text: before.text, words: before.words }
        : { text: text ?? '', words: new Set(wordsOf(text ?? '')) };
    this.#held.set(meta.segmentId, { seq, revision: this.#revision, meta, ...content });
    if (meta.originKey !== undefined) this.#idOfOrigin.set(meta.originKey, meta.segmentId);
  }

  recordCollection(oldAfter: number): void {
    this.#collections += 1;
    for (const [segmentId, held] of this.#held) {
      const survivals = held.meta.survivals + (held.meta.tier === 'working' ? 1 : 0);
      const generation = survivals >= oldAfter ? 'old' : held.meta.generation;
      this.#held.set(segmentId, { ...held, meta: { ...held.meta, survivals, generation } });
    }
  }

  select(filter: SegmentFilter): Held[] {
    const ids = filter.ids === undefined ? undefined : new Set(filter.ids);
    const after = filter.changedAfter ?? 0;
    return [...this.#held.values()].filter(
      ({ meta, revision }) => revision > after && matchesFilter(meta, filter, ids),
    );
  }

  totals(filter: SegmentFilter): SegmentTotals {
    const cells = new Map<string, Cell>();
    const span: { oldest?: number; newest?: number } = {};
    for (const { meta } of this.select(filter)) {
      addDelta(cells, undefined, meta);
      span.oldest = Math.min(span.oldest ?? Infinity, meta.createdAt);
      span.newest = Math.max(span.newest ?? -Infinity, meta.createdAt);
    }
    return sumCells(cells.values(), span);
  }

  createSnapshot(draft: SnapshotDraft, filter: SegmentFilter): SnapshotInfo {
    if (this.#snapshots.has(draft.snapshotId)) throw snapshotTaken(draft.snapshotId);
    const held = this.select(filter).sort((a, b) => a.seq - b.seq);
    const info = { ...draft, projectId: this.id, ...totalsOf(held.map(({ meta }) => meta)) };
    this.#snapshots.set(draft.snapshotId, { info, held });
    return info;
  }

  listSnapshots(taskId?: string): SnapshotInfo[] {
    return Array.from(this.#snapshots.values(), ({ info }) => info)
      .filter((info) => taskId === undefined || info.taskId === taskId)
      .sort((a, b) => b.createdAt - a.createdAt);
  }

  snapshot(snapshotId: string): Snapshot | undefined {
    const found = this.#snapshots.get(snapshotId);
    if (found === undefined) return undefined;
    return { ...found.info, contents: found.held.map(({ meta, text }) => Object.assign({ text }, meta)) };
  }

  removeSnapshot(snapshotId: string): boolean {
    return this.#snapshots.delete(snapshotId);
  }
}

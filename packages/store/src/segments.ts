/** Where a segment is: in the agent's window, or set aside. */
export type SegmentTier = 'working' | 'stashed';

/** Old segments have survived collections; young ones have not been through enough of them. */
export type SegmentGeneration = 'young' | 'old';

/** Everything about a segment of a conversation but its text. Times are milliseconds since the epoch. */
export interface SegmentMeta {
  readonly projectId: string;
  readonly segmentId: string;
  /** Says what the segment was made from, such as a hash of a message: one project holds one segment per origin. */
  readonly originKey?: string | undefined;
  readonly type: string;
  readonly taskId?: string | undefined;
  readonly createdAt: number;
  readonly touchedAt: number;
  readonly pinned: boolean;
  readonly generation: SegmentGeneration;
  /** How many collections it has survived in the working tier. */
  readonly survivals: number;
  /** Ids of segments that this one refers to. How often one is referred to follows from these, so it is never stale. */
  readonly references: readonly string[];
  readonly file?: string | undefined;
  readonly tags: readonly string[];
  readonly topic?: string | undefined;
  readonly tokens: number;
  readonly tier: SegmentTier;
  /** Hash of the text as its writer computed it. */
  readonly textHash: string;
  /** False when only a preview of the text is known. */
  readonly textComplete: boolean;
  /** Whatever its writer derived from the text and wants back without it. The store does not look into it. */
  readonly facts?: string | undefined;
}

export interface Segment extends SegmentMeta {
  readonly text: string;
}

/** A segment as it is written: the project is an argument of its own. */
export type SegmentDraft = Omit<Segment, 'projectId'>;

/** What may change while a segment stays itself. An absent field stays as it is. */
export interface SegmentChanges {
  readonly tier?: SegmentTier;
  readonly pinned?: boolean;
  /** Never goes back: the later of this and what is stored. */
  readonly touchedAt?: number;
  readonly generation?: SegmentGeneration;
  readonly survivals?: number;
  /** `null` takes the segment out of its task. */
  readonly taskId?: string | null;
  readonly tags?: readonly string[];
  readonly references?: readonly string[];
  readonly file?: string;
  readonly topic?: string | null;
  readonly tokens?: number;
  readonly text?: string;
  readonly textHash?: string;
  readonly textComplete?: boolean;
  readonly facts?: string;
}

/** What must hold at the moment of a change or removal, whatever another process did since the caller looked. */
export interface SegmentCondition {
  readonly tier?: SegmentTier;
  readonly pinned?: boolean;
}

export type SegmentWrite =
  /**
   * Adds a segment unless its id or origin is known already; then only one thing is taken from it: a complete text in
   * place of a preview, with its hash, tokens and facts. Sending it again changes nothing, wherever the segment is by then.
   */
  | { readonly kind: 'add'; readonly segment: SegmentDraft }
  /** Adds a segment or replaces the one with its id, whole. Refused when its origin is known under another id. */
  | { readonly kind: 'put'; readonly segment: SegmentDraft }
  | {
      readonly kind: 'change';
      readonly segmentId: string;
      readonly changes: SegmentChanges;
      readonly onlyIf?: SegmentCondition;
    }
  | { readonly kind: 'remove'; readonly segmentId: string; readonly onlyIf?: SegmentCondition };

/** What became of one write. */
export interface WriteOutcome {
  /** The id of the stored segment: for an `add` whose origin is known under another id, that other id. */
  readonly segmentId: string;
  readonly result:
    | 'added'
    /** `add` of a segment that was there: nothing new. */
    | 'known'
    /** `add` brought the complete text of a segment known by its preview. */
    | 'completed'
    | 'replaced'
    | 'changed'
    | 'removed'
    /** No such segment: nothing was done. */
    | 'missing'
    /** `onlyIf` does not hold, or a `put` takes another's origin: nothing was done. */
    | 'refused';
}

/** Which segments are meant; every given field must hold. */
export interface SegmentFilter {
  readonly ids?: readonly string[];
  readonly tier?: SegmentTier;
  /** `null`: those that belong to no task. */
  readonly taskId?: string | null;
  readonly file?: string;
  readonly type?: string;
  /** All of them. */
  readonly tags?: readonly string[];
  readonly pinned?: boolean;
  /** Inclusive. */
  readonly createdAfter?: number;
  /** Inclusive. */
  readonly createdBefore?: number;
  /** Only those changed after this revision of their project (see `ProjectState`). */
  readonly changedAfter?: number;
}

export interface SegmentCount {
  readonly segments: number;
  readonly tokens: number;
}

export interface SegmentTotals extends SegmentCount {
  readonly pinned: SegmentCount;
  readonly byType: ReadonlyMap<string, SegmentCount>;
  /** Segments of no task stand under `undefined`. */
  readonly byTask: ReadonlyMap<string | undefined, SegmentCount>;
  readonly byTier: Readonly<Record<SegmentTier, SegmentCount>>;
  /** When the oldest and the newest were created; absent when there is none. */
  readonly oldest?: number | undefined;
  readonly newest?: number | undefined;
}

/** What a process needs to know whether what it remembers of a project still holds. */
export interface ProjectState {
  /** Grows with every write that changes a segment of the project, by whichever process; 0 before the first. */
  readonly revision: number;
  /**
   * The revision of the last removal. Who has read the project at this revision or later can bring its memory up to date
   * with `list(projectId, { changedAfter })`; who has not reads it anew.
   */
  readonly renewedAt: number;
  /** How many collections there were. Each adds one to the survivals of every working segment, and no revision. */
  readonly collections: number;
  readonly currentTask?: string | undefined;
}

export interface ProjectSummary extends ProjectState {
  readonly projectId: string;
  readonly byTier: Readonly<Record<SegmentTier, SegmentCount>>;
}

export interface SegmentSearch {
  /** Absent: in all projects. */
  readonly projectId?: string | undefined;
  /** Words, or any text: its words are looked for, each by its stem. A text without a word finds nothing. */
  readonly text: string;
  readonly filter?: SegmentFilter;
  readonly limit: number;
}

export interface SegmentMatch {
  readonly segment: SegmentMeta;
  /** Greater than 0: the more and the rarer words of the search it has, the higher. For ordering only. */
  readonly score: number;
}

export interface SegmentMatches {
  /** Best first; among equals the newest first. */
  readonly matches: readonly SegmentMatch[];
  /** How many segments have a word of the search; a lower bound when `capped`. */
  readonly found: number;
  /** True when words are so common that not every segment with one of them was looked at. */
  readonly capped: boolean;
}

export interface SegmentPage {
  /** Absent: of all projects. */
  readonly projectId?: string | undefined;
  readonly filter?: SegmentFilter;
  readonly limit: number;
}

export interface SegmentPageResult {
  readonly segments: readonly SegmentMeta[];
  /** How many segments the filter means. */
  readonly found: number;
}

export interface SnapshotInfo extends SegmentCount {
  readonly projectId: string;
  readonly snapshotId: string;
  readonly taskId?: string | undefined;
  readonly name?: string | undefined;
  readonly createdAt: number;
}

export interface Snapshot extends SnapshotInfo {
  /** The segments as they were, in the order in which they were added. */
  readonly contents: readonly Segment[];
}

export type SnapshotDraft = Omit<SnapshotInfo, 'projectId' | keyof SegmentCount>;

/**
 * Where segments of conversations live, apart by project. Ids are data: any string comes back as it was.
 * What a call resolved with is safe: for a durable store, after a crash too. Whatever goes wrong below is an
 * `EngineError('store_failed')`, and then nothing of the call was done.
 */
export interface SegmentStore {
  readonly url: string;
  /** Every project with a segment, a snapshot or a current task, in order of their ids. */
  projects(): Promise<ProjectSummary[]>;
  /** Revision 0 for a project nobody has written to. */
  project(projectId: string): Promise<ProjectState>;
  /** Returns the task that was current before. */
  setCurrentTask(projectId: string, taskId: string | undefined): Promise<string | undefined>;
  /**
   * All writes in one step, in their order; the outcomes stand in the order of the writes. Other processes wait
   * meanwhile: thousands of writes are better sent in parts of a few hundred.
   */
  write(projectId: string, writes: readonly SegmentWrite[]): Promise<WriteOutcome[]>;
  /**
   * A collection is over: the survivals of every working segment grow by one, and whatever has `oldAfter` of them or
   * more is old. Costs the same however many there are.
   */
  recordCollection(projectId: string, oldAfter: number): Promise<void>;
  totals(projectId: string, filter?: Pick<SegmentFilter, 'tier' | 'taskId'>): Promise<SegmentTotals>;
  /** Without texts, in the order in which they were added. Without a project: of all projects. */
  list(projectId: string | undefined, filter?: SegmentFilter): Promise<SegmentMeta[]>;
  /** The texts of those ids that exist. */
  texts(projectId: string, segmentIds: readonly string[]): Promise<Map<string, string>>;
  search(request: SegmentSearch): Promise<SegmentMatches>;
  /** Those created last, newest first, and how many there are. */
  newest(request: SegmentPage): Promise<SegmentPageResult>;
  /** Copies the segments that `filter` means. An id that is taken is an `EngineError('store_failed')`. */
  createSnapshot(projectId: string, draft: SnapshotDraft, filter: SegmentFilter): Promise<SnapshotInfo>;
  /** Newest first; of one task or of all. */
  snapshots(projectId: string, taskId?: string): Promise<SnapshotInfo[]>;
  snapshot(projectId: string, snapshotId: string): Promise<Snapshot | undefined>;
  removeSnapshot(projectId: string, snapshotId: string): Promise<boolean>;
  close(): Promise<void>;
}

/** What a piece of a conversation is; decides how soon it may go. */
export type SegmentType = (typeof SEGMENT_TYPES)[number];

export const SEGMENT_TYPES = ['message', 'code', 'log', 'note', 'decision', 'summary'] as const;

/** A segment as analysis sees it: everything but its text. Times are milliseconds since the epoch. */
export interface Item {
  readonly id: string;
  readonly type: SegmentType;
  readonly task?: string | undefined;
  /** Its task was named for it. One that was merely described while a task went on is no root of that task. */
  readonly assigned: boolean;
  /** It came back from the stash or a snapshot. Others are in the window for as long as the platform describes them. */
  readonly held: boolean;
  readonly createdAt: number;
  readonly touchedAt: number;
  /** Since when it stands in the window: decides its place there. */
  readonly enteredAt: number;
  readonly pinned: boolean;
  readonly survivals: number;
  readonly file?: string | undefined;
  readonly topic?: string | undefined;
  /** Ids of segments this one refers to. */
  readonly references: readonly string[];
  readonly tokens: number;
  readonly textHash: string;
  /** False when only a preview of the text is known. */
  readonly textComplete: boolean;
  /** What was read or run, when it can be told. */
  readonly subject?: Subject | undefined;
  /** The output of a call that failed. */
  readonly failed: boolean;
}

/** The file or command whose output a segment is. */
export interface Subject {
  readonly key: string;
  /** Which lines of a file, both inclusive; absent for all of it. */
  readonly lines?: readonly [number, number] | undefined;
}

/** As they stand in the window: the first that entered comes first, and those of one moment stay in their order. */
export function inOrder(items: readonly Item[]): Item[] {
  return [...items].sort((a, b) => a.enteredAt - b.enteredAt);
}

/** The items of one task, or all of them when no task is named. */
export function inTask(items: readonly Item[], task: string | undefined): readonly Item[] {
  return task === undefined ? items : items.filter((item) => item.task === task);
}

import type { TextList } from '../split.ts';

/** What a text is: it decides which lines are protected and how neighbours count. `items` are unrelated texts. */
export type SourceType = 'code' | 'logs' | 'docs';

export interface JudgeRequest {
  readonly goal: string;
  readonly texts: TextList;
  readonly source: SourceType | 'items';
  /** Called between steps of long work; throws `EngineError('timeout')` once the caller's deadline has passed. */
  readonly checkpoint?: () => void;
  /** Ends work that waits (HTTP). */
  readonly signal?: AbortSignal;
  /** Milliseconds until the caller's deadline, where there is one. */
  readonly timeLeft?: () => number;
  /** The caller's other options, written out: a judgement is given again only to who asked in the same way. */
  readonly variant?: string;
}

export interface Judgement {
  /** One score per text: the probability that a reader with this goal needs it. */
  readonly scores: Float64Array;
  /** True when nothing in the texts is about the goal. */
  readonly noMatch?: boolean;
  /** Codes a caller may show, such as `deepinfra_docs_truncated`. */
  readonly warnings?: readonly string[];
  /** Facts about the judging itself, merged into the result's statistics. */
  readonly facts?: Readonly<Record<string, string | number | boolean>>;
  /** True when each text was judged by itself and its score is the last word: neighbours are not kept along. */
  readonly perText?: boolean;
  /** True when a substitute judged because the wanted backend failed. */
  readonly usedFallback?: boolean;
}

/** Scores any list of texts against a goal. May fail (throws `EngineError`); `prune` turns every failure into the raw text. */
export interface Backend {
  readonly name: string;
  judge(request: JudgeRequest): Promise<Judgement>;
}

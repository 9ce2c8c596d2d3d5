export type Task =
  | 'commit'
  | 'doc'
  | 'question'
  | 'section'
  | 'logs'
  | 'build-log'
  | 'middle-log'
  | 'table'
  | 'negative'
  | 'section-negative';
export type Split = 'train' | 'test';

/** One row of a case file: a goal, a text, and the 1-based lines of the text that serve the goal. */
export interface MinedCase {
  readonly id: string;
  readonly query: string;
  readonly text: string;
  readonly gold: readonly number[];
  readonly kind: 'code' | 'logs' | 'docs';
  readonly task: Task;
  /** The suite it is measured in, where that is not the task. */
  readonly suite?: string;
  /** The repository, or for logs the family of the tool that wrote the text. */
  readonly repo: string;
  /** Path, commit or function: enough to find the place again. */
  readonly origin: string;
}

export const TASKS: readonly Task[] = [
  'commit',
  'doc',
  'question',
  'section',
  'logs',
  'build-log',
  'middle-log',
  'table',
  'negative',
  'section-negative',
];
export const SPLITS: readonly Split[] = ['train', 'test'];

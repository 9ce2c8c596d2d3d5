import type { PrunerOptions, ToolOutput } from '../pruner.ts';

/** One question to a pruner. */
export interface PrunerCall {
  readonly output: ToolOutput;
  readonly goal: string;
  readonly timeoutMs: number;
  readonly options: PrunerOptions;
}

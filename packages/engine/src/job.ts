import type { SourceType } from './backends/backend.ts';
import type { PruneRequest } from './options.ts';
import type { Lines } from './split.ts';

/** One text on its way through the pipeline. */
export interface Job {
  readonly request: PruneRequest;
  readonly lines: Lines;
  readonly source: SourceType;
  readonly pruneId: string;
  readonly started: number;
}

import type { Kind } from './kinds/kind.ts';
import type { PruneRequest } from './options.ts';
import type { Lines } from './split.ts';

/** One text on its way through the pipeline. */
export interface Job {
  readonly request: PruneRequest;
  readonly lines: Lines;
  readonly kind: Kind;
  readonly pruneId: string;
  readonly started: number;
}

import { createEmbeddedBackend } from '@jeeves/engine';
import type { Tool } from '@jeeves/mcp-pruner/host';
import { type SessionStore } from '@jeeves/store';
import { createAutomaticEval } from './automatic-eval.ts';
import { createAutomaticMcp } from './automatic-mcp.ts';
import { createModelFilter, type ModelFilterConfig } from './catalogue/model-filter.ts';
import { DEFAULT_CAP } from './catalogue/select.ts';
import type { ResultPruner } from './prune-result.ts';
import { createRanker } from './rank/ranker.ts';
import { createCatalogueSessions } from './sessions/sessions.ts';
import type { Counters } from './stats/counters.ts';
import type { Upstreams } from './upstream/upstream.ts';
import { createArgumentValidator } from './validate/validator.ts';

export interface CatalogueToolsOptions {
  readonly upstreams: Upstreams;
  readonly sessions: SessionStore;
  readonly pruner: ResultPruner;
  readonly counters: Counters;
  /** The most tools that a goal selects. */
  readonly cap?: number;
  /** What the definitions of one answer may cost, in estimated tokens. */
  readonly replyTokens?: number | undefined;
  /** A model that chooses the tools, where the user configured one. */
  readonly filter?: ModelFilterConfig | undefined;
  readonly fetch: typeof globalThis.fetch;
  readonly onProblem?: (message: string) => void;
}

export interface CatalogueTools {
  /** The two tools for a connection with this key, or for callers that have none. */
  readonly forConnection: (connection: string | undefined) => readonly Tool[];
  /** Resolves when all that was delivered is on record. */
  readonly settled: () => Promise<void>;
}

/** What all connections share: the prepared catalogue, the sessions, the schemas that were read once. */
export function createCatalogueTools(options: CatalogueToolsOptions): CatalogueTools {
  const { upstreams, counters, pruner, fetch, filter, cap = DEFAULT_CAP } = options;
  const onProblem = options.onProblem ?? (() => undefined);
  const sessions = createCatalogueSessions({ store: options.sessions, onProblem });
  const ranker = createRanker(createEmbeddedBackend());
  const chooser = filter === undefined ? undefined : createModelFilter({ ...filter, fetch, onProblem });
  const { replyTokens } = options;
  const shared = {
    upstreams,
    sessions,
    counters,
    ranker,
    cap,
    filter: chooser,
    ...(replyTokens !== undefined && { replyTokens }),
  };
  const evaluate = createAutomaticEval({ upstreams, counters, pruner, validator: createArgumentValidator() });
  return {
    forConnection: (connection) => [createAutomaticMcp({ ...shared, connection }), evaluate],
    settled: sessions.settled,
  };
}

import type * as Engine from '@jeeves/engine';
import type {
  Backend,
  PruneDependencies,
  PruneRequest,
  PruneResult,
  RecoveryStore,
  TokenCounter,
} from '@jeeves/engine';
import type { Config } from '../../config.ts';
import { createJudge } from './judge.ts';
import { createTally, type Tally } from './tally.ts';

export interface TextServiceOptions {
  readonly config: Pick<Config, 'judge' | 'maxInputChars'>;
  readonly store: RecoveryStore;
  readonly fetch: typeof globalThis.fetch;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly randomBytes: (count: number) => Uint8Array;
}

/** Pruning of whole texts, for every way in: the tool, `/rpc` and `/prune` count together and share one cache. */
export interface TextService {
  readonly tally: Tally;
  readonly store: RecoveryStore;
  /** Prunes with who is configured to judge. */
  readonly prune: (request: PruneRequest, options?: PruneOptions) => Promise<PruneResult>;
  /** The same with the embedded backend, whatever is configured, and with what it judged. */
  readonly pruneEmbedded: (request: PruneRequest) => Promise<PruneResult & { readonly scores?: Float64Array }>;
  readonly countTokens: TokenCounter | undefined;
  /** Loads what the first call would have to wait for. */
  readonly warm: () => Promise<void>;
}

export interface PruneOptions {
  /** Keeps the raw text; the service's own store when absent. */
  readonly store?: RecoveryStore | undefined;
  /** Aborted when nobody wants the result any more. Asked for only where somebody else judges, who may take long. */
  readonly signal?: (() => AbortSignal) | undefined;
}

interface Parts {
  readonly engine: typeof Engine;
  readonly judge: Backend;
  readonly countTokens: TokenCounter;
}

export function createTextService(options: TextServiceOptions): TextService {
  const { config, store, now, randomBytes } = options;
  let loaded: Parts | undefined;
  let loading: Promise<Parts> | undefined;
  const parts = async (): Promise<Parts> => {
    loading ??= load(options);
    loaded = await loading;
    return loaded;
  };
  const dependencies = ({ engine, countTokens }: Parts): Omit<PruneDependencies, 'backend' | 'store'> => ({
    newId: () => engine.newPruneId(randomBytes),
    now,
    countTokens,
    exactTokens: async () => countTokens,
  });
  return {
    tally: createTally(),
    store,
    async prune(request, { store: where = store, signal } = {}) {
      const ready = loaded ?? (await parts());
      const asksOthers = config.judge.backend !== 'heuristic' && signal !== undefined;
      const bounded = {
        ...request,
        maxInputChars: config.maxInputChars,
        ...(asksOthers && { signal: signal() }),
      };
      return await ready.engine.prune(bounded, { ...dependencies(ready), backend: ready.judge, store: where });
    },
    async pruneEmbedded(request) {
      const ready = loaded ?? (await parts());
      const { backend, scores } = remembering(ready.engine.createEmbeddedBackend());
      const bounded = { ...request, maxInputChars: config.maxInputChars };
      const result = await ready.engine.prune(bounded, { ...dependencies(ready), backend, store: FORGETFUL });
      const found = scores();
      return found === undefined ? result : { ...result, scores: found };
    },
    get countTokens() {
      return loaded?.countTokens;
    },
    warm: async () => void (await parts()),
  };
}

async function load({ config, fetch, now }: TextServiceOptions): Promise<Parts> {
  const [engine, judge, countTokens] = await Promise.all([
    import('@jeeves/engine'),
    createJudge(config.judge, { fetch, now }),
    import('@jeeves/engine/tokens').then(({ loadTokenCounter }) => loadTokenCounter()),
  ]);
  return { engine, judge, countTokens };
}

/** For texts that nobody is told the id of. */
const FORGETFUL: RecoveryStore = {
  url: 'none:',
  put: () => Promise.resolve(),
  get: () => Promise.resolve(undefined),
  close: () => Promise.resolve(),
};

function remembering(inner: Backend): { backend: Backend; scores: () => Float64Array | undefined } {
  let scores: Float64Array | undefined;
  return {
    scores: () => scores,
    backend: {
      name: inner.name,
      async judge(request) {
        const judgement = await inner.judge(request);
        ({ scores } = judgement);
        return judgement;
      },
    },
  };
}

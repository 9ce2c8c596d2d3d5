import type { Emit } from '@jeeves/protocol';
import type { Config } from '../config.ts';
import { openRoot } from '../exec/root.ts';
import type { Tool } from '../host/tool.ts';
import { createLazyStore } from '../pruner/store.ts';
import { createPruner } from '../pruner.ts';
import { createBash } from './bash.ts';
import { createContextTools } from './context/index.ts';
import { createGrep } from './grep.ts';
import { createRead } from './read.ts';
import { createRecover } from './recover.ts';
import { createHealth } from './text/health.ts';
import { createPruneText } from './text/prune-text.ts';
import { createTextService, type TextService } from './text/service.ts';

export interface ToolDependencies {
  readonly config: Config;
  readonly emit: Emit;
  readonly identity: { readonly version: string };
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly fetch: typeof globalThis.fetch;
  /** Whose texts never push out those of others. Absent: the quota of agents. */
  readonly quota?: string | undefined;
}

/** The tools, and what they hold. */
export interface ToolBox {
  readonly tools: readonly Tool[];
  /** What the text tools are made of, for other ways to ask for the same. */
  readonly text: TextService;
  close(): Promise<void>;
}

/** Every tool there is. Engine, store and search program are loaded and opened when a call first needs them. */
export async function createTools(dependencies: ToolDependencies): Promise<ToolBox> {
  const { config, emit, identity, now, randomBytes, fetch } = dependencies;
  const root = await openRoot(config.root);
  const store = createLazyStore({
    url: config.storeUrl,
    home: config.home,
    ttlMs: config.pruneIdTtlMs,
    quota: dependencies.quota,
    now,
    onProblem: (message) => emit({ event: 'mcp_pruner.config_invalid', data: { variable: 'JEEVES_STORE', message } }),
  });
  const pruner = createPruner({
    setting: config.pruner,
    timeoutMs: config.prunerTimeoutMs,
    store,
    randomBytes,
    fetch,
    now,
  });
  // The handshake is over by now, so nobody waits for this; the first goal finds it done.
  if (pruner.enabled) void import('@jeeves/engine').catch(() => undefined);
  const text = createTextService({ config, store, fetch, now, randomBytes });
  const { environment, environmentPass, shellLogin, output, home, storeUrl } = config;
  const early = config.tools.some((name) => name.startsWith('context_'));
  const context = createContextTools({ ...config.context, storeUrl, home, early, recovery: store, now, randomBytes });
  const tools = [
    createRead({ root, pruner, now }),
    createBash({ root, pruner, environment, environmentPass, shellLogin }),
    createGrep({ root, pruner, environment }),
    createPruneText({ text, now }),
    createRecover({ store, output, now }),
    createHealth({ tally: text.tally, version: identity.version, now }),
    ...context.tools,
  ];
  return {
    tools,
    text,
    close: async () => {
      await Promise.all([store.close(), context.close()]);
    },
  };
}

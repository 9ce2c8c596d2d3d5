import { Buffer } from 'node:buffer';
import { existsSync } from 'node:fs';
import type { Context, Prices } from '@jeeves/context';
import type { RecoveryStore } from '@jeeves/engine';
import type { Stores } from '@jeeves/store';
import type { Tool } from '../../host/tool.ts';
import { createAnalyzeUsage, createGcAnalyze } from './analysis.ts';
import type { ContextToolDependencies } from './answer.ts';
import { createGcPin, createGcPrune, createGcUnpin, createWorkingSet } from './collection.ts';
import { createRetrieveStashed, createSearchStashed, createStash } from './stash.ts';
import { createGetTaskContext, createListProjects, createSetCurrentTask, createTaskSnapshot } from './tasks.ts';

export interface ContextToolsOptions {
  /** Absent: the file in the home directory. */
  readonly storeUrl?: string | undefined;
  readonly home: string;
  /** Opens a store that is there already before anybody calls: the first call then finds it open. */
  readonly early?: boolean | undefined;
  /** Where texts wait that are returned in part. */
  readonly recovery: RecoveryStore;
  readonly now: () => number;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly prices?: Prices | undefined;
  readonly paybackTurns?: number | undefined;
  readonly tokenLimit?: number | undefined;
}

export interface ContextTools {
  readonly tools: readonly Tool[];
  close(): Promise<void>;
}

/** The context tools. Library, engine and store are loaded and opened when a call first needs them, or early. */
export function createContextTools(options: ContextToolsOptions): ContextTools {
  let opening: Promise<{ context: Context; stores: Stores }> | undefined;
  const open = async (): Promise<Context> => {
    opening ??= openContext(options).catch((error: unknown) => {
      // The next call tries again. Nothing stands in for the store: what is acknowledged must be there tomorrow.
      opening = undefined;
      throw error;
    });
    return (await opening).context;
  };
  const early = options.early === true ? openEarly(options, open).catch(() => undefined) : undefined;
  const dependencies: ContextToolDependencies = { open, now: options.now };
  return {
    tools: [
      createAnalyzeUsage,
      createWorkingSet,
      createGcAnalyze,
      createGcPrune,
      createGcPin,
      createGcUnpin,
      createStash,
      createSearchStashed,
      createRetrieveStashed,
      createListProjects,
      createSetCurrentTask,
      createGetTaskContext,
      createTaskSnapshot,
    ].map((create) => create(dependencies)),
    close: async () => {
      await early;
      const opened = await opening?.catch(() => undefined);
      await opened?.stores.close();
    },
  };
}

const FILE = 'sqlite:';

/** What fails here fails again for whoever calls, and is told then. A server that is never called makes no file. */
async function openEarly({ storeUrl, home }: ContextToolsOptions, open: () => Promise<unknown>): Promise<void> {
  const { defaultStoreUrl } = await import('@jeeves/store');
  const url = storeUrl ?? defaultStoreUrl(home);
  const isMissing = url.startsWith(FILE) && !existsSync(url.slice(FILE.length));
  if (!isMissing) await open();
}

async function openContext(options: ContextToolsOptions): Promise<{ context: Context; stores: Stores }> {
  const { recovery, now, randomBytes, home, prices, paybackTurns, tokenLimit } = options;
  const [{ createContext }, { createEmbeddedBackend, newPruneId }, { defaultStoreUrl, openStores }] = await Promise.all(
    [import('@jeeves/context'), import('@jeeves/engine'), import('@jeeves/store')],
  );
  const stores = await openStores(options.storeUrl ?? defaultStoreUrl(home), { now });
  const context = createContext({
    store: stores.segments,
    recovery,
    backend: createEmbeddedBackend(),
    now,
    newPruneId: () => newPruneId(randomBytes),
    newSnapshotId: () => `snap_${Buffer.from(randomBytes(16)).toString('hex')}`,
    prices,
    paybackTurns,
    tokenLimit,
  });
  return { context, stores };
}

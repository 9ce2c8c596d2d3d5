import { EngineError, type ListingStore, type RecoveryStore } from '@jeeves/engine';
import { type Context, write } from './context.ts';
import { UsageError } from './failure.ts';

/** The store to keep a text in. One that cannot be opened refuses texts, which makes pruning return them whole. */
export async function openForPruning(context: Context): Promise<RecoveryStore> {
  if (context.config.storeUrl === 'memory:') {
    await write(
      context.stderr,
      'warning: JEEVES_STORE is memory:, which ends with this process: `jeeves recover` will not find this text\n',
    );
  }
  try {
    return await openStoreOf(context);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    await write(context.stderr, `warning: ${error.message}\n`);
    return refusing(new EngineError('store_failed', error.message, { cause: error }));
  }
}

/** The store to look a text up in. */
export async function openForRecovery(context: Context): Promise<ListingStore> {
  if (context.config.storeUrl === 'memory:') {
    throw new UsageError(
      'JEEVES_STORE is memory:, so nothing that another process pruned can be found; ' +
        'unset it, or set sqlite:<path>, before pruning and recovering',
    );
  }
  try {
    return await openStoreOf(context);
  } catch (error) {
    if (error instanceof EngineError) throw new UsageError(`JEEVES_STORE: ${error.message}`);
    throw error;
  }
}

/** The configured store. The library is loaded here and not at the top: most calls of the program never need it. */
export async function openStoreOf({ config, now }: Context): Promise<ListingStore> {
  const { defaultStoreUrl, openStore } = await import('@jeeves/engine/store/sqlite');
  return await openStore(config.storeUrl ?? defaultStoreUrl(config.home), { now });
}

/** Keeps nothing, so that the engine's own rule applies: what cannot be given back is not taken away. */
function refusing(error: EngineError): RecoveryStore {
  return {
    url: 'none:',
    put: () => Promise.reject(error),
    get: () => Promise.reject(error),
    close: () => Promise.resolve(),
  };
}

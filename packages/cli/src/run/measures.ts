import type { RecoveryStore } from '@jeeves/engine';
import type { CountTokens } from '@jeeves/runner';
import type { Context } from '../context.ts';
import { openStoreOf } from '../store.ts';
import { tokenCounter } from '../tokens.ts';

/** What makes a ledger's figures measured instead of estimated. */
export interface Measures {
  readonly loadCounter: () => Promise<CountTokens>;
  readonly rawText: (pruneId: string) => Promise<string | undefined>;
  readonly close: () => Promise<void>;
}

/** The tokenizer and the store, each opened at its first use. */
export function openMeasures(context: Context): Measures {
  let opening: Promise<RecoveryStore | undefined> | undefined;
  const open = async (): Promise<RecoveryStore | undefined> =>
    context.config.storeUrl === 'memory:' ? undefined : await openStoreOf(context);
  return {
    loadCounter: () => tokenCounter(true),
    async rawText(pruneId) {
      try {
        opening ??= open();
        return (await (await opening)?.get(pruneId))?.text;
      } catch {
        // Counting is a courtesy: without the text the ledger estimates.
        return undefined;
      }
    },
    async close() {
      const store = await opening?.catch(() => undefined);
      await store?.close();
    },
  };
}

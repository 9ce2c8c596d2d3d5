import type { RecoveryStore } from '@jeeves/engine';
import { RPC_RECOVER_TEXT, type RpcRecoverTextArgs } from '@jeeves/protocol';
import type { Tool } from '../../host/tool.ts';
import { createRecover } from '../../tools/recover.ts';
import { createHealth } from '../../tools/text/health.ts';
import { createPruneText } from '../../tools/text/prune-text.ts';
import type { RouteDependencies } from '../dependencies.ts';

/** The text tools as `/rpc` offers them: the schemas of seed 002 §4.0, JSON for everybody, texts kept for a shorter time. */
export function createRpcTools({ text, config, identity, now }: RouteDependencies): readonly Tool[] {
  const recover = createRecover({ store: text.store, output: 'structured', now });
  const rpcRecover: Tool<RpcRecoverTextArgs> = { definition: RPC_RECOVER_TEXT, run: (call) => recover.run(call) };
  return [
    createPruneText({ text, store: keptFor(text.store, config.rpcTtlMs), now }),
    rpcRecover,
    createHealth({ tally: text.tally, version: identity.version, now }),
  ];
}

/** The same store, in which a text from here waits for a time of its own. */
function keptFor(store: RecoveryStore, ttlMs: number): RecoveryStore {
  return {
    url: store.url,
    put: (entry) => store.put(entry, ttlMs),
    get: (pruneId) => store.get(pruneId),
    close: () => store.close(),
  };
}

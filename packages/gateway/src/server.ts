import { createRecover, type OutputMode, type ServerIdentity } from '@jeeves/mcp-pruner/host';
import type { Emit } from '@jeeves/protocol';
import { createCatalogueTools } from './catalogue-tools.ts';
import type { LoadedConfig } from './config.ts';
import { createGateway, type Gateway } from './gateway.ts';
import { identity } from './identity.ts';
import { createResultPruner } from './prune-result.ts';
import { createRecorder, type Recorder } from './stats/recorder.ts';
import { createLazyStores } from './stores.ts';
import { stateDirectory } from './upstream/state.ts';
import type { Upstreams } from './upstream/upstream.ts';
import { createUpstreams } from './upstream/upstreams.ts';

export interface ServerDependencies {
  readonly config: LoadedConfig;
  readonly passthrough: boolean;
  /** Whether a peer stays connected, as over stdio. */
  readonly stays: boolean;
  readonly version: string;
  readonly home: string;
  /** `JEEVES_STORE`; absent means the file in the home directory. */
  readonly storeUrl?: string | undefined;
  readonly output: OutputMode;
  readonly emit: Emit;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly fetch: typeof globalThis.fetch;
  readonly pid: number;
  /** Has the listener called when the process ends, for whatever reason it still can. */
  readonly onExit: (listener: () => void) => void;
}

export interface Server extends Gateway {
  /** What it says of itself to whoever connects. */
  readonly identity: ServerIdentity;
  /** Resolves when everything that an earlier gateway remembered of the servers is known. */
  readonly loaded: Promise<void>;
  /** Takes another configuration of the servers. */
  readonly reconfigure: (config: LoadedConfig) => Promise<void>;
  /** Ends the upstreams and writes what was counted. */
  readonly close: () => Promise<void>;
}

/** Everything a gateway consists of. Upstreams that were never listed are started at once, others when they are called. */
export function createServer(dependencies: ServerDependencies): Server {
  const { config, passthrough, stays, version, home, emit, now, randomBytes, output } = dependencies;
  const directory = stateDirectory(home);
  const recorder = createRecorder(directory, now);
  const upstreams = counted(
    createUpstreams({
      ...dependencies,
      servers: config.servers,
      unusable: config.unusable,
      env: config.env,
      stateDirectory: directory,
    }),
    recorder,
  );
  const report = (field: string) => (message: string) => {
    emit({ event: 'gateway.config_invalid', data: { field, message } });
  };
  const stores = createLazyStores({ url: dependencies.storeUrl, home, now, onProblem: report('JEEVES_STORE') });
  const store = stores.recovery;
  const pruner = createResultPruner({ store, randomBytes, now, counters: recorder, output });
  const { maxTools, replyTokens, filter } = config.catalogue;
  const catalogue = createCatalogueTools({
    upstreams,
    sessions: stores.sessions,
    pruner,
    counters: recorder,
    ...(maxTools !== undefined && { cap: maxTools }),
    replyTokens,
    filter,
    fetch: dependencies.fetch,
    onProblem: report('gateway'),
  });
  const self = identity(version, { passthrough, stays, purposes: upstreams.purposes });
  const gateway = createGateway({
    upstreams,
    identity: self,
    passthrough,
    catalogueTools: catalogue.forConnection,
    recover: createRecover({ store, output, now }),
    pruner,
    counters: recorder,
    output,
    emit,
    now,
    randomBytes,
  });
  return {
    ...gateway,
    identity: self,
    loaded: upstreams.loaded,
    reconfigure: ({ servers, unusable }) => upstreams.reconfigure(servers, unusable),
    close: async () => {
      await Promise.allSettled([upstreams.close(), recorder.close(), catalogue.settled()]);
      await stores.close();
    },
  };
}

function counted(upstreams: Upstreams, recorder: Recorder): Upstreams {
  return {
    ...upstreams,
    call: async (call) => {
      recorder.add('toolCalls');
      const started = performance.now();
      const result = await upstreams.call(call);
      recorder.called(call.server, Math.round(performance.now() - started), result.isError === true);
      return result;
    },
  };
}

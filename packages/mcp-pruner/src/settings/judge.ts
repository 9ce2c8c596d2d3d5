import { type ENVIRONMENT, parseHttpUrl } from '@jeeves/protocol';
import type { Values } from './values.ts';

/** Who judges in `prune_text`, and how long a judgement is reused. */
export interface Judge {
  readonly backend: 'heuristic' | 'deepinfra';
  readonly deepinfra: {
    /** From the environment only. */
    readonly apiKey?: string;
    /** Absent: DeepInfra's own address. */
    readonly endpointUrl?: string;
    readonly timeoutMs: number;
    readonly maxDocs: number;
  };
  readonly cache: { readonly ttlMs: number; readonly maxItems: number };
}

export function readJudge(values: Values): Judge {
  const apiKey = values.text('DEEPINFRA_API_KEY');
  const endpointUrl = readEndpoint(values);
  return {
    backend: readBackend(values),
    deepinfra: {
      ...(apiKey !== undefined && { apiKey }),
      ...(endpointUrl !== undefined && { endpointUrl }),
      timeoutMs: values.integer('DEEPINFRA_TIMEOUT_MS'),
      maxDocs: values.integer('DEEPINFRA_MAX_DOCS'),
    },
    cache: {
      ttlMs: values.integer('MCP_PRUNER_CACHE_TTL_S') * 1000,
      maxItems: values.integer(cacheName(values)),
    },
  };
}

/** An unknown name in the environment leaves the choice to the file: only a known one can overrule it. */
function readBackend(values: Values): Judge['backend'] {
  const name = 'KIMI_PRUNING_BACKEND';
  const { env, file } = values.both(name);
  for (const [value, where] of [
    [env, 'the environment'],
    [file, 'the configuration file'],
  ] as const) {
    const wanted = value?.trim().toLowerCase();
    if (wanted === undefined || wanted === '') continue;
    if (wanted === 'heuristic') return 'heuristic';
    if (wanted === 'deepinfra' || wanted === 'cloud') return 'deepinfra';
    values.report(name, `${where} names an unknown backend; expected heuristic or deepinfra`);
  }
  return 'heuristic';
}

function readEndpoint(values: Values): string | undefined {
  const value = values.text('DEEPINFRA_ENDPOINT_URL');
  if (value === undefined) return undefined;
  const parsed = parseHttpUrl(value);
  if (parsed.ok) return parsed.value;
  values.report('DEEPINFRA_ENDPOINT_URL', parsed.message);
  return undefined;
}

type CacheName = Extract<keyof typeof ENVIRONMENT, `MCP_PRUNER_CACHE_MAX_${string}`>;

/** The name that decides: where it is set, in the environment or in the file, wins over what it is called. */
export function cacheName(values: Values): CacheName {
  const names: readonly CacheName[] = ['MCP_PRUNER_CACHE_MAX_ITEMS', 'MCP_PRUNER_CACHE_MAX_ENTRIES'];
  const inEnv = names.find((name) => values.origin(name) === 'env');
  const inFile = names.find((name) => values.origin(name) === 'file');
  return inEnv ?? inFile ?? 'MCP_PRUNER_CACHE_MAX_ITEMS';
}

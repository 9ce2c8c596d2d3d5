import {
  type Backend,
  createDeepInfraBackend,
  createEmbeddedBackend,
  createSwePrunerBackend,
  withFallback,
} from '@jeeves/engine';
import type { Context } from './context.ts';
import { UsageError } from './failure.ts';

/** `heuristic` is the embedded backend, whichever that is. */
export const BACKENDS = ['lexical', 'heuristic', 'swe-pruner', 'deepinfra'] as const;
/** A value of `--backend`. */
export type BackendName = (typeof BACKENDS)[number];

/** Who judges. A service that fails is replaced by the embedded backend; one that is not configured is an error. */
export async function chooseBackend(name: BackendName, context: Context): Promise<Backend> {
  const embedded = createEmbeddedBackend();
  if (name === 'swe-pruner') return withFallback(await swePruner(context), embedded);
  if (name === 'deepinfra') return withFallback(await deepInfra(context), embedded);
  return embedded;
}

async function swePruner({ config, fetch }: Context): Promise<Backend> {
  const { parsePrunerUrl } = await import('@jeeves/protocol');
  const { url, timeoutMs } = config.pruner;
  const target = url === undefined ? undefined : parsePrunerUrl(url);
  if (target?.ok !== true || target.value.kind !== 'http') {
    throw new UsageError(
      '--backend swe-pruner needs PRUNER_URL, the address of the service: PRUNER_URL=http://localhost:8000/prune',
    );
  }
  return createSwePrunerBackend({
    url: target.value.url,
    timeoutMs: await setting('PRUNER_TIMEOUT_MS', timeoutMs),
    fetch,
  });
}

async function deepInfra({ config, fetch }: Context): Promise<Backend> {
  const { apiKey, endpointUrl, timeoutMs, maxDocs } = config.deepinfra;
  if (apiKey === undefined) {
    throw new UsageError('--backend deepinfra needs DEEPINFRA_API_KEY; the lines of the text are sent to DeepInfra');
  }
  return createDeepInfraBackend({
    apiKey,
    ...(endpointUrl === undefined ? {} : { endpointUrl }),
    timeoutMs: await setting('DEEPINFRA_TIMEOUT_MS', timeoutMs),
    maxDocs: await setting('DEEPINFRA_MAX_DOCS', maxDocs),
    fetch,
  });
}

async function setting(
  name: 'PRUNER_TIMEOUT_MS' | 'DEEPINFRA_TIMEOUT_MS' | 'DEEPINFRA_MAX_DOCS',
  value: string | undefined,
): Promise<number> {
  const { ENVIRONMENT, parseInteger } = await import('@jeeves/protocol');
  if (value === undefined) return ENVIRONMENT[name].default;
  const parsed = parseInteger(value, ENVIRONMENT[name]);
  if (parsed.ok) return parsed.value;
  throw new UsageError(`${name}: ${parsed.message}`);
}

import { createDeepInfraBackend, DEEPINFRA_ENDPOINT, EngineError, Lines } from '@jeeves/engine';
import { masked } from '@jeeves/mcp-pruner/settings';
import type { PruneTextResult } from '@jeeves/protocol';
import type { Context } from '../context.ts';
import { broken, type Check, messageOf, ok } from './check.ts';
import { GOAL, SAMPLE } from './sample.ts';

/** The reranker that judges in `prune_text` is asked itself: a server would only say that it had to do without. */
export async function checkDeepInfra(
  { config, fetch }: Context,
  limits: { readonly timeoutMs: number; readonly maxDocs: number },
): Promise<Check> {
  const name = 'DeepInfra';
  const { apiKey, endpointUrl = DEEPINFRA_ENDPOINT } = config.deepinfra;
  try {
    const backend = createDeepInfraBackend({ apiKey, endpointUrl, ...limits, fetch });
    const { facts } = await backend.judge({ texts: new Lines(SAMPLE), goal: GOAL, source: 'logs' });
    return ok(name, `${masked(endpointUrl)} judges, in ${facts?.['deepinfraLatencyMs']} ms`);
  } catch (error) {
    if (!(error instanceof EngineError)) return broken(name, messageOf(error), WITHOUT);
    const fix = error.code === 'config_error' ? settingFix(error.message) : fixFor(error.code, error.data['status']);
    return broken(name, `${masked(endpointUrl)}: ${error.message}`, `${fix}; ${WITHOUT}`);
  }
}

/** What to do where a service had to do without; undefined when it had not. */
export function deepInfraFix({ warnings, stats }: PruneTextResult): string | undefined {
  if (!warnings.includes('deepinfra_error')) return undefined;
  if (warnings.includes('deepinfra_config_error'))
    return 'set a usable DEEPINFRA_API_KEY, or correct DEEPINFRA_ENDPOINT_URL';
  const code = warnings.includes('deepinfra_parse_error') ? 'invalid_response' : 'http_error';
  return fixFor(code, stats.deepinfra_http_status);
}

const WITHOUT = 'KIMI_PRUNING_BACKEND=heuristic does without it';

function settingFix(message: string): string {
  if (!message.includes('key')) return 'correct DEEPINFRA_ENDPOINT_URL';
  return message.includes('needs') ? 'set DEEPINFRA_API_KEY' : 'correct DEEPINFRA_API_KEY';
}

function fixFor(code: string, status: unknown): string {
  if (code === 'invalid_response') return 'see to DEEPINFRA_ENDPOINT_URL: what answers there is no reranker';
  if (code === 'timeout') return 'see to the network, or allow for more time with DEEPINFRA_TIMEOUT_MS';
  if (typeof status !== 'number') return 'see to the network, to a proxy in between, and to DEEPINFRA_ENDPOINT_URL';
  if (status === 401 || status === 403) return 'see to DEEPINFRA_API_KEY: it is not accepted';
  if (status === 402 || status === 429) return 'wait, or see to the limits and the balance of the account';
  return status >= 500 ? 'try again later: the service itself has failed' : 'see to DEEPINFRA_ENDPOINT_URL';
}

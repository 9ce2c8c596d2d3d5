import type { EnvName, EnvReader } from './env.ts';

/** Names of an earlier draft, and what to set instead. */
export const REPLACED_ENV_NAMES: Readonly<Record<string, EnvName | null>> = {
  JEEVES_MCP_PRUNER_ENABLED: 'JEEVES_PRUNER_ENABLED',
  JEEVES_MCP_PRUNER_HOST: 'MCP_PRUNER_HOST',
  JEEVES_MCP_PRUNER_PORT: 'MCP_PRUNER_PORT',
  JEEVES_MCP_PRUNER_ROOT_DIR: 'MCP_PRUNER_CWD',
  JEEVES_PRUNER_ENDPOINT: 'JEEVES_PRUNER_URL',
  JEEVES_PRUNER_TIMEOUT_MS: 'PRUNER_TIMEOUT_MS',
  // The limit is fixed: 2,097,152 bytes.
  JEEVES_MCP_PRUNER_MAX_PRUNE_INPUT_BYTES: null,
};

/**
 * Each of those names that is set, with what to set instead. Nobody reads them: what they once stood for differs in
 * range and default, and whoever set one must hear that it does nothing.
 */
export function replacedVariables(
  env: Readonly<Record<string, string | undefined>>,
  reader: Extract<EnvReader, 'server' | 'runner'>,
): readonly { readonly variable: string; readonly message: string }[] {
  return Object.entries(REPLACED_ENV_NAMES).flatMap(([variable, named]) => {
    if ((env[variable]?.trim() ?? '') === '') return [];
    // The address of the pruner has one name for a run and another for a server that somebody starts.
    const now = named === 'JEEVES_PRUNER_URL' && reader === 'server' ? 'PRUNER_URL' : named;
    return [{ variable, message: now === null ? 'nothing reads it' : `nothing reads it; set ${now}` }];
  });
}

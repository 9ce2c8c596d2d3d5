import type { McpServerConfig } from '@jeeves/protocol';
import type { ProviderRunOptions } from '../../provider.ts';
import { startTimeout, TOOL_TIMEOUT_MS } from '../client/environment.ts';
import { isBareKey, tomlString, tomlStrings } from './toml.ts';

/** What `codex exec` is told beside its prompt: each entry is the `key=value` of one `--config`. */
export function codexOverrides(options: ProviderRunOptions): string[] {
  return [...BEHAVIOUR, ...endpointOverrides(options), ...serverOverrides(options)];
}

/** Nobody is there to be asked, and nothing is fetched that the task does not need. */
const BEHAVIOUR: readonly string[] = [
  'approval_policy="never"',
  'features.plugins=false',
  'features.apps=false',
  'features.remote_plugin=false',
  'analytics.enabled=false',
  'check_for_update_on_startup=false',
];

/** Another endpoint is another provider: the base URL of the built-in one is not to be changed. */
function endpointOverrides({ env }: Pick<ProviderRunOptions, 'env'>): string[] {
  const url = baseUrl(env);
  if (url === undefined) return [];
  const key = apiKey(env) === undefined ? [] : ['model_providers.jeeves.env_key="CODEX_API_KEY"'];
  return [
    'model_provider="jeeves"',
    'model_providers.jeeves.name="jeeves"',
    `model_providers.jeeves.base_url=${tomlString(url)}`,
    'model_providers.jeeves.wire_api="responses"',
    ...key,
  ];
}

/** The address of the model API where the user named one. */
export function baseUrl(env: ProviderRunOptions['env']): string | undefined {
  return given(env['CODEX_BASE_URL']) ?? given(env['OPENAI_BASE_URL']);
}

export function apiKey(env: ProviderRunOptions['env']): string | undefined {
  return given(env['CODEX_API_KEY']) ?? given(env['OPENAI_API_KEY']);
}

/** Servers as `mcp_servers.*`, over stdio, callable without being asked and there before the first request. */
function serverOverrides(options: ProviderRunOptions): string[] {
  const servers = Object.entries(options.mcpServers ?? {}).filter(([name, server]) => canOverride(name, server));
  if (servers.length === 0) return [];
  const patience = startTimeout(options);
  const behaviour = (name: string): string[] => [
    `mcp_servers.${name}.default_tools_approval_mode="approve"`,
    `mcp_servers.${name}.startup_timeout_sec=${patience / 1000}`,
    `mcp_servers.${name}.tool_timeout_sec=${TOOL_TIMEOUT_MS / 1000}`,
  ];
  const overrides = servers.flatMap(([name, server]) => serverOverride(name, server).concat(behaviour(name)));
  return [`mcp_optional_startup_grace_ms=${patience}`, ...overrides];
}

function serverOverride(name: string, { command, args = [], env = {} }: McpServerConfig): string[] {
  return [
    `mcp_servers.${name}.command=${tomlString(command)}`,
    ...(args.length > 0 ? [`mcp_servers.${name}.args=${tomlStrings(args)}`] : []),
    ...Object.entries(env).map(([key, value]) => `mcp_servers.${name}.env.${key}=${tomlString(value)}`),
  ];
}

/** Whether Codex can be told of a server on its command line. */
export function canOverride(name: string, { env = {} }: McpServerConfig): boolean {
  return [name, ...Object.keys(env)].every(isBareKey);
}

function given(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === '' ? undefined : value;
}

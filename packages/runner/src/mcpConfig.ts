import { accessSync, constants, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { ENVIRONMENT, type McpServerConfig, parseBoolean, parsePrunerUrl } from '@jeeves/protocol';
import type { RunnerConfig } from './config.ts';

/** The name agents know the server by: `mcp:pruner/read`. */
export const PRUNER_SERVER = 'pruner';

export type McpServers = Readonly<Record<string, McpServerConfig>>;

/** What the environment makes of the pruner server. */
export type McpConfig =
  | { readonly kind: 'disabled' }
  | { readonly kind: 'invalid'; readonly variable: string; readonly message: string }
  | { readonly kind: 'resolved'; readonly mcpServers: McpServers };

export interface McpConfigOptions {
  readonly config: Pick<RunnerConfig, 'enabled' | 'url' | 'serverPath'>;
  /** The run's working directory, absolute: the server's root. */
  readonly cwd: string;
  /** Where the installed server may lie, best first. */
  readonly candidates?: readonly string[] | undefined;
}

/** Builds `mcpServers` for a provider. Whatever is wrong here only costs the run its pruner. */
export function buildMcpConfig({ config, cwd, candidates = installedServers() }: McpConfigOptions): McpConfig {
  if (!parseBoolean(config.enabled ?? '')) return { kind: 'disabled' };
  const url = config.url ?? ENVIRONMENT.JEEVES_PRUNER_URL.default;
  const target = parsePrunerUrl(url);
  if (!target.ok) return { kind: 'invalid', variable: 'JEEVES_PRUNER_URL', message: target.message };
  const script = findScript(config.serverPath, candidates);
  if (!script.ok) return { kind: 'invalid', variable: 'JEEVES_MCP_PRUNER_PATH', message: script.message };
  const env = { PRUNER_URL: url, MCP_PRUNER_CWD: cwd };
  return { kind: 'resolved', mcpServers: { [PRUNER_SERVER]: { command: 'node', args: [script.path], env } } };
}

type Script = { readonly ok: true; readonly path: string } | { readonly ok: false; readonly message: string };

/** A script that was named and is missing is never replaced by another: whoever named it meant that one. */
function findScript(named: string | undefined, candidates: readonly string[]): Script {
  if (named !== undefined) {
    if (isReadableFile(named)) return { ok: true, path: named };
    return { ok: false, message: `${JSON.stringify(named)} is not a readable file` };
  }
  const path = candidates.find(isReadableFile);
  if (path !== undefined) return { ok: true, path };
  return {
    ok: false,
    message: 'no readable @jeeves/mcp-pruner is installed; name its script, or install and build it',
  };
}

/** As a dependency first, then where the workspace builds it, seen from this package's `dist`. */
function installedServers(): readonly string[] {
  const workspace = fileURLToPath(new URL('../../mcp-pruner/dist/index.js', import.meta.url));
  try {
    return [createRequire(import.meta.url).resolve('@jeeves/mcp-pruner/dist/index.js'), workspace];
  } catch {
    return [workspace];
  }
}

function isReadableFile(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

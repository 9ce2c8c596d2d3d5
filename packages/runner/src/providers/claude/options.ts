import type { ProviderRunOptions } from '../../provider.ts';
import { clientEnvironment, startTimeout, TOOL_TIMEOUT_MS } from '../client/environment.ts';
import type { ClaudeOptions, ClaudeServer } from './sdk.ts';

/** What the options of a run depend on beside the run itself. */
export interface ClaudeSurroundings {
  /** Whether this process runs as root, where Claude refuses to skip permissions. */
  readonly root: boolean;
}

/**
 * What an unattended agent may use where permissions cannot be skipped: all that coding takes. Left out is what outlives
 * a run, such as schedules and wake-ups.
 */
const CODING_TOOLS: readonly string[] = [
  'Bash',
  'Edit',
  'Glob',
  'Grep',
  'NotebookEdit',
  'Read',
  'Skill',
  'Task',
  'TodoWrite',
  'WebFetch',
  'WebSearch',
  'Write',
];

/** The options of the Claude Agent SDK for a run. Nothing of the user's own Claude settings counts here. */
export function claudeOptions(options: ProviderRunOptions, { root }: ClaudeSurroundings): ClaudeOptions {
  const { cwd, model, maxTurns, mcpServers } = options;
  return {
    cwd,
    env: environment(options),
    ...(model !== undefined && { model }),
    ...(maxTurns !== undefined && { maxTurns }),
    systemPrompt: { type: 'preset', preset: 'claude_code' },
    includePartialMessages: false,
    persistSession: false,
    settingSources: [],
    strictMcpConfig: true,
    ...(mcpServers !== undefined && { mcpServers: withClaudeSettings(mcpServers) }),
    ...permissions(options, root),
  };
}

/** Without `alwaysLoad` Claude hides the tools behind a search, and a model then mostly uses its own. */
function withClaudeSettings(servers: NonNullable<ProviderRunOptions['mcpServers']>): Record<string, ClaudeServer> {
  const made: Record<string, ClaudeServer> = {};
  for (const [name, server] of Object.entries(servers)) {
    made[name] = { ...server, alwaysLoad: true, timeout: TOOL_TIMEOUT_MS };
  }
  return made;
}

/** Claude takes no other value for yes, and ends at once when root skips permissions without it. */
const SANDBOXED = '1';

type Permissions = Pick<ClaudeOptions, 'permissionMode' | 'allowedTools' | 'allowDangerouslySkipPermissions'>;

/** Nobody is there to be asked. A mode that would ask, or wait for a plan to be approved, gets the unattended one. */
function permissions({ permissionMode, mcpServers = {}, env }: ProviderRunOptions, root: boolean): Permissions {
  const servers = Object.keys(mcpServers).map((name) => `mcp__${name.replace(/[^A-Za-z0-9_-]/g, '_')}__*`);
  if (permissionMode === 'acceptEdits') return { permissionMode, allowedTools: servers };
  const mayBypass = permissionMode !== 'dontAsk' && (!root || env['IS_SANDBOX'] === SANDBOXED);
  if (mayBypass) return { permissionMode: 'bypassPermissions', allowDangerouslySkipPermissions: true };
  return { permissionMode: 'dontAsk', allowedTools: [...CODING_TOOLS, ...servers] };
}

function environment(options: ProviderRunOptions): Record<string, string> {
  const env = clientEnvironment(options, {
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    DISABLE_AUTOUPDATER: '1',
  });
  env['MCP_TIMEOUT'] = String(startTimeout(options));
  // Set in shells that Claude Code itself opened; a client started from one is none of that session's business.
  delete env['CLAUDECODE'];
  return env;
}

import { existsSync } from 'node:fs';
import { configPath } from '@jeeves/mcp-pruner/settings/path';
import type { RunnerConfig } from '@jeeves/runner';
import type { Context } from '../context.ts';

/** What environment and configuration file say to a run. Agents are given the environment alone. */
export async function runnerSettings({ config }: Context): Promise<RunnerConfig> {
  const { readRunnerConfig } = await import('@jeeves/runner');
  const { environment, home } = config;
  if (!existsSync(configPath(environment, home))) return readRunnerConfig(environment, home);
  const { overlaid, readConfigFile } = await import('@jeeves/mcp-pruner/settings');
  const all = overlaid(environment, await readConfigFile(environment, home));
  return { ...readRunnerConfig(all, home), agentEnv: environment };
}

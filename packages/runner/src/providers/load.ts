import { RunnerError } from '../errors.ts';
import type { AgentProvider } from '../provider.ts';
import { createFakeProvider } from './fake/fake.ts';
import type { FakeScript } from './fake/script.ts';

/** Their names, as a user writes them. */
export const PROVIDERS = ['claude', 'codex', 'fake'] as const;

/** A provider by name. The SDK of a real one is loaded when it runs: who uses another never needs it. */
export async function loadProvider(
  name: string,
  options: { script?: FakeScript | undefined } = {},
): Promise<AgentProvider> {
  if (name === 'fake') return createFakeProvider({ script: options.script });
  if (name === 'claude') {
    const { createClaudeProvider } = await import('./claudeAgentSdk.ts');
    return createClaudeProvider();
  }
  if (name === 'codex') {
    const { createCodexProvider } = await import('./codexSdk.ts');
    return createCodexProvider();
  }
  throw new RunnerError(
    'unknown_provider',
    `there is no provider named ${JSON.stringify(name)}; use ${PROVIDERS.join(', ')}`,
  );
}

import type { ProviderRunOptions, ServerReport } from '../../src/provider.ts';

/** The server as the runner injects it. */
export const PRUNER = {
  command: 'node',
  args: ['/x/index.js'],
  env: { PRUNER_URL: 'embedded:', MCP_PRUNER_CWD: '/project' },
};

export interface TestRun extends ProviderRunOptions {
  readonly reports: ServerReport[];
  readonly abortRun: () => void;
  readonly withdrawServers: () => void;
}

/** Options of a run without servers, keys or anything else; what was reported is kept. */
export function runOptions(more: Partial<ProviderRunOptions> = {}): TestRun {
  const abort = new AbortController();
  const withdraw = new AbortController();
  const reports: ServerReport[] = [];
  return {
    cwd: '/project',
    env: {},
    abort: abort.signal,
    withdraw: withdraw.signal,
    onServer: (report) => reports.push(report),
    reports,
    abortRun: () => abort.abort(),
    withdrawServers: () => withdraw.abort(),
    ...more,
  };
}

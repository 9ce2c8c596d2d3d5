/** Runs an agent with the pruner wired in. This list is the public surface. */

export { type CompareOptions, type Comparison, compare } from './compare/compare.ts';
export { compareMarkdown } from './compare/report.ts';
export { readTask, type Task } from './compare/task.ts';
export { type RunnerConfig, readRunnerConfig, withoutPruning, withPruning } from './config.ts';
export { RunnerError, type RunnerErrorCode } from './errors.ts';
export { type HttpServer, type HttpServerLimits, type HttpServerOptions, startHttpServer } from './httpServer.ts';
export type { CountTokens } from './ledger/tokens.ts';
export type { AgentProvider, ProviderRunOptions, ServerReport } from './provider.ts';
export { type FakeScript, parseScript } from './providers/fake/script.ts';
export { loadProvider } from './providers/load.ts';
export { makeDirectory } from './record/files.ts';
export { newRunId } from './runId.ts';
export { type RunNews, type RunOptions, type RunOutcome, runAgent, runDirectory } from './runner.ts';
export { runWorkflow, type WorkflowOutcome } from './workflow/runWorkflow.ts';
export { parseWorkflow, type Workflow } from './workflow/workflow.ts';

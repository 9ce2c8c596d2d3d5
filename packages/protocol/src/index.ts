/**
 * The contract of Jeeves: every shape that crosses a process boundary, and the pure functions that read and write them.
 * This list is the public surface. Whatever is added here others may build on, so nothing is added without a user.
 */

// What an agent's tool calls were about
export {
  type CallFacts,
  callFacts,
  type ResultFacts,
  recoverArguments,
  resultFacts,
  withGoal,
} from './call-facts.ts';
// Converting between the engine's words and the wire's
export {
  type EngineFailure,
  fromPruneTextInput,
  fromRecoverTextInput,
  type PruneOutcome,
  type PruneSummary,
  type PruneTextInput,
  type RecoverOutcome,
  type RecoverTextInput,
  toPruneSummary,
  toPruneTextResult,
  toRecoverError,
  toRecoverTextResult,
} from './convert.ts';
// Environment
export {
  ENV_VARIABLES,
  ENVIRONMENT,
  type EnvName,
  type EnvReader,
  type EnvVariable,
} from './env.ts';
export {
  AUTO_PRUNER_URL,
  type Parsed,
  type PrunerTarget,
  parseBoolean,
  parseHttpUrl,
  parseInteger,
  parsePrunerUrl,
} from './env-parse.ts';
export { REPLACED_ENV_NAMES, replacedVariables } from './env-replaced.ts';
// Errors
export {
  CONTEXT_ERRORS,
  type ContextErrorCode,
  HTTP_ERRORS,
  type HttpErrorCode,
  RPC_ERRORS,
  type RpcErrorCode,
  rpcError,
  SEGMENT_PROBLEMS,
  type SegmentProblemCode,
  TOOL_ERRORS,
  type ToolErrorCode,
  type ToolErrorCodeOf,
} from './errors.ts';
// Events
export {
  type Emit,
  EVENTS,
  type EventData,
  type EventEntry,
  type EventLevel,
  type EventName,
  exitData,
  type JeevesEvent,
  LOG_LINE,
  type LogLine,
  toLogLine,
} from './events.ts';
export { type HealthzBody, type HttpError, type HttpErrorBody, httpError } from './http.ts';
export {
  type InvalidParamsError,
  invalidParams,
  invalidParamsText,
  type ParamIssue,
  unknownTool,
} from './invalid-params.ts';
// Results
export { PRUNING_METADATA, type PruningErrorCode, type PruningMetadata, type PruningReason } from './pruning.ts';
export type { AutomaticEvalError, AutomaticMcpResult, ChangedTool, UnavailableServer } from './results/catalogue.ts';
export type {
  AnalyzeUsageResult,
  ClearingCost,
  ContextAnswer,
  ContextError,
  FoundSegment,
  GcAnalyzeResult,
  GcPruneResult,
  ListProjectsResult,
  NextStep,
  PinResult,
  PruningCandidate,
  PruningPlan,
  PruningRecommendation,
  RetrieveStashedResult,
  SearchStashedResult,
  Segment,
  SegmentInfo,
  SegmentProblem,
  SetCurrentTaskResult,
  SnapshotInfo,
  StashResult,
  SuggestedAction,
  TaskContextResult,
  TaskSnapshotResult,
  UnpinResult,
  UsageMetrics,
  UsageRecommendation,
  WorkingSetResult,
} from './results/context.ts';
export type {
  BashError,
  BashResult,
  GrepError,
  GrepMatch,
  GrepResult,
  ReadError,
  ReadResult,
} from './results/files.ts';
export {
  type HealthMetrics,
  type HealthResult,
  PRUNE_REASONS,
  PRUNE_WARNINGS,
  type PruneAnnotation,
  type PruneStats,
  type PruneTextResult,
  type PruneWarning,
  type RecoverTextResult,
} from './results/text.ts';
// JSON-RPC and MCP envelopes
export {
  INITIALIZE_PARAMS,
  type InitializeParams,
  type InitializeResult,
  RESULT_META_KEY,
  type RpcErrorObject,
  type RpcId,
  type RpcMessage,
  type RpcNotification,
  type RpcRequest,
  type RpcResponse,
  readRpcMessage,
  SCHEMA_VERSION,
  SERVER_NAME,
  TOOLS_CALL_PARAMS,
  TOOLS_LIST_PARAMS,
  type ToolsCallParams,
  type ToolsCallResult,
  type ToolsListParams,
  type ToolsListResult,
} from './rpc.ts';
// What a provider tells the runner
export type {
  McpServerConfig,
  ProviderEvent,
  ResponseCompression,
  SystemEvent,
  TextEvent,
  ToolResultEvent,
  ToolUseEvent,
  UsageEvent,
} from './run.ts';
// What a run leaves behind
export type {
  Basis,
  Ledger,
  LedgerCall,
  LedgerFigure,
  LedgerLimit,
  LedgerPrices,
  LedgerReader,
  LedgerTotal,
  PhaseEntry,
  ResponseRetrieval,
  RunFile,
  RunState,
  RunStatus,
  SdkMessage,
  SdkOutput,
  SdkStats,
  SdkToolCall,
} from './run-record.ts';
export { RUN_FILE, SDK_OUTPUT, sdkOutputSchema } from './run-schemas.ts';
export { isDeeperThan, MESSAGE_SHAPE, type ShapeLimits, type ShapeProblem, shapeProblem } from './shape.ts';
export { SWE_PRUNE_REQUEST, type SwePruneRequest, type SwePruneResponse } from './swe-pruner.ts';
// Tools
export {
  AUTOMATIC_EVAL,
  AUTOMATIC_MCP,
  type AutomaticEvalArgs,
  type AutomaticMcpArgs,
  focusOf,
} from './tools/catalogue.ts';
export {
  type AnalyzeUsageArgs,
  CONTEXT_ANALYZE_USAGE,
  CONTEXT_CREATE_TASK_SNAPSHOT,
  CONTEXT_GC_ANALYZE,
  CONTEXT_GC_PIN,
  CONTEXT_GC_PRUNE,
  CONTEXT_GC_UNPIN,
  CONTEXT_GET_TASK_CONTEXT,
  CONTEXT_GET_WORKING_SET,
  CONTEXT_LIST_PROJECTS,
  CONTEXT_RETRIEVE_STASHED,
  CONTEXT_SEARCH_STASHED,
  CONTEXT_SET_CURRENT_TASK,
  CONTEXT_STASH,
  type CreateTaskSnapshotArgs,
  type GcAnalyzeArgs,
  type GcPruneArgs,
  type GetTaskContextArgs,
  type RetrieveStashedArgs,
  type SearchStashedArgs,
  type SegmentIdsArgs,
  type SetCurrentTaskArgs,
  type StashArgs,
  type TaskArgs,
} from './tools/context.ts';
export type {
  ContextDescriptors,
  DescribedFile,
  DescribedMessage,
  DescribedSegment,
  DescribedTask,
  DescribedUsage,
  InlineSegment,
  SegmentFilters,
  SegmentType,
} from './tools/context-args.ts';
export type { ToolAnnotations, ToolDefinition, ToolSet } from './tools/definition.ts';
export { BASH, type BashArgs, GREP, type GrepArgs, READ, type ReadArgs } from './tools/files.ts';
export { FOCUS_ARGUMENT, hasFocus, takeFocus, withFocus } from './tools/focus.ts';
export { DEFAULT_TOOLS, findTool, RPC_TOOLS, TOOL_ALIASES, TOOL_SETS, TOOLS } from './tools/index.ts';
export { type JsonSchema, toolInputSchema, toolReferenceSchema } from './tools/listing.ts';
export { withoutNulls } from './tools/nulls.ts';
export {
  HEALTH,
  type LineRange,
  PRUNE_TEXT,
  type PruneOptionsArgs,
  type PruneTextArgs,
  RECOVER_TEXT,
  type RecoverTextArgs,
  RPC_RECOVER_TEXT,
  type RpcRecoverTextArgs,
} from './tools/text.ts';

import type { ResponseCompression } from './run.ts';

/** How a run ended, or that it has not. */
export type RunStatus = 'running' | 'succeeded' | 'failed' | 'cancelled' | 'timed_out';

/** Where the pruner server of a run stands. */
export type RunState =
  | 'run:init'
  | 'run:mcp_pruner_disabled'
  | 'run:mcp_pruner_starting'
  | 'run:mcp_pruner_running'
  | 'run:mcp_pruner_degraded'
  | 'run:shutdown';

/** `run.json`: what a run was, and how it went. */
export interface RunFile {
  readonly schema: 'jeeves.run.v1';
  readonly run_id: string;
  readonly provider: string;
  readonly model: string | null;
  readonly cwd: string;
  readonly pid: number;
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly status: RunStatus;
  /** Present when no model was asked: every figure is computed by the fake provider. */
  readonly simulated?: true | undefined;
  /** The states of the pruner server, in order. */
  readonly states: readonly RunState[];
  readonly error?: string | undefined;
  readonly error_type?: string | undefined;
  readonly ledger?: Ledger | undefined;
  /** Of a workflow: its phases in the order they ran, each with a record of its own under `phases/`. */
  readonly workflow?: string | undefined;
  readonly phases?: readonly PhaseEntry[] | undefined;
}

export interface PhaseEntry {
  readonly phase: string;
  /** Relative to the run's directory. */
  readonly directory: string;
  readonly status: RunStatus;
  /** The phase that follows; null when the workflow ended here. */
  readonly next: string | null;
}

/** `sdk-output.json`. */
export interface SdkOutput {
  readonly schema: 'jeeves.sdk.v1';
  readonly session_id: string | null;
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly success: boolean | null;
  readonly messages: readonly SdkMessage[];
  readonly tool_calls: readonly SdkToolCall[];
  readonly stats: SdkStats;
  readonly error?: string | undefined;
  readonly error_type?: string | undefined;
}

export interface SdkMessage {
  readonly type: 'system' | 'user' | 'assistant' | 'result';
  readonly content: string;
  readonly subtype?: string | undefined;
  readonly timestamp: string;
}

export interface SdkToolCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly tool_use_id: string;
  readonly timestamp: string;
  readonly duration_ms: number | null;
  /** Null until the call is answered. */
  readonly is_error: boolean | null;
  readonly response_text: string | null;
  readonly response_truncated: boolean;
  readonly response_compression: ResponseCompression | null;
  readonly response_retrieval: ResponseRetrieval | null;
}

/** Where the whole output of a call lies. */
export type ResponseRetrieval =
  | {
      readonly status: 'available';
      /** `tool-output://<id>` */
      readonly handle: string;
      /** Relative to the run's directory, in order. */
      readonly artifact_paths: readonly string[];
      readonly mime: 'text/plain; charset=utf-8';
      readonly chunk_count: number;
    }
  | { readonly status: 'not_applicable'; readonly not_applicable_reason: string };

export interface SdkStats {
  readonly message_count: number;
  readonly tool_call_count: number;
  readonly duration_seconds: number;
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
  readonly cache_read_input_tokens: number | null;
  readonly cache_creation_input_tokens: number | null;
  readonly total_cost_usd: number | null;
  readonly num_turns: number | null;
  /** Present when no model was asked: the counts are computed by the fake provider. */
  readonly simulated?: true | undefined;
}

/** `measured`: counted on the very text, or told by whoever billed it. Everything else is `estimated`. */
export type Basis = 'measured' | 'estimated';

/** Whose own tools the ledger compares with. `limitless` ones show every output whole. */
export type LedgerReader = 'claude' | 'codex' | 'limitless';

/**
 * A limit of a client's own tools: Claude shows a preview of a command's output above 30,000 characters, both ends of a
 * failing one above 10,000, no file above 256 KiB or 25,000 tokens, 250 matches and a preview of them above 20,000
 * characters; Codex shows both ends of what exceeds 10,000 tokens (10,000 bytes for a model it does not know).
 */
export type LedgerLimit =
  | 'claude_bash_persisted'
  | 'claude_bash_failed'
  | 'claude_read_size'
  | 'claude_read_tokens'
  | 'claude_grep_lines'
  | 'claude_grep_persisted'
  | 'codex_output';

/**
 * What pruning took away in a run and what it cost in turn, against what the client's own tools would have shown. A net
 * figure may be negative.
 */
export interface Ledger {
  readonly schema: 'jeeves.ledger.v1';
  /** Present when no model was asked: the figures are computed by the fake provider. */
  readonly simulated?: true | undefined;
  readonly reader: LedgerReader;
  readonly counter: 'o200k' | 'estimate';
  /** Requests to the model. */
  readonly requests: { readonly count: number; readonly basis: Basis };
  /** USD per million tokens. */
  readonly prices: LedgerPrices;
  readonly calls: { readonly pruner: number; readonly pruned: number; readonly other: number };
  /** Every `read`, `bash` and `grep` of ours beside what the client's own tool would have shown. */
  readonly per_call: readonly LedgerCall[];
  /** What the client's own tools would have shown more than ours, over the calls where that is so. */
  readonly removed: LedgerFigure;
  readonly spent: {
    /** What ours showed more than the client's own tools would have, over the calls where that is so. */
    readonly overshown: LedgerFigure;
    /** Lines that were asked back. */
    readonly recovered: LedgerFigure;
    /** The same file, command or search again within a few calls of its pruned result. */
    readonly reread: LedgerFigure;
    readonly markers: LedgerFigure;
    /** Definitions of the tools, which are part of every request. */
    readonly schemas: LedgerFigure;
    /** What the agent wrote to say its goal, or to ask lines back. */
    readonly questions: LedgerFigure;
    /** Requests that exist only to recover or to read again: each has the whole conversation read once more. */
    readonly extra_requests: LedgerFigure;
  };
  readonly gross: LedgerTotal;
  readonly net: LedgerTotal;
}

export interface LedgerCall {
  readonly tool_use_id: string;
  /** `mcp:pruner/read`, `mcp:pruner/bash` or `mcp:pruner/grep` */
  readonly tool: string;
  /** What the client's own tool would have shown; 0 for what was asked again. */
  readonly own_tokens: number;
  /** What the model was shown, markers included. */
  readonly shown_tokens: number;
  /** Own minus shown: a negative number is a loss. */
  readonly saved_tokens: number;
  /** Why the client would not have shown all of it. */
  readonly limit?: LedgerLimit | undefined;
  readonly basis: Basis;
}

export interface LedgerPrices {
  readonly input: number;
  readonly output: number;
  readonly cache_write: number;
  readonly cache_read: number;
  /** `assumed`: of a model of the provider, since nobody named prices. */
  readonly basis: 'given' | 'assumed';
}

export interface LedgerFigure extends LedgerTotal {
  /** How many calls, markers or requests this is about. */
  readonly count: number;
}

export interface LedgerTotal {
  /** As they enter the conversation, once. */
  readonly tokens: number;
  /** Over all requests that carry them. */
  readonly processed_tokens: number;
  /** The first request writes them to the cache, later ones read them from it. Always estimated. */
  readonly cost_usd: number;
  /** Of `tokens`. */
  readonly basis: Basis;
}

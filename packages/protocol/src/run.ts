/** How a provider starts an MCP server: over stdio, with nothing from its own environment but `env`. */
export interface McpServerConfig {
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** What a provider reports while an agent works. */
export type ProviderEvent = SystemEvent | TextEvent | ToolUseEvent | ToolResultEvent | UsageEvent;

export interface SystemEvent {
  readonly type: 'system';
  readonly content: string;
  readonly subtype?: 'init' | 'error' | 'compaction' | undefined;
  readonly sessionId?: string | null | undefined;
  readonly timestamp: string;
}

export interface TextEvent {
  readonly type: 'user' | 'assistant' | 'result';
  readonly content: string;
  readonly timestamp: string;
}

export interface ToolUseEvent {
  readonly type: 'tool_use';
  /** A tool of an MCP server is `mcp:<server>/<tool>`. */
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly id: string;
  readonly timestamp: string;
}

export interface ToolResultEvent {
  readonly type: 'tool_result';
  readonly toolUseId: string;
  readonly content: string;
  readonly isError?: boolean | undefined;
  readonly durationMs?: number | null | undefined;
  readonly response_text?: string | undefined;
  readonly response_truncated?: boolean | undefined;
  readonly response_raw_text?: string | undefined;
  readonly response_retrieval_not_applicable_reason?: string | undefined;
  readonly response_compression?: ResponseCompression | undefined;
  /** What a tool of Jeeves said beside the text: `structuredContent`, or `_meta["jeeves/result"]`. */
  readonly structured?: Readonly<Record<string, unknown>> | undefined;
  readonly timestamp: string;
}

/** How a result was shortened for logs and the viewer; the agent itself got all of it. */
export interface ResponseCompression {
  readonly mode: 'none' | 'truncated_preview' | 'extractive_summary';
  readonly raw_char_count: number;
  readonly summary_char_count: number;
  readonly truncation_reason?: 'max_chars' | undefined;
  readonly structured_summary?: Readonly<Record<string, unknown>> | undefined;
}

export interface UsageEvent {
  readonly type: 'usage';
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_read_input_tokens?: number | undefined;
  readonly cache_creation_input_tokens?: number | undefined;
  readonly total_cost_usd?: number | null | undefined;
  readonly num_turns?: number | undefined;
  /** No model was asked: these counts are computed. */
  readonly simulated?: true | undefined;
}

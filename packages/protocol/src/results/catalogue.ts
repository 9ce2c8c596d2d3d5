/** What `automatic_mcp` answers, as one text block of JSON. */
export interface AutomaticMcpResult {
  /** Of all tools the caller may see: the same until one of them changes. */
  readonly etag: string;
  /** Definitions as `tools/list` of their server gives them, apart from the prefix of the name. */
  readonly tools: readonly Readonly<Record<string, unknown>>[];
  readonly totalAvailable: number;
  /** How many definitions this answer holds. */
  readonly filtered: number;
  /** Names that match too, but were sent before in this session and have not changed. */
  readonly alreadySent: readonly string[];
}

/** The text of an `isError` result of `automatic_eval` when the arguments do not fit the tool. */
export interface AutomaticEvalError {
  /** Starts with `invalid tool arguments: `. */
  readonly error: string;
  /** The whole definition, as `automatic_mcp` returned it. */
  readonly toolSchema: Readonly<Record<string, unknown>>;
}

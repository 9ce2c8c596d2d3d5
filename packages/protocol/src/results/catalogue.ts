/** What `automatic_mcp` answers, as one text block of JSON. Optional fields are absent when there is nothing to say. */
export interface AutomaticMcpResult {
  /** Of all tools the caller may see: the same until one of them changes. */
  readonly etag: string;
  /**
   * Definitions as `tools/list` of their server gives them, the best first, apart from the prefix of the name. What only
   * programs read (`outputSchema`, `annotations`, `icons`, `_meta`) is left out unless the tool was asked for by name.
   */
  readonly tools: readonly Readonly<Record<string, unknown>>[];
  readonly totalAvailable: number;
  /** How many definitions this answer holds. */
  readonly filtered: number;
  /** Names that match too, but were sent before in this session and have not changed. */
  readonly alreadySent: readonly string[];
  /** Further tools that may fit, one line each: name and purpose. */
  readonly others?: readonly string[];
  /** Tools of this answer whose definition is not the one that was first seen. */
  readonly changed?: readonly ChangedTool[];
  /** Nothing fits the query well. */
  readonly weak?: true;
  /** Servers that may have had a better answer. */
  readonly unavailable?: readonly UnavailableServer[];
  /** How to go on, where that is not plain. */
  readonly note?: string;
}

/** A tool whose definition changed after it was first seen. */
export interface ChangedTool {
  readonly name: string;
  readonly changed: true;
  /** Which parts differ, such as `description, inputSchema.properties.path`. */
  readonly what: string;
  /** It cannot be called until its owner accepts the change. */
  readonly withheld?: true;
}

/** A server whose tools are not, or not surely, in the answer. */
export interface UnavailableServer {
  readonly server: string;
  /** What is wrong, such as `is still starting`. */
  readonly problem: string;
  /** What to do about it. */
  readonly fix: string;
}

/** The text of an `isError` result of `automatic_eval` when the arguments do not fit the tool. */
export interface AutomaticEvalError {
  /** Starts with `invalid tool arguments: `. */
  readonly error: string;
  /** The definition, as `automatic_mcp` returned it. */
  readonly toolSchema: Readonly<Record<string, unknown>>;
}

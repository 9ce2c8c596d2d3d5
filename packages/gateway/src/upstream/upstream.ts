/** A JSON object as it came over the wire. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A tool of an upstream server, as agents are shown it. */
export interface UpstreamTool {
  readonly server: string;
  /** As its server calls it. */
  readonly name: string;
  /** `<server>__<tool>`: what agents call it. */
  readonly displayName: string;
  /** The server's own definition: nothing but the name is replaced and hidden characters are taken out. */
  readonly definition: JsonObject;
  /** SHA-256 of the definition, in hex. */
  readonly hash: string;
  /** The definition is not the one that was first seen under this name. */
  readonly changed: boolean;
  /** Of its server, from the configuration. */
  readonly tags: readonly string[];
}

/** All tools at one moment. The same object is returned until something changes. */
export interface CatalogueSnapshot {
  /** Sorted by display name, each name once. */
  readonly tools: readonly UpstreamTool[];
  /** Of all definitions: equal definitions give equal tags, in every process. */
  readonly etag: string;
  /** Grows with every change in this process. */
  readonly version: number;
}

export interface UpstreamCall {
  readonly server: string;
  /** As its server calls it. */
  readonly name: string;
  readonly args: JsonObject;
  /** Calls with the same key reach the same instance of a stateful server. */
  readonly routingKey?: string | undefined;
  /** Aborted when nobody wants the answer any more: the server is told, and the call rejects. */
  readonly signal: AbortSignal;
  readonly progress?: ((message: string) => void) | undefined;
}

/** An upstream's `CallToolResult`, untouched: text, images, `structuredContent`, `_meta`. */
export interface UpstreamResult extends JsonObject {
  readonly content: readonly JsonObject[];
  readonly isError?: boolean;
}

/** The upstream servers as one. Each lives and fails on its own. */
export interface Upstreams {
  /** What is known at this moment. Waits for no server. */
  readonly known: () => Promise<CatalogueSnapshot>;
  /**
   * Waits for the server that a tool is named after, where it was never listed, no longer than a call of it may take.
   * Says what is wrong with the server when it still is not.
   */
  readonly listedFor: (displayName: string, signal: AbortSignal) => Promise<string | undefined>;
  /** What is known. Waits a bounded time for servers that were never listed, then answers without them. */
  readonly tools: () => Promise<CatalogueSnapshot>;
  /**
   * Calls a tool, starting its server where none runs. Whatever goes wrong upstream (an error, a crash, a timeout) is an
   * `isError` result that names the server; only an aborted signal rejects.
   */
  readonly call: (call: UpstreamCall) => Promise<UpstreamResult>;
  /** Tells of every new snapshot; returns how to stop listening. */
  readonly onChanged: (listener: (snapshot: CatalogueSnapshot) => void) => () => void;
  /** Ends every server and whatever it started. */
  readonly close: () => Promise<void>;
}

import type { ServerConfig } from '../config/server.ts';
import type { ServerStatus, UnusableServer } from './status.ts';

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
  /** The same without any text cut for its length; absent when none was. */
  readonly whole?: JsonObject;
  /** SHA-256 of the whole definition, in hex. */
  readonly hash: string;
  /** The definition is not the one that was first seen under this name. */
  readonly changed: boolean;
  /** Which parts of it differ; empty when nothing does, or when that is not known any more. */
  readonly changes: readonly string[];
  /** It changed in a way that its owner must accept before anybody may call it. */
  readonly withheld: boolean;
  /** Somebody must be asked before it is called. */
  readonly needsConsent: boolean;
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

/** How somebody waits for servers that are starting. */
export interface ListingWait {
  /** No longer than this, whatever time the servers have; absent means as long as they have. */
  readonly patienceMs?: number;
  readonly signal?: AbortSignal | undefined;
  /** Told about every second which servers are waited for. */
  readonly progress?: ((message: string) => void) | undefined;
}

/** What a server is for. */
export interface ServerPurpose {
  readonly server: string;
  /** In the words of the configuration, of the server, or else the names of its tools; empty when nothing is known. */
  readonly purpose: string;
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
  /** What is known, once every server that is still starting is listed, has failed, or has had its time to start. */
  readonly tools: (wait?: ListingWait) => Promise<CatalogueSnapshot>;
  /** The same, after every server was asked for its tools anew. */
  readonly refreshed: (wait?: ListingWait) => Promise<CatalogueSnapshot>;
  /** The server whose prefix a tool's name has, whether it runs or not. */
  readonly serverOf: (displayName: string) => string | undefined;
  /** How each configured server is doing, in the order of the configuration. */
  readonly status: () => readonly ServerStatus[];
  /** What each server is for, as far as that is known. */
  readonly purposes: () => readonly ServerPurpose[];
  /** Resolves when everything that an earlier process remembered is known. */
  readonly loaded: Promise<void>;
  /**
   * Calls a tool, starting its server where none runs. Whatever goes wrong upstream (an error, a crash, a timeout) is an
   * `isError` result that names the server; only an aborted signal rejects.
   */
  readonly call: (call: UpstreamCall) => Promise<UpstreamResult>;
  /** Takes another configuration: what did not change goes on as it is. */
  readonly reconfigure: (servers: readonly ServerConfig[], unusable: readonly UnusableServer[]) => Promise<void>;
  /** Tells of every new snapshot; returns how to stop listening. */
  readonly onChanged: (listener: (snapshot: CatalogueSnapshot) => void) => () => void;
  /** Ends every server and whatever it started. */
  readonly close: () => Promise<void>;
}

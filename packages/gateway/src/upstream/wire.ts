import type { JsonObject } from './upstream.ts';

/** A message that is nested deeper could not be written out again. */
export const MAX_DEPTH = 256;

/** What arrives over a wire. */
export interface WireEvents {
  readonly message: (message: JsonObject) => void;
  /** Something arrived that can be matched to no request and may have been the answer to any. */
  readonly unreadable: (why: string) => void;
  /** The wire is of no further use. Told once. */
  readonly closed: (why: string) => void;
}

/** A way to a server, whatever it is made of: whole messages out, whole messages in. */
export interface Wire {
  /** Rejects, or reports `closed`, when the message cannot get through. */
  readonly send: (message: JsonObject) => Promise<void>;
  /** Some transports repeat the agreed revision with every message. */
  readonly agreed?: (protocolVersion: string) => void;
  /** Ends the server, or the session with it, and everything that it started. */
  readonly close: () => Promise<void>;
}

export type OpenWire = (events: WireEvents) => Promise<Wire>;

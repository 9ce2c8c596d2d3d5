import type { IncomingHttpHeaders } from 'node:http';

/** One request that passed the guard. Its body was read whole. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Empty for `GET`. For `POST` declared as `application/json`; nobody has parsed it. */
  readonly body: Uint8Array;
  /** Whether the caller showed the token. A wrong one never comes this far. */
  readonly trusted: boolean;
  /** When the request arrived (milliseconds since the epoch). */
  readonly receivedAt: number;
  /** Aborted when the caller is gone or the server stops: nobody reads the reply any more. */
  readonly signal: AbortSignal;
  /** Aborted when the server stops, and only then. */
  readonly stopping: AbortSignal;
}

/** A reply in one piece. A content type is `application/json` unless the headers say otherwise. */
export interface WholeReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Absent: no body. */
  readonly body?: string | readonly Uint8Array[];
  /** The reply was handed to the operating system. */
  readonly written?: () => void;
  /** The caller did not get it. */
  readonly failed?: (error: Error) => void;
}

/** A reply that is written while the work goes on. */
export interface StreamedReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Writes the body piece by piece; the reply ends when the promise does. */
  readonly stream: (write: (piece: string | Uint8Array) => void) => Promise<void>;
}

export type HttpReply = WholeReply | StreamedReply;

/** One path of a listener. Throwing is a defect, answered with 500 `internal_error`. */
export interface Route {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Answered at once whatever the load; everything else takes one of a limited number of places. */
  readonly light?: boolean;
  /** Answered on loopback whoever asks; everything else is for the server's own user or a caller with the token. */
  readonly open?: boolean;
  readonly handle: (request: HttpRequest) => HttpReply | Promise<HttpReply>;
}

/** A value as a reply. */
export function jsonReply(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): WholeReply {
  return { status, headers, body: JSON.stringify(value) };
}

import type { Emit, RpcErrorObject, ToolDefinition } from '@jeeves/protocol';

/** Who is calling, as it introduced itself; some clients show their model `structuredContent` instead of the text. */
export interface Client {
  readonly name: string;
  readonly version: string;
}

/** One validated call on its way to a tool. */
export interface ToolCall<Args extends object> {
  readonly args: Args;
  /** Ours, not the client's: stands in every event of this call. */
  readonly requestId: string;
  readonly client: Client;
  /** Aborted when the caller cancels, disconnects or the server stops. The tool then frees everything and may throw. */
  readonly signal: AbortSignal;
  /** When the call arrived, by the host's clock (milliseconds since the epoch): deadlines count from here. */
  readonly receivedAt: number;
  readonly emit: Emit;
  /** Tells a client that asked for it how far the work is; does nothing otherwise. */
  readonly progress: (message: string) => void;
}

/** What a tool gives back. It knows no transport and no client: the host decides which parts a client gets. */
export interface ToolOutcome {
  /** For the model: plain text. */
  readonly text: string;
  /** For programs: the same result as an object of the protocol. */
  readonly structured: object;
  /** The tool itself failed (not the protocol). */
  readonly isError: boolean;
  /** Whether the output was pruned, for the event of the reply. */
  readonly mode: 'raw' | 'pruned';
  /** A whole result of another server, sent as it is: `text` and `structured` are left out then. */
  readonly result?: object;
  /** Told once the reply was written; never when it was cancelled or lost. */
  readonly written?: () => void;
  /** Makes a smaller outcome when the serialized reply would exceed the host's bound: at most `bytes` of output. */
  readonly shrink?: (bytes: number) => ToolOutcome;
}

/**
 * Thrown by a tool whose call is answered with an error of the protocol, such as an unknown prune id. `message` says the
 * same to a model: clients that drop the data of an error get it as a text.
 */
export class CallError extends Error {
  readonly error: RpcErrorObject;

  constructor(error: RpcErrorObject, message: string) {
    super(message);
    this.name = 'CallError';
    this.error = error;
  }
}

/**
 * A tool: its definition from the protocol and what it does. Throwing anything but a `CallError` is a defect, answered
 * as an internal error.
 */
export interface Tool<Args extends object = object> {
  readonly definition: ToolDefinition<Args>;
  run(call: ToolCall<Args>): Promise<ToolOutcome>;
}

/** A tool that is somebody else's: it is listed as its owner defines it, and its arguments go unchecked. */
export interface ForeignTool {
  readonly name: string;
  run(call: ToolCall<object>): Promise<ToolOutcome>;
}

/** Tools that come and go while the server runs. */
export interface ForeignTools {
  /** Their definitions, listed after the server's own. */
  readonly list: () => Promise<readonly object[]>;
  readonly find: (name: string) => ForeignTool | undefined;
}

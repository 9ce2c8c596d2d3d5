import type { Emit } from '@jeeves/protocol';
import type { CallLimits } from './calls.ts';
import type { ServerIdentity } from './initialize.ts';
import type { OutputMode } from './reply.ts';
import type { ForeignTools, Tool } from './tool.ts';

/** A server as the host sees it: who it is, what it offers, and what it must be given. */
export interface HostOptions {
  readonly server: ServerIdentity;
  /** In the order they are listed. */
  readonly tools: readonly Tool[];
  /** What is offered beside them. */
  readonly foreign?: ForeignTools;
  /** Stands in the listing of every tool, for clients that read it. */
  readonly toolMeta?: Readonly<Record<string, unknown>>;
  readonly output: OutputMode;
  /** Adds what a revision of the protocol wants of every result of a method. */
  readonly revise?: (result: object, method: string) => object;
  readonly emit: Emit;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly newRequestId: () => string;
  readonly limits?: CallLimits;
}

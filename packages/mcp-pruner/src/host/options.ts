import type { Emit } from '@jeeves/protocol';
import type { CallLimits } from './calls.ts';
import type { ServerIdentity } from './initialize.ts';
import type { OutputMode } from './reply.ts';
import type { Tool } from './tool.ts';

/** A server as the host sees it: who it is, what it offers, and what it must be given. */
export interface HostOptions {
  readonly server: ServerIdentity;
  /** In the order they are listed. */
  readonly tools: readonly Tool[];
  /** Stands in the listing of every tool, for clients that read it. */
  readonly toolMeta?: Readonly<Record<string, unknown>>;
  readonly output: OutputMode;
  readonly emit: Emit;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly newRequestId: () => string;
  readonly limits?: CallLimits;
}

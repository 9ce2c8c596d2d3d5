/** One line for the peer. Whoever writes it says how that went. */
export interface Outgoing {
  /** Without its newline; pieces of it where it was encoded already. */
  readonly line: string | readonly Uint8Array[];
  readonly written?: () => void;
  readonly failed?: (error: Error) => void;
  /** The connection is of no use after this line. */
  readonly last?: boolean;
}

export type Send = (outgoing: Outgoing) => void;

/** What the gateway counts, over all processes of a user. Tokens are estimated. */
export interface Counts {
  /** How often a client was given the gateway's own tools in place of the upstreams'. */
  readonly listings: number;
  /** Tokens of the definitions that these clients would have been given. */
  readonly definitionTokensBefore: number;
  /** Tokens of the gateway's own definitions that they were given instead. */
  readonly ownDefinitionTokens: number;
  /** Tokens of the definitions that `automatic_mcp` sent. */
  readonly definitionTokensSent: number;
  /** Calls of `automatic_mcp`: round trips that direct use would not have needed. */
  readonly catalogueCalls: number;
  /** Calls of upstream tools that were passed on. */
  readonly toolCalls: number;
  /** Calls that were refused with the tool's schema before they went out. */
  readonly validationErrors: number;
  /** Calls of tools that nobody has. */
  readonly unknownTools: number;
  /** Results of which a part was taken away. */
  readonly resultsPruned: number;
  /** Tokens taken out of results. */
  readonly tokensPruned: number;
}

export type CounterName = keyof Counts;

/** Adds to the counts. Never throws, never waits. */
export interface Counters {
  readonly add: (name: CounterName, by?: number) => void;
}

export const NO_COUNTS: Counts = {
  listings: 0,
  definitionTokensBefore: 0,
  ownDefinitionTokens: 0,
  definitionTokensSent: 0,
  catalogueCalls: 0,
  toolCalls: 0,
  validationErrors: 0,
  unknownTools: 0,
  resultsPruned: 0,
  tokensPruned: 0,
};

export const COUNTER_NAMES: readonly CounterName[] = Object.keys(NO_COUNTS) as CounterName[];

export function sum(left: Counts, right: Counts): Counts {
  return Object.fromEntries(COUNTER_NAMES.map((name) => [name, left[name] + right[name]])) as unknown as Counts;
}

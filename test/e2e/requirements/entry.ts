/** One thing the product must do, where that is written, and what it waits for when it is not built yet. */
export interface Requirement {
  readonly id: string;
  readonly source: string;
  readonly behaviour: string;
  /** Why no test cites it yet, or why none ever will. */
  readonly deferred?: string;
}

export const AWAITS = {
  stdio: 'the stdio server is not built yet',
  http: 'the HTTP service is not built yet',
  context: 'the context tools are not built yet',
  gateway: 'the gateway is not built yet',
  runner: 'the runner is not built yet',
  viewer: 'the viewer is not built yet',
} as const;

/** Entries of one source: id → what must hold. */
export function from(source: string, behaviours: Readonly<Record<string, string>>, deferred?: string): Requirement[] {
  return Object.entries(behaviours).map(([id, behaviour]) =>
    deferred === undefined ? { id, source, behaviour } : { id, source, behaviour, deferred },
  );
}

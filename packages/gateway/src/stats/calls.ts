/** What the calls of one server came to. */
export interface ServerCalls {
  readonly calls: number;
  /** Calls that were answered with an error, by the server or in its place. */
  readonly errors: number;
  /** What all of them took together, and the slowest of them. */
  readonly milliseconds: number;
  readonly slowest: number;
}

export type CallsByServer = Readonly<Record<string, ServerCalls>>;

export const NO_CALLS: ServerCalls = { calls: 0, errors: 0, milliseconds: 0, slowest: 0 };

export function oneCall(milliseconds: number, isError: boolean): ServerCalls {
  return { calls: 1, errors: isError ? 1 : 0, milliseconds, slowest: milliseconds };
}

export function addCalls(left: CallsByServer, right: CallsByServer): CallsByServer {
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  return Object.fromEntries([...names].map((name) => [name, both(left[name] ?? NO_CALLS, right[name] ?? NO_CALLS)]));
}

/** From a file that anybody may have written to: what is no number counts nothing. */
export function toCalls(value: unknown): CallsByServer {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).map(([name, counted]) => {
      const fields = (typeof counted === 'object' && counted !== null ? counted : {}) as Record<string, unknown>;
      const numbers = Object.keys(NO_CALLS).map((key) => [key, Number.isFinite(fields[key]) ? Number(fields[key]) : 0]);
      return [name, { ...NO_CALLS, ...Object.fromEntries(numbers) }];
    }),
  );
}

function both(left: ServerCalls, right: ServerCalls): ServerCalls {
  return {
    calls: left.calls + right.calls,
    errors: left.errors + right.errors,
    milliseconds: left.milliseconds + right.milliseconds,
    slowest: Math.max(left.slowest, right.slowest),
  };
}

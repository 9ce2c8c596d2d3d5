/** What came of looking at one part. A broken one makes the whole visit a failure; a warning does not. */
export interface Check {
  readonly name: string;
  readonly status: 'ok' | 'warning' | 'broken';
  /** What was found, in one line. */
  readonly found: string;
  /** What to do about it. */
  readonly fix?: string;
  /** More lines, such as the end of a log. */
  readonly details?: readonly string[];
}

export function ok(name: string, found: string): Check {
  return { name, status: 'ok', found };
}

export function warning(name: string, found: string, fix: string): Check {
  return { name, status: 'warning', found, fix };
}

export function broken(name: string, found: string, fix: string, details?: readonly string[]): Check {
  return { name, status: 'broken', found, fix, ...(details !== undefined && { details }) };
}

export function messageOf(error: unknown): string {
  const { message, cause } = error instanceof Error ? error : new Error(String(error));
  return cause instanceof Error && cause.message !== '' ? `${message} (${cause.message})` : message;
}

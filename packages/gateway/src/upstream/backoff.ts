export interface Backoff {
  /** How long the next start must wait, in milliseconds; 0 means that it need not. */
  readonly remaining: () => number;
  readonly failed: () => void;
  readonly succeeded: () => void;
}

const BASE_MS = 1000;
const MAX_MS = 30_000;

/** One failure may be bad luck and costs nothing; from the second in a row the wait doubles each time. */
export function createBackoff(now: () => number): Backoff {
  let failures = 0;
  let since = 0;
  return {
    remaining: () => {
      if (failures < 2) return 0;
      const wait = Math.min(MAX_MS, BASE_MS * 2 ** (failures - 2));
      return Math.max(0, since + wait - now());
    },
    failed: () => {
      failures += 1;
      since = now();
    },
    succeeded: () => {
      failures = 0;
    },
  };
}

/** How much work there may be at once. */
export interface PlaceLimits {
  /** How many requests are worked on. */
  readonly running: number;
  /** How many more wait. */
  readonly waiting: number;
}

export const PLACE_LIMITS: PlaceLimits = { running: 16, waiting: 64 };

/** The limited number of places that heavy requests share. */
export interface Places {
  /** Whether one more would be taken. */
  readonly hasRoom: () => boolean;
  /** Does the job when its turn comes; false when there is no room, and it never will. */
  readonly take: (job: () => Promise<void>) => boolean;
  readonly load: () => { readonly running: number; readonly waiting: number };
}

/**
 * Starts at most one job per turn of the event loop. A job may hold the processor for a while, and between two of them
 * the server must get to read new requests, answer the light ones and turn away what is too much.
 */
export function createPlaces(limits: PlaceLimits = PLACE_LIMITS): Places {
  const waiting: (() => Promise<void>)[] = [];
  let running = 0;
  let scheduled = false;

  function hasRoom(): boolean {
    return running + waiting.length < limits.running + limits.waiting;
  }

  function take(job: () => Promise<void>): boolean {
    if (!hasRoom()) return false;
    waiting.push(job);
    schedule();
    return true;
  }

  function schedule(): void {
    if (scheduled || waiting.length === 0 || running >= limits.running) return;
    scheduled = true;
    setImmediate(startOne);
  }

  function startOne(): void {
    scheduled = false;
    const job = waiting.shift();
    if (job === undefined) return;
    running += 1;
    void job().finally(() => {
      running -= 1;
      schedule();
    });
    schedule();
  }

  return { hasRoom, take, load: () => ({ running, waiting: waiting.length }) };
}

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

/** How many turns a job waits at most for the next one to bring nobody new: a crowd must not keep others from working. */
const MOST_TURNS = 128;

/**
 * Starts at most one job per turn of the event loop. A job may hold the processor for a while, and between two of them
 * the server must get to read new requests, answer the light ones and turn away what is too much. The platform takes
 * one new connection a turn, so a job also waits while `arrivals`, the count of them, still grows: else a crowd would
 * be let in, and turned away, one by one between jobs.
 */
export function createPlaces(limits: PlaceLimits = PLACE_LIMITS, arrivals: () => number = () => 0): Places {
  const waiting: (() => Promise<void>)[] = [];
  let running = 0;
  let scheduled = false;
  let arrived = 0;
  let turns = 0;

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
    setImmediate(startWhenQuiet);
  }

  function startWhenQuiet(): void {
    const before = arrived;
    arrived = arrivals();
    turns += 1;
    if (arrived !== before && turns < MOST_TURNS) setImmediate(startWhenQuiet);
    else startOne();
  }

  function startOne(): void {
    scheduled = false;
    turns = 0;
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

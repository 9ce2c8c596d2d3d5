import { EngineError } from '../errors.ts';
import { assertFits, maxEntries } from './bounds.ts';
import type { ListingStore, RecentQuery, StoredSummary, StoredText, StoreLimits, TextToKeep } from './store.ts';
import { DEFAULT_STORE_LIMITS } from './store.ts';

export interface MemoryStoreOptions {
  /** Defaults to `DEFAULT_STORE_LIMITS`. */
  readonly limits?: StoreLimits;
  /** The clock that decides expiry. Defaults to `Date.now`. */
  readonly now?: () => number;
}

/** Keeps texts in this process only: nothing survives it. */
export function createMemoryStore(options: MemoryStoreOptions = {}): ListingStore {
  return new MemoryStore(options.limits ?? DEFAULT_STORE_LIMITS, options.now ?? Date.now);
}

// A byte order mark is a part of the text.
const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true });

interface Held {
  readonly entry: StoredText;
  readonly bytes: number;
  readonly expiresAt: number;
}

class MemoryStore implements ListingStore {
  readonly url = 'memory:';
  readonly #limits: StoreLimits;
  readonly #now: () => number;
  /** A Map iterates in the order of insertion, so its first key is always the oldest put. */
  readonly #held = new Map<string, Held>();
  #bytes = 0;
  #closed = false;

  constructor(limits: StoreLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
  }

  async put({ text, ...about }: TextToKeep, ttlMs: number = this.#limits.ttlMs): Promise<void> {
    this.#assertOpen();
    const entry: StoredText = { ...about, text: typeof text === 'string' ? text : UTF8.decode(text) };
    const bytes = heapBytes(entry.text);
    assertFits(bytes, this.#limits);
    this.#drop(entry.pruneId);
    this.#makeRoom(bytes);
    this.#held.set(entry.pruneId, { entry, bytes, expiresAt: this.#now() + ttlMs });
    this.#bytes += bytes;
  }

  async get(pruneId: string): Promise<StoredText | undefined> {
    this.#assertOpen();
    const held = this.#held.get(pruneId);
    if (held === undefined) return undefined;
    if (held.expiresAt > this.#now()) return held.entry;
    this.#drop(pruneId);
    return undefined;
  }

  async recent({ limit, prefix = '' }: RecentQuery): Promise<readonly StoredSummary[]> {
    this.#assertOpen();
    const now = this.#now();
    return [...this.#held.values()]
      .reverse()
      .filter(({ entry, expiresAt }) => expiresAt > now && entry.pruneId.startsWith(prefix))
      .slice(0, limit)
      .map(({ entry: { pruneId, createdAt, goal }, bytes }) => ({
        pruneId,
        bytes,
        createdAt,
        ...(goal !== undefined && { goal }),
      }));
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#held.clear();
    this.#bytes = 0;
  }

  /** Drops what has expired, then the oldest, until `bytes` more fit. Each entry is dropped once: O(1) amortised. */
  #makeRoom(bytes: number): void {
    const now = this.#now();
    for (const [pruneId, held] of this.#held) {
      const fits = this.#bytes + bytes <= this.#limits.maxBytes && this.#held.size < maxEntries(this.#limits);
      if (fits && held.expiresAt > now) return;
      this.#drop(pruneId);
    }
  }

  #drop(pruneId: string): void {
    const held = this.#held.get(pruneId);
    if (held === undefined) return;
    this.#held.delete(pruneId);
    this.#bytes -= held.bytes;
  }

  #assertOpen(): void {
    if (this.#closed) throw new EngineError('store_failed', 'The memory store is closed.');
  }
}

/** What the text takes in memory: engines keep one byte per character until one character needs two. */
function heapBytes(text: string): number {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 0xff) return text.length * 2;
  return text.length;
}

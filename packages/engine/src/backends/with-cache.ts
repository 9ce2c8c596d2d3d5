import type { Backend, Judgement, JudgeRequest } from './backend.ts';
import { UnderWay } from './under-way.ts';

const DEFAULT_MAX_BYTES = 16 * 1024 * 1024;
// Key, warnings, facts and the map's own cost, rounded up.
const ENTRY_OVERHEAD_BYTES = 1024;

export interface CacheOptions {
  /** How long a judgement may be given again; 0 or less turns the cache off. */
  readonly ttlMs: number;
  /** The most judgements kept; the oldest go first. 0 or less turns the cache off. */
  readonly maxItems: number;
  readonly now: () => number;
  /** The most bytes all kept judgements may take. Default 16 MiB; texts are not kept, only their hashes. */
  readonly maxBytes?: number;
  /** Must tell different texts apart. Default: SHA-256. */
  readonly hash?: (text: string) => Promise<string>;
}

/**
 * Gives the same judgement again for the same goal and texts, also to those who ask while it is being made. Failures and
 * substitutes' judgements are not kept.
 */
export function withCache(backend: Backend, options: CacheOptions): Backend {
  if (options.ttlMs <= 0 || options.maxItems <= 0) return backend;
  const hash = options.hash ?? sha256;
  const entries = new Entries(options);
  const underWay = new UnderWay();
  const judgeAndKeep = async (key: string, request: JudgeRequest): Promise<Judgement> => {
    const judgement = await backend.judge(request);
    if (judgement.usedFallback !== true) entries.put(key, judgement);
    return judgement;
  };
  return {
    name: backend.name,
    async judge(request) {
      const key = await hash(identity(backend.name, request));
      const cached = entries.get(key);
      if (cached !== undefined) return asHit(cached);
      const { judgement, joined } = await underWay.judge(key, request, (asked) => judgeAndKeep(key, asked));
      // A substitute's judgement is shared, not remembered.
      return joined && judgement.usedFallback !== true ? asHit(judgement) : copyOf(judgement);
    },
  };
}

/** Judgements by key, oldest first, within the limits on age, number and bytes. */
class Entries {
  readonly #options: CacheOptions;
  readonly #kept = new Map<
    string,
    { readonly judgement: Judgement; readonly bytes: number; readonly expires: number }
  >();
  #bytes = 0;

  constructor(options: CacheOptions) {
    this.#options = options;
  }

  get(key: string): Judgement | undefined {
    const entry = this.#kept.get(key);
    if (entry === undefined) return undefined;
    if (entry.expires > this.#options.now()) return entry.judgement;
    this.#drop(key);
    return undefined;
  }

  put(key: string, judgement: Judgement): void {
    const { maxItems, maxBytes = DEFAULT_MAX_BYTES, ttlMs, now } = this.#options;
    const bytes = judgement.scores.byteLength + ENTRY_OVERHEAD_BYTES;
    this.#drop(key);
    if (bytes > maxBytes) return;
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size < maxItems && this.#bytes + bytes <= maxBytes) break;
      this.#drop(oldest);
    }
    this.#kept.set(key, { judgement, bytes, expires: now() + ttlMs });
    this.#bytes += bytes;
  }

  #drop(key: string): void {
    this.#bytes -= this.#kept.get(key)?.bytes ?? 0;
    this.#kept.delete(key);
  }
}

/** Everybody is given a copy, so that nobody can change what others will be given. */
function copyOf(judgement: Judgement): Judgement {
  return { ...judgement, scores: judgement.scores.slice() };
}

function asHit(judgement: Judgement): Judgement {
  const { warnings = [], facts } = judgement;
  const deepinfra = facts?.['deepinfraCached'] === undefined ? {} : { deepinfraCached: true, deepinfraLatencyMs: 0 };
  return {
    ...copyOf(judgement),
    warnings: [...warnings, 'cache_hit'],
    ...(facts === undefined ? {} : { facts: { ...facts, ...deepinfra } }),
  };
}

/** Lengths before every part: no two requests may read the same when written in a row. */
function identity(name: string, { source, goal, texts, variant = '' }: JudgeRequest): string {
  const parts = [name, source, goal, variant];
  for (let index = 0; index < texts.length; index += 1) parts.push(texts.at(index));
  return parts.map((part) => `${part.length}:${part}`).join('');
}

/** Hashes code units, since encoding to UTF-8 would make all unpaired surrogates one character. */
async function sha256(text: string): Promise<string> {
  const units = new Uint16Array(text.length);
  for (let index = 0; index < text.length; index += 1) units[index] = text.charCodeAt(index);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', units));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

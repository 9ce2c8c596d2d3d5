import type { IncomingMessage, ServerResponse } from 'node:http';

/** What a bucket remembers between two requests. */
interface Bucket {
  tokens: number;
  refilledAt: number;
}

export interface BucketStore {
  load(key: string): Promise<Bucket | null>;
  save(key: string, bucket: Bucket, ttlMs: number): Promise<void>;
}

export interface Plan {
  readonly name: string;
  readonly perMinute: number;
  readonly burst: number;
}

export const PLANS: Readonly<Record<string, Plan>> = {
  free: { name: 'free', perMinute: 30, burst: 10 },
  team: { name: 'team', perMinute: 300, burst: 60 },
  partner: { name: 'partner', perMinute: 3_000, burst: 500 },
};

export interface Decision {
  readonly allowed: boolean;
  readonly remaining: number;
  readonly retryAfterMs: number;
}

export interface LimiterOptions {
  readonly store: BucketStore;
  readonly now: () => number;
  /** What to answer when the store cannot be reached. */
  readonly failOpen: boolean;
  readonly trustedProxies: readonly string[];
}

const MINUTE = 60_000;

export class RateLimiter {
  private readonly options: LimiterOptions;

  constructor(options: LimiterOptions) {
    this.options = options;
  }

  async take(key: string, plan: Plan, cost = 1): Promise<Decision> {
    let bucket: Bucket;
    try {
      bucket = (await this.options.store.load(key)) ?? this.fresh(plan);
    } catch {
      return this.options.failOpen
        ? { allowed: true, remaining: 0, retryAfterMs: 0 }
        : { allowed: false, remaining: 0, retryAfterMs: MINUTE };
    }
    const refilled = this.refill(bucket, plan);
    if (refilled.tokens < cost) {
      const missing = cost - refilled.tokens;
      return { allowed: false, remaining: 0, retryAfterMs: Math.ceil((missing * MINUTE) / plan.perMinute) };
    }
    refilled.tokens -= cost;
    await this.options.store.save(key, refilled, this.ttl(plan));
    return { allowed: true, remaining: Math.floor(refilled.tokens), retryAfterMs: 0 };
  }

  private fresh(plan: Plan): Bucket {
    return { tokens: plan.burst, refilledAt: this.options.now() };
  }

  private refill(bucket: Bucket, plan: Plan): Bucket {
    const now = this.options.now();
    const elapsed = Math.max(0, now - bucket.refilledAt);
    const tokens = Math.min(plan.burst, bucket.tokens + (elapsed * plan.perMinute) / MINUTE);
    return { tokens, refilledAt: now };
  }

  /** Long enough for an untouched bucket to be full again, when forgetting it changes nothing. */
  private ttl(plan: Plan): number {
    return Math.ceil((plan.burst * MINUTE) / plan.perMinute) + 1_000;
  }
}

export function limitHandler(
  limiter: RateLimiter,
  planOf: (request: IncomingMessage) => Plan,
  options: LimiterOptions,
): (request: IncomingMessage, response: ServerResponse, next: () => void) => void {
  return (request, response, next) => {
    const plan = planOf(request);
    const key = `${plan.name}:${clientAddress(request, options.trustedProxies)}`;
    void limiter.take(key, plan, costOf(request)).then((decision) => {
      response.setHeader('RateLimit-Limit', String(plan.perMinute));
      response.setHeader('RateLimit-Remaining', String(decision.remaining));
      if (decision.allowed) {
        next();
        return;
      }
      response.statusCode = 429;
      response.setHeader('Retry-After', String(Math.ceil(decision.retryAfterMs / 1_000)));
      response.setHeader('Content-Type', 'application/problem+json');
      response.end(JSON.stringify({ title: 'Too many requests', status: 429, retryAfterMs: decision.retryAfterMs }));
    });
  };
}

/** Exports and searches keep a worker busy for seconds; everything else is cheap. */
function costOf(request: IncomingMessage): number {
  const path = request.url ?? '/';
  if (path.startsWith('/v1/exports')) return 10;
  if (path.startsWith('/v1/search')) return 3;
  return 1;
}

function clientAddress(request: IncomingMessage, trusted: readonly string[]): string {
  const peer = request.socket.remoteAddress ?? 'unknown';
  if (!trusted.includes(peer)) return peer;
  const forwarded = request.headers['x-forwarded-for'];
  const list = (Array.isArray(forwarded) ? forwarded.join(',') : (forwarded ?? '')).split(',');
  // Walk from the nearest hop outwards and stop at the first address that is not one of our own proxies.
  for (let index = list.length - 1; index >= 0; index -= 1) {
    const address = list[index]?.trim() ?? '';
    if (address !== '' && !trusted.includes(address)) return address;
  }
  return peer;
}

export class MemoryStore implements BucketStore {
  private readonly entries = new Map<string, { bucket: Bucket; expiresAt: number }>();
  private readonly now: () => number;

  constructor(now: () => number) {
    this.now = now;
  }

  async load(key: string): Promise<Bucket | null> {
    const entry = this.entries.get(key);
    if (entry === undefined) return null;
    if (entry.expiresAt <= this.now()) {
      this.entries.delete(key);
      return null;
    }
    return { ...entry.bucket };
  }

  async save(key: string, bucket: Bucket, ttlMs: number): Promise<void> {
    this.entries.set(key, { bucket: { ...bucket }, expiresAt: this.now() + ttlMs });
    if (this.entries.size > 50_000) this.sweep();
  }

  private sweep(): void {
    const now = this.now();
    for (const [key, entry] of this.entries) if (entry.expiresAt <= now) this.entries.delete(key);
  }
}

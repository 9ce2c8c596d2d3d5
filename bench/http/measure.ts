import { setTimeout as sleep } from 'node:timers/promises';
import { everNew, pruneBody } from './bodies.ts';
import { type Bodies, type Outcome, post } from './load.ts';
import { startBare, startService, type Target } from './process.ts';

const SMALL = pruneBody(4096);
const CHANGING = everNew(pruneBody(4096));
const LARGE = pruneBody(100 * 1024);
const CONNECTIONS = 32;

export interface Throughput {
  readonly ours: Outcome;
  readonly bare: Outcome;
}

/** The same text again and again, as an agent that retries sends it. */
export async function measureThroughput(seconds: number): Promise<Throughput> {
  return await sideBySide(SMALL, seconds);
}

/** Texts that nobody has seen before: nothing of them is remembered, on either side. */
export async function measureChanging(seconds: number): Promise<Throughput> {
  return await sideBySide(CHANGING, seconds);
}

/** Ours and the bare handler take turns, so that both see the same machine. */
async function sideBySide(bodies: Bodies, seconds: number): Promise<Throughput> {
  return await withTargets([startService, startBare], async ([ours, bare]) => {
    const turns = 3;
    const load = { connections: CONNECTIONS, seconds: Math.max(1, seconds / turns) };
    const warm = { connections: CONNECTIONS, amount: Math.round(200 * seconds) };
    for (const target of [ours, bare]) await post(target.url, bodies, warm);
    const outcomes: { ours: Outcome[]; bare: Outcome[] } = { ours: [], bare: [] };
    for (let turn = 0; turn < turns; turn += 1) {
      outcomes.bare.push(await post(bare.url, bodies, load));
      outcomes.ours.push(await post(ours.url, bodies, load));
    }
    return { ours: together(outcomes.ours), bare: together(outcomes.bare) };
  });
}

/** Larger texts, at a few connections: the slowest answers beside the usual one. */
export async function measureLarge(seconds: number): Promise<Outcome> {
  return await withTargets([startService], async ([ours]) => {
    await post(ours.url, LARGE, { connections: 4, seconds: 2 });
    return await post(ours.url, LARGE, { connections: 4, seconds });
  });
}

/**
 * Megabytes that 10,000 requests add, after the first fifth: the slope of a line through what was seen. Until then the
 * store fills up to its limit, and the memory with it.
 */
export async function measureMemory(requests: number): Promise<{ readonly slope: number; readonly errors: number }> {
  return await withTargets([startService], async ([ours]) => {
    // The resident memory goes up and down by some 10 MB with each collection: many looks, and a line through them.
    const steps = 100;
    const seen: { x: number; y: number }[] = [];
    let errors = 0;
    for (let step = 1; step <= steps; step += 1) {
      const outcome = await post(ours.url, SMALL, { connections: CONNECTIONS, amount: requests / steps });
      errors += outcome.errors + outcome.shed;
      if (step > steps / 5) seen.push({ x: (step * requests) / steps / 10_000, y: (await memoryOf(ours)) / 1e6 });
    }
    return { slope: slopeOf(seen), errors };
  });
}

export interface Overload {
  readonly outcome: Outcome;
  /** Of `/health` while it lasted, in milliseconds. */
  readonly slowestHealth: number;
  /** From its end to an answer as fast as before, in milliseconds. */
  readonly recoveredMs: number;
}

/** Four times what was answered at most, and what comes after it. */
export async function measureOverload(perSecond: number, seconds: number): Promise<Overload> {
  return await withTargets([startService], async ([ours]) => {
    await post(ours.url, SMALL, { connections: CONNECTIONS, amount: 3000 });
    const before = await post(ours.url, SMALL, { connections: CONNECTIONS, seconds: 2 });
    let slowestHealth = 0;
    const over = new AbortController();
    const watching = watchHealth(ours, over.signal, (ms) => {
      slowestHealth = Math.max(slowestHealth, ms);
    });
    const outcome = await post(ours.url, SMALL, { connections: 512, seconds, rate: Math.ceil(4 * perSecond) });
    over.abort();
    await watching;
    const ended = performance.now();
    for (;;) {
      // For a second: the load generator counts in whole ones.
      const after = await post(ours.url, SMALL, { connections: CONNECTIONS, seconds: 1 });
      const recoveredMs = performance.now() - ended;
      const back = after.shed === 0 && after.errors === 0 && after.perSecond >= before.perSecond / 2;
      if (back || recoveredMs > 30_000) return { outcome, slowestHealth, recoveredMs };
    }
  });
}

async function watchHealth(target: Target, signal: AbortSignal, seen: (ms: number) => void): Promise<void> {
  while (!signal.aborted) {
    const started = performance.now();
    await (await fetch(`${target.url}/health`)).text();
    seen(performance.now() - started);
    await sleep(100);
  }
}

async function memoryOf({ url }: Target): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\d+)$/m.exec(text)?.[1]);
}

function slopeOf(points: readonly { x: number; y: number }[]): number {
  const [mx, my] = [mean(points.map(({ x }) => x)), mean(points.map(({ y }) => y))];
  const over = points.reduce((sum, { x, y }) => sum + (x - mx) * (y - my), 0);
  return over / points.reduce((sum, { x }) => sum + (x - mx) ** 2, 0);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function together(outcomes: readonly Outcome[]): Outcome {
  const total = (pick: (outcome: Outcome) => number): number => outcomes.reduce((sum, one) => sum + pick(one), 0);
  return {
    perSecond: total(({ perSecond }) => perSecond) / outcomes.length,
    p50: total(({ p50 }) => p50) / outcomes.length,
    p99: Math.max(...outcomes.map(({ p99 }) => p99)),
    slowest: Math.max(...outcomes.map(({ slowest }) => slowest)),
    ok: total(({ ok }) => ok),
    shed: total(({ shed }) => shed),
    errors: total(({ errors }) => errors),
  };
}

async function withTargets<Result>(
  starts: readonly (() => Promise<Target>)[],
  use: (targets: [Target, Target]) => Promise<Result>,
): Promise<Result> {
  const targets: Target[] = [];
  try {
    for (const start of starts) targets.push(await start());
    return await use(targets as [Target, Target]);
  } finally {
    for (const target of targets) await target.stop();
  }
}

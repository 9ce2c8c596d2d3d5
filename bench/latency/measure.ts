// The compiled engine, as users run it: a transpiler's helpers would be measured along.
import { createEmbeddedBackend, type SourceType, split } from '../../packages/engine/dist/index.js';
import { BY_SOURCE } from '../../packages/engine/dist/kinds/kinds.js';
import { priceOf } from '../../packages/engine/dist/offer.js';
import { protect } from '../../packages/engine/dist/protect/protect.js';
import { chooseWithinBudget } from '../../packages/engine/dist/within-budget.js';

const GOAL =
  'Why does the request fail when the connection to the database times out, and where is the retry configured?';
const WORDS = new Set(GOAL.toLowerCase().match(/\w+/g));
const BATCH = 8;
const backend = createEmbeddedBackend();

export interface Measurement {
  readonly source: SourceType;
  readonly lines: number;
  readonly megabytes: number;
  readonly p50: number;
  readonly p95: number;
  /** Median of the bare pass. */
  readonly bare: number;
}

export async function measure(source: SourceType, text: string): Promise<Measurement> {
  const lines = split(text).length;
  const rounds = Math.max(2, Math.min(16, Math.round(50_000 / lines)));
  const times: number[] = [];
  const bares: number[] = [];
  // Turn about in short batches: alternating call by call would make each pay for the other's garbage.
  for (let round = 0; round < rounds; round += 1) {
    for (let call = 0; call < BATCH; call += 1) times.push(await timed(() => decide(source, text)));
    for (let call = 0; call < BATCH; call += 1) bares.push(await timed(() => barePass(text)));
  }
  // The first batch warms the compiler up.
  const [ours, bare] = [times.slice(BATCH), bares.slice(BATCH)];
  return {
    source,
    lines,
    megabytes: text.length / 1e6,
    p50: quantile(ours, 0.5),
    p95: quantile(ours, 0.95),
    bare: quantile(bare, 0.5),
  };
}

async function timed(work: () => unknown): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Bytes beyond the text itself that a decision holds at its peak, over the bytes of the text. */
export async function measureMemory(text: string): Promise<number> {
  const collect = (globalThis as { gc?: () => void }).gc ?? (() => undefined);
  await decide('code', text);
  collect();
  const before = process.memoryUsage();
  await decide('code', text);
  const after = process.memoryUsage();
  const grown = after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers;
  return Math.max(0, grown) / Buffer.byteLength(text);
}

export async function measureSingleLine(length: number): Promise<number> {
  const text = 'const value = request.retry(timeout); '.repeat(Math.ceil(length / 38)).slice(0, length);
  const started = performance.now();
  await decide('code', text);
  return performance.now() - started;
}

async function decide(source: SourceType, text: string): Promise<Uint8Array> {
  const lines = split(text);
  const judgement = await backend.judge({ goal: GOAL, texts: lines, source });
  const kind = BY_SOURCE[source];
  const job = { request: { text, goal: GOAL }, lines, kind, pruneId: 'prn_bench', started: 0 };
  return (await chooseWithinBudget(job, priceOf(job, judgement, protect(lines, undefined)), 0)).kept;
}

/** The least a line pruner could do: split, take the words, look them up. */
function barePass(text: string): number {
  let hits = 0;
  for (const line of text.split('\n')) {
    for (const word of line.toLowerCase().match(/\w+/g) ?? []) if (WORDS.has(word)) hits += 1;
  }
  return hits;
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

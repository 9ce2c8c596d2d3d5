import { createEmbeddedBackend } from '@jeeves/engine';
import { createRanker } from '@jeeves/gateway/rank';
import { bm25, wordsOf } from '../quality/bm25.ts';
import type { ListedTool } from './collect.ts';

export interface LabelledGoal {
  readonly id: number;
  readonly query: string;
  /** Every tool that serves it, as `server__tool`. */
  readonly expect: readonly string[];
}

/** How well one ranker does on one set of goals. */
export interface Quality {
  readonly ranker: string;
  readonly goals: number;
  readonly recallAt1: number;
  readonly recallAt3: number;
  readonly recallAt5: number;
  readonly mrr: number;
}

export interface CatalogueResult {
  readonly tools: number;
  readonly sets: readonly { readonly name: string; readonly rankers: readonly Quality[] }[];
  readonly speed: { readonly tools: number; readonly prepareMs: number; readonly p50: number; readonly p95: number };
  readonly misses: readonly string[];
}

const TIMED_TOOLS = 500;

interface BenchTool {
  readonly server: string;
  readonly name: string;
  readonly definition: ListedTool & Readonly<Record<string, unknown>>;
}

type Order = (goal: string) => Promise<readonly string[]>;

export async function measureCatalogue(
  listed: readonly ListedTool[],
  goals: readonly LabelledGoal[],
): Promise<CatalogueResult> {
  const tools = listed.map((tool) => ({ server: tool.server, name: tool.name, definition: { ...tool } }));
  checkLabels(tools, goals);
  const ranker = createRanker(createEmbeddedBackend());
  const ours: Order = async (goal) => (await ranker.rank(tools, goal)).map(({ tool }) => keyOf(tool));
  const rankers: readonly (readonly [string, Order])[] = [
    ['jeeves', ours],
    ['the backend alone', byBackend(tools)],
    ['BM25', byBm25(tools)],
  ];
  const sets = [
    ['held out', goals.filter(isHeldOut)],
    ['tuned on', goals.filter((goal) => !isHeldOut(goal))],
    ['all', goals],
  ] as const;
  return {
    tools: tools.length,
    sets: await Promise.all(
      sets.map(async ([name, some]) => ({
        name,
        rankers: await Promise.all(rankers.map(([ranked, order]) => quality(ranked, order, some))),
      })),
    ),
    speed: await measureSpeed(tools, goals),
    misses: await missesOf(
      ours,
      goals.filter((goal) => !isHeldOut(goal)),
    ),
  };
}

/** Every second goal was only ever measured. */
function isHeldOut({ id }: LabelledGoal): boolean {
  return id % 2 === 0;
}

function keyOf({ server, name }: BenchTool): string {
  return `${server}__${name}`;
}

function checkLabels(tools: readonly BenchTool[], goals: readonly LabelledGoal[]): void {
  const known = new Set(tools.map(keyOf));
  const wrong = goals.flatMap(({ id, expect }) =>
    expect.filter((key) => !known.has(key)).map((key) => `${id}: ${key}`),
  );
  if (wrong.length > 0) throw new Error(`labels that no server has: ${wrong.join(', ')}`);
}

function textOf({ server, name, definition }: BenchTool): string {
  const { description, inputSchema } = definition;
  const parameters = Object.keys(inputSchema?.['properties'] ?? {}).join(' ');
  return `${server} ${name} ${description ?? ''} ${parameters}`;
}

function byBm25(tools: readonly BenchTool[]): Order {
  const documents = tools.map((tool) => wordsOf(textOf(tool)));
  return (goal) => Promise.resolve(ordered(tools, bm25(documents, goal)));
}

function byBackend(tools: readonly BenchTool[]): Order {
  const backend = createEmbeddedBackend();
  const texts = tools.map(textOf);
  const list = { length: texts.length, at: (index: number) => texts[index] ?? '' };
  return async (goal) => ordered(tools, (await backend.judge({ goal, texts: list, source: 'items' })).scores);
}

function ordered(tools: readonly BenchTool[], scores: Float64Array): string[] {
  const places = Array.from(tools.keys()).sort((left, right) => (scores[right] ?? 0) - (scores[left] ?? 0));
  return places.map((place) => keyOf(tools[place] as BenchTool));
}

async function quality(ranker: string, order: Order, goals: readonly LabelledGoal[]): Promise<Quality> {
  const sums = { recallAt1: 0, recallAt3: 0, recallAt5: 0, mrr: 0 };
  for (const { query, expect } of goals) {
    const names = await order(query);
    const recall = (top: number): number =>
      expect.filter((key) => names.slice(0, top).includes(key)).length / Math.min(top, expect.length);
    sums.recallAt1 += recall(1);
    sums.recallAt3 += recall(3);
    sums.recallAt5 += recall(5);
    sums.mrr += 1 / (1 + Math.min(...expect.map((key) => names.indexOf(key))));
  }
  const mean = (sum: number): number => sum / goals.length;
  return {
    ranker,
    goals: goals.length,
    recallAt1: mean(sums.recallAt1),
    recallAt3: mean(sums.recallAt3),
    recallAt5: mean(sums.recallAt5),
    mrr: mean(sums.mrr),
  };
}

/** Exactly so many tools: the catalogue, and copies of its beginning under other servers' names. */
async function measureSpeed(
  tools: readonly BenchTool[],
  goals: readonly LabelledGoal[],
): Promise<CatalogueResult['speed']> {
  const copies = tools.map((tool) => ({ ...tool, server: `other ${tool.server}` }));
  const timed = [...tools, ...copies].slice(0, TIMED_TOOLS);
  const ranker = createRanker(createEmbeddedBackend());
  const prepared = await timeOf(() => ranker.rank(timed, goals[0]?.query ?? ''));
  const times: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    for (const { query } of goals) times.push(await timeOf(() => ranker.rank(timed, query)));
  }
  times.sort((left, right) => left - right);
  const at = (share: number): number => times[Math.floor(share * (times.length - 1))] ?? Number.NaN;
  return { tools: timed.length, prepareMs: prepared, p50: at(0.5), p95: at(0.95) };
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

async function missesOf(order: Order, goals: readonly LabelledGoal[]): Promise<string[]> {
  const lines: string[] = [];
  for (const { id, query, expect } of goals) {
    const names = await order(query);
    const place = 1 + Math.min(...expect.map((key) => names.indexOf(key)));
    if (place > 1) lines.push(`${id} [${place}] ${query} → ${names.slice(0, 4).join(', ')}`);
  }
  return lines;
}

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { computeFeatures, FEATURES } from '../../packages/engine/src/backends/lexical/features.ts';
import { split } from '../../packages/engine/src/split.ts';
import { seeded } from './random.ts';

export interface Suite {
  readonly task: string;
  /** At most so many cases. */
  readonly most: number;
  /** What the lines that are not gold weigh together, per case; gold lines weigh 1. */
  readonly negativeWeight: number;
}

/** Labelled lines: features row by row, whether the line is gold, and what it weighs. */
export interface Rows {
  readonly features: Float32Array;
  readonly labels: Uint8Array;
  readonly weights: Float32Array;
  readonly cases: number;
}

interface Case {
  readonly query: string;
  readonly text: string;
  readonly gold: readonly number[];
  readonly kind: 'code' | 'logs' | 'docs';
}

const MAX_GOLD = 30;
const OTHER_LINES = 100;

export function collectRows(folder: string, suites: readonly Suite[]): Rows {
  const random = seeded(20261115);
  const features: number[] = [];
  const labels: number[] = [];
  const weights: number[] = [];
  let cases = 0;
  for (const suite of suites) {
    for (const row of sample(readCases(folder, suite.task), suite.most, random)) {
      cases += 1;
      const lines = split(row.text);
      const columns = columnsOf(row);
      const gold = row.gold.map((line) => line - 1).filter((line) => line < lines.length);
      const isGold = new Set(gold);
      const others = Array.from({ length: lines.length }, (_, at) => at).filter(
        (at) => !isGold.has(at) && random() < OTHER_LINES / lines.length,
      );
      const add = (at: number, label: number, weight: number) => {
        for (const column of columns) features.push(column[at] ?? 0);
        labels.push(label);
        weights.push(weight);
      };
      const taken = gold.slice(0, MAX_GOLD);
      for (const at of taken) add(at, 1, 1 / taken.length);
      for (const at of others) add(at, 0, suite.negativeWeight / others.length);
    }
  }
  return {
    features: Float32Array.from(features),
    labels: Uint8Array.from(labels),
    weights: Float32Array.from(weights),
    cases,
  };
}

/** Every feature of every line, in the order of `FEATURES`. */
function columnsOf({ query, text, kind }: Case): Float32Array[] {
  const texts = split(text);
  const named = new Map<string, Float32Array>();
  computeFeatures(
    { goal: query, texts, source: kind },
    {
      add: (feature, values, scale = 1) =>
        named.set(
          feature,
          values.map((value) => value * scale),
        ),
      addConstant: (feature, value) => named.set(feature, new Float32Array(texts.length).fill(value)),
    },
  );
  return FEATURES.map((feature) => {
    const column = named.get(feature);
    if (column === undefined) throw new RangeError(`feature ${feature} is not computed`);
    return column;
  });
}

function readCases(folder: string, task: string): Case[] {
  const file = join(folder, `${task}.train.jsonl`);
  if (!existsSync(file)) throw new RangeError(`${file} is missing: run training/mine.ts first`);
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Case);
}

function sample<T>(items: readonly T[], most: number, random: () => number): T[] {
  const keyed = items.map((item) => ({ item, key: random() }));
  return keyed
    .sort((a, b) => a.key - b.key)
    .slice(0, most)
    .map(({ item }) => item);
}

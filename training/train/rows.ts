import { computeFeatures } from '../../packages/engine/src/backends/embedded/features.ts';
import { split } from '../../packages/engine/src/split.ts';
import type { MinedCase } from '../mine/case.ts';
import type { WeighedCase } from './cases.ts';
import { seeded } from './random.ts';

/** Labelled lines: features row by row, whether the line is gold, what it weighs, and its text's length as log odds. */
export interface Rows {
  readonly features: Float32Array;
  readonly width: number;
  readonly labels: Uint8Array;
  readonly weights: Float32Array;
  readonly offsets: Float32Array;
}

/** As in the backend: a text has about as many lines that serve a goal whether it is long or short. */
const NEEDED_LINES = 24;
/** Of the lines that are not gold, about so many of a case are taken; each then stands for several. */
const OTHER_LINES = 120;

export function collectRows(cases: readonly WeighedCase[], names: readonly string[]): Rows {
  const random = seeded(20261115);
  const values: number[] = [];
  const [labels, weights, offsets]: [number[], number[], number[]] = [[], [], []];
  for (const one of cases) {
    const { columns, count } = columnsOf(one, names);
    const gold = new Set(one.gold.map((line) => line - 1));
    const share = Math.min(1, OTHER_LINES / count);
    // A case with a hundred gold lines must not teach a hundred times as much as one with a single line.
    const weight = one.weight / Math.sqrt(Math.max(4, gold.size));
    for (let line = 0; line < count; line += 1) {
      if (!gold.has(line) && random() >= share) continue;
      for (const column of columns) values.push(column[line] ?? 0);
      labels.push(gold.has(line) ? 1 : 0);
      weights.push(gold.has(line) ? weight : weight / share);
      offsets.push(Math.log(NEEDED_LINES / count));
    }
  }
  return {
    features: Float32Array.from(values),
    width: names.length,
    labels: Uint8Array.from(labels),
    weights: Float32Array.from(weights),
    offsets: Float32Array.from(offsets),
  };
}

/** The named features of every line. */
function columnsOf({ query, text, kind }: MinedCase, names: readonly string[]) {
  const texts = split(text);
  const found = new Map<string, Float32Array>();
  computeFeatures(
    { goal: query, texts, source: kind },
    {
      wants: () => true,
      add: (feature, values, scale = 1, shift = 0) =>
        found.set(
          feature,
          values.map((value) => value * scale + shift),
        ),
      addConstant: (feature, value) => found.set(feature, new Float32Array(texts.length).fill(value)),
    },
  );
  const columns = names.map((name) => {
    const column = found.get(name);
    if (column === undefined) throw new RangeError(`feature ${name} is not computed for ${kind}`);
    return column;
  });
  return { columns, count: texts.length };
}

// Writes fitted models into the engine: `npm run train:export`. Reads `.cache/models.json`.
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { MODEL_NAMES, type Model } from '../packages/engine/src/backends/embedded/weights.ts';

const OUT = new URL('../packages/engine/src/backends/embedded/weights.ts', import.meta.url);
const { values } = parseArgs({ options: { models: { type: 'string', default: '.cache/models.json' } } });
const models = JSON.parse(readFileSync(values.models, 'utf8')) as Record<string, Model>;
const entries = MODEL_NAMES.map((name) => {
  const { bias = 0, weights = {} } = models[name] ?? {};
  const rows = Object.entries(weights).map(([feature, weight]) => `      ${feature}: ${round(weight)},\n`);
  return `  ${name}: {\n    bias: ${round(bias)},\n    weights: {\n${rows.join('')}    },\n  },\n`;
});
writeFileSync(
  OUT,
  `/** Written by \`npm run train:export\`; plain numbers, so that every score can be explained. */
export interface Model {
  readonly bias: number;
  /** By feature name; a feature without a weight is not even computed. */
  readonly weights: Readonly<Record<string, number>>;
}

export const MODEL_NAMES = [${MODEL_NAMES.map((name) => `'${name}'`).join(', ')}] as const;
export type ModelName = (typeof MODEL_NAMES)[number];

export const MODELS: Readonly<Record<ModelName, Model>> = {
${entries.join('')}};
`,
);

function round(value: number): number {
  return Number(value.toPrecision(4));
}

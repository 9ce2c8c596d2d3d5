// Fits the models of the embedded backend: `npm run train:fit`. Reads the mined cases, writes `.cache/models.json`.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { MODEL_NAMES, type Model, type ModelName } from '../packages/engine/src/backends/embedded/weights.ts';
import { casesFor } from './train/cases.ts';
import { fitLogistic, lossOf } from './train/logistic.ts';
import { RECIPES } from './train/models.ts';
import { collectRows } from './train/rows.ts';

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '.cache/cases' },
    out: { type: 'string', default: '.cache/models.json' },
  },
});
const models = Object.fromEntries(MODEL_NAMES.map((name) => [name, fit(name)]));
writeFileSync(values.out, `${JSON.stringify(models, undefined, 2)}\n`);

function fit(name: ModelName): Model {
  const recipe = RECIPES[name];
  const rows = collectRows(casesFor(recipe, values.cases, 'train'), recipe.features);
  const { bias, weights, loss } = fitLogistic(rows, recipe.ridge);
  const held = lossOf(collectRows(casesFor(recipe, values.cases, 'test'), recipe.features), { bias, weights });
  process.stderr.write(`${name}: ${rows.labels.length} lines, loss ${loss.toFixed(5)}, held out ${held.toFixed(5)}\n`);
  return { bias, weights: Object.fromEntries(recipe.features.map((feature, at) => [feature, weights[at] ?? 0])) };
}

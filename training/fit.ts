// Fits the fixed weights of the lexical backend: `tsx --conditions=@jeeves/source training/fit.ts --cases DIR`.
// Reads the mined training cases, writes packages/engine/src/backends/lexical/weights.ts. Deterministic.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { FEATURES } from '../packages/engine/src/backends/lexical/features.ts';
import { fitLogistic } from './fit/logistic.ts';
import { collectRows, type Suite } from './fit/rows.ts';
import { weightsModule } from './fit/write.ts';

const OUT = new URL('../packages/engine/src/backends/lexical/weights.ts', import.meta.url);

/** Which mined tasks teach which kind of text. Negatives teach that a goal may have no answer at all. */
const SUITES: Record<'code' | 'logs' | 'docs', readonly Suite[]> = {
  code: [
    { task: 'commit', most: 2400, negativeWeight: 1 },
    { task: 'doc', most: 1200, negativeWeight: 1 },
    { task: 'question', most: 2400, negativeWeight: 1 },
    { task: 'negative', most: 300, negativeWeight: 2 },
  ],
  logs: [{ task: 'logs', most: 2000, negativeWeight: 1 }],
  docs: [
    { task: 'section', most: 2400, negativeWeight: 1 },
    { task: 'section-negative', most: 300, negativeWeight: 2 },
  ],
};

/** Few log cases are to be had, so there no sign of a match may count against a line; elsewhere only the plainest may not. */
const NON_NEGATIVE = {
  code: nonNegative('found identifiers'),
  docs: nonNegative('found identifiers'),
  logs: nonNegative(`line lineRelative near3 near8 near8Relative fading window16 window16Relative window40 window40Relative
    block blockRelative blockCoverage blockRank scope scopeRelative feedback feedbackNear feedbackBlock identifiers
    identifiersNear coverage coverageNear found blockTimesLine windowTimesNear`),
};

const { values } = parseArgs({ options: { cases: { type: 'string', default: '.cache/cases' } } });
const fitted = (['code', 'logs', 'docs'] as const).map((source) => {
  const suites = SUITES[source];
  const rows = collectRows(values.cases, suites);
  process.stderr.write(`${source}: ${rows.labels.length} lines of ${rows.cases} cases\n`);
  const { bias, weights, loss } = fitLogistic(rows, {
    epochs: 4,
    rate: 0.01,
    decay: 1e-3,
    nonNegative: NON_NEGATIVE[source],
  });
  process.stderr.write(`  loss ${loss.toFixed(4)}\n`);
  return [source, { bias, weights: Object.fromEntries(FEATURES.map((name, at) => [name, weights[at] ?? 0])) }] as const;
});
writeFileSync(OUT, weightsModule(Object.fromEntries(fitted)));

function nonNegative(names: string): boolean[] {
  const list = new Set(names.split(/\s+/));
  return FEATURES.map((name) => list.has(name));
}

import type { ModelName } from '../../packages/engine/src/backends/embedded/weights.ts';

interface Suite {
  readonly task: string;
  /** At most so many cases. */
  readonly most: number;
  /** Only cases whose goal asks, or does not ask, what went wrong. */
  readonly trouble?: boolean;
  /** How much its lines weigh; 1 when absent. */
  readonly weight?: number;
}

export interface Recipe {
  readonly suites: readonly Suite[];
  /** What an ablation showed to be worth its line of code: taking any of these away costs held-out likelihood. */
  readonly features: readonly string[];
  /** Weights are pulled towards zero with this strength: the fewer repositories taught, the harder. */
  readonly ridge: number;
}

export const RECIPES: Readonly<Record<ModelName, Recipe>> = {
  code: {
    suites: [
      { task: 'commit', most: 3400 },
      { task: 'doc', most: 1000 },
      { task: 'question', most: 2100 },
      { task: 'negative', most: 300 },
    ],
    features:
      words(`line lineZ lineZ2 lineZ6 coverageZ coverageZ6 window16Z6 window40Z6 block blockZ blockZ6 header scope
      scopeZ2 scopeZ6 blockTimesLine definedByUseZ6 isComment isCloser isBlank isEdge length found goalSize`),
    ridge: 3,
  },
  docs: {
    suites: [
      { task: 'section', most: 800 },
      { task: 'section-negative', most: 300 },
    ],
    features: words(`lineZ2 coverageZ2 near8 window16Z6 window40Z6 blockZ blockZ6 blockCoverage header scopeZ2 scopeZ6
      isDefinition isBlank found`),
    ridge: 10,
  },
  logs: {
    suites: [
      { task: 'build-log', most: 1000 },
      { task: 'middle-log', most: 1000 },
      // The only logs of services: without more weight they would be lost among the build logs.
      { task: 'logs', most: 1000, trouble: true, weight: 3 },
    ],
    features:
      words(`line lineZ lineZ2 coverage coverageZ2 window16Z6 window40Z6 block blockCoverage severe severeNear severeSingle afterSevere redNear place
      fine fineNear detail singleZ repeated beforeEnd rareWordsZ rareWordsZ2 rareWordsZ6 paragraph isBlank indent`),
    ridge: 150,
  },
  records: {
    suites: [
      { task: 'logs', most: 1000, trouble: false },
      { task: 'table', most: 1000 },
    ],
    features: words('line lineZ lineZ2 coverage coverageZ window16Z6 repeated single isBlank found'),
    ridge: 200,
  },
};

function words(list: string): string[] {
  return list.trim().split(/\s+/);
}

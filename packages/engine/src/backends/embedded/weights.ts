/** Written by `npm run train:export`; plain numbers, so that every score can be explained. */
export interface Model {
  readonly bias: number;
  /** By feature name; a feature without a weight is not even computed. */
  readonly weights: Readonly<Record<string, number>>;
}

export const MODEL_NAMES = ['code', 'docs', 'logs', 'records'] as const;
export type ModelName = (typeof MODEL_NAMES)[number];

export const MODELS: Readonly<Record<ModelName, Model>> = {
  code: {
    bias: -2.712,
    weights: {
      line: 3.434,
      lineZ: 0.02975,
      lineZ2: 0.1867,
      lineZ6: 0.4157,
      coverageZ: 0.03933,
      coverageZ6: -0.4678,
      window16Z6: 0.3869,
      window40Z6: 0.2417,
      block: 0.6029,
      blockZ: 0.1015,
      blockZ6: -0.2315,
      header: 1.828,
      scope: 1.634,
      scopeZ2: 0.232,
      scopeZ6: 0.2449,
      blockTimesLine: -3.251,
      definedByUseZ6: 0.1515,
      isComment: -1.049,
      isCloser: 0.2399,
      isBlank: -6.608,
      isEdge: 0.6913,
      length: 0.3012,
      found: -0.2344,
      goalSize: 0.4916,
    },
  },
  docs: {
    bias: -2.677,
    weights: {
      lineZ2: -0.6291,
      coverageZ2: 0.5382,
      near8: 2.601,
      window16Z6: 0.2558,
      window40Z6: 0.5857,
      blockZ: 0.3555,
      blockZ6: -0.2559,
      blockCoverage: 1.498,
      header: 1.11,
      scopeZ2: 0.0833,
      scopeZ6: 0.6591,
      isDefinition: -4.25,
      isBlank: -5.521,
      found: 0.6232,
    },
  },
  logs: {
    bias: -4.038,
    weights: {
      lineZ: 0.07256,
      lineZ2: -0.1874,
      coverageZ2: 0.2335,
      window16Z6: 0.01823,
      window40Z6: 0.4183,
      block: 0.0861,
      blockCoverage: -0.1575,
      severeSingle: 0.6475,
      afterSevere: 0.9216,
      redNear: 1.95,
      place: 2.137,
      fine: -1.623,
      fineNear: 0.6631,
      detail: 1.15,
      singleZ: 0.173,
      repeated: -2.023,
      beforeEnd: 3.304,
      rareWordsZ: 0.2506,
      rareWordsZ2: 0.4908,
      rareWordsZ6: -0.2392,
      paragraph: 1.058,
      isBlank: -1.627,
      indent: 2.473,
    },
  },
  records: {
    bias: -2.638,
    weights: {
      line: 24.53,
      lineZ: -0.7554,
      lineZ2: 1.405,
      coverage: 31.38,
      coverageZ: -0.7052,
      window16Z6: 0.02126,
      repeated: 0.5549,
      single: 1.413,
      isBlank: -60.99,
      found: 2.019,
    },
  },
};

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
    bias: -3.973,
    weights: {
      lineZ: 0.06841,
      lineZ2: -0.05605,
      coverageZ2: 0.1096,
      window16Z6: 0.05673,
      window40Z6: 0.3517,
      block: 0.05023,
      blockCoverage: -0.01014,
      severeSingle: 0.7115,
      afterSevere: 0.9092,
      redNear: 1.896,
      place: 2.117,
      fine: -0.8848,
      fineNear: 0.1293,
      detail: 1.033,
      singleZ: 0.1879,
      repeated: -1.372,
      beforeEnd: 3.245,
      rareWordsZ: 0.2534,
      rareWordsZ2: 0.3806,
      rareWordsZ6: -0.1073,
      paragraph: 0.9855,
      isBlank: -1.052,
      indent: 2.556,
    },
  },
  records: {
    bias: -3.966,
    weights: {
      line: 5.068,
      lineZ: 0.2397,
      lineZ2: 0.1668,
      coverage: 5.749,
      coverageZ: 0.2418,
      window16Z6: 0.1922,
      repeated: -0.5168,
      single: 0.5988,
      isBlank: -0.1646,
      found: -0.8201,
    },
  },
};

interface Weights {
  readonly bias: number;
  readonly weights: Readonly<Record<string, number>>;
}

/** The weights as a source file: small enough to read, so that every score can be explained. */
export function weightsModule(fitted: Readonly<Record<string, Weights>>): string {
  const kinds = Object.entries(fitted).map(([source, { bias, weights }]) => {
    const rows = Object.entries(weights)
      .filter(([, weight]) => Math.abs(weight) >= 0.005)
      .map(([name, weight]) => `      ${name}: ${round(weight)},\n`);
    return `  ${source}: {\n    bias: ${round(bias)},\n    weights: {\n${rows.join('')}    },\n  },\n`;
  });
  return `import type { SourceType } from '../backend.ts';

export interface LinearWeights {
  readonly bias: number;
  /** By feature name; a feature without a weight does not count. */
  readonly weights: Readonly<Record<string, number>>;
}

/** What each feature is worth per kind of text. Written by \`training/fit.ts\`; plain numbers, so that a score can be explained. */
export const WEIGHTS: Readonly<Record<SourceType, LinearWeights>> = {
${kinds.join('')}};
`;
}

function round(value: number): number {
  return Number(value.toPrecision(4));
}

import type { Comparison, Metric, MetricSummary } from './compare.ts';
import type { Interval } from './statistics.ts';

const ROWS: readonly (readonly [metric: Metric, label: string, digits: number])[] = [
  ['tokens', 'tokens, all requests', 0],
  ['output_tokens', 'output tokens', 0],
  ['cost_usd', 'cost, USD', 4],
  ['turns', 'turns', 1],
  ['seconds', 'seconds', 1],
  ['success', 'success rate', 2],
];

/** A comparison as a page to read: the outcome in a sentence, then the table. What was saved is without minus with: a negative number is a loss. */
export function compareMarkdown(comparison: Comparison): string {
  const { sentence, simulated, task, provider, model, runs, pairs, summary } = comparison;
  const estimated = pairs.some((pair) =>
    [pair.with, pair.without].some(({ cost_basis }) => cost_basis === 'estimated'),
  );
  const lines = [
    `${sentence}.`,
    '',
    `# ${task}`,
    '',
    `${provider}${model === null ? '' : ` (${model})`}, ${runs} ${runs === 1 ? 'pair' : 'pairs'} of runs with and without pruning.`,
    ...(simulated === true
      ? ['No model was asked: tokens, cost and turns are simulated from the script and the outputs of its tools.']
      : []),
    '',
    `| ${simulated === true ? 'simulated ' : ''}| without | with | saved | 95 % interval (t) | 95 % interval (bootstrap) | pairs |`,
    '|---|---:|---:|---:|---:|---:|---:|',
    ...ROWS.map(([metric, label, digits]) => row(label, summary[metric], digits)),
    '',
    'Saved is without minus with, pair by pair: above 0 is a gain, but for the success rate a loss. An interval that holds 0',
    'shows no difference.',
    estimated
      ? 'Cost is estimated from the tokens the provider counted, at list prices with cache reads and writes.'
      : 'Cost is what the provider reported.',
  ];
  return `${lines.join('\n')}\n`;
}

function row(label: string, { with: pruned, without, saved, pairs }: MetricSummary, digits: number): string {
  if (pairs === 0) return `| ${label} | – | – | – | – | – | 0 |`;
  const shown = (value: number): string => value.toFixed(digits);
  const range = (interval: Interval): string =>
    interval === null ? '–' : `${shown(interval[0])} … ${shown(interval[1])}`;
  const cells = [shown(without), shown(pruned), shown(saved.mean), range(saved.t), range(saved.bootstrap), pairs];
  return `| ${label} | ${cells.join(' | ')} |`;
}

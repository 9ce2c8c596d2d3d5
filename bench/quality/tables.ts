import { gapsPerThousand, isOverBudget, type PrunedRow, shareOfTokens } from '../../packages/cli/src/bench/prune.ts';
import { BASELINES } from './baselines.ts';
import { mean, pairedDifference } from './bootstrap.ts';
import { type CaseResult, pointsOf } from './measure.ts';
import { EDGES, together, total } from './reliability.ts';

/** A table as rows of cells; the first row is the head. */
export type Table = readonly (readonly string[])[];

/** Cases that were measured, under the name of their suite. */
export interface Measured {
  readonly name: string;
  readonly results: readonly CaseResult[];
}

const LENGTHS: readonly number[] = [0, 200, 1000, 5000];

export function answered(results: readonly CaseResult[]): CaseResult[] {
  return results.filter(({ gold }) => gold > 0);
}

/** One column per budget, and one for the defaults. */
export function suiteTable({ name, results }: Measured): Table {
  const cases = answered(results);
  const points = pointsOf(cases[0]?.source ?? 'code');
  const columns = points.map((_, point) => columnOf(cases, point, `${name} ${point}`));
  const row = (title: string, cell: (column: Column) => string): string[] => [title, ...columns.map(cell)];
  return [
    ['recall', ...points.map(({ label }) => label)],
    row('**jeeves**', ({ recalls }) => `**${share(mean(recalls))}**`),
    ...BASELINES.map((baseline, at) => row(baseline.name, ({ baselines }) => share(mean(baselines[at] ?? [])))),
    row('lead over the best of these', ({ lead }) => lead),
    row('every gold line kept', ({ recalls }) => share(mean(recalls.map((recall) => (recall === 1 ? 1 : 0))))),
    row('gaps per 1,000 lines', ({ rows }) => gapsPerThousand(rows).toFixed(1)),
    row('tokens, mean', ({ rows }) => whole(mean(rows.map(({ tokensAfter }) => tokensAfter)))),
    row('share of tokens', ({ rows }) => percent(mean(rows.map(shareOfTokens)))),
    row('budgets met', ({ rows }) =>
      rows[0]?.maxTokens === undefined ? '–' : `${rows.filter((one) => !isOverBudget(one)).length} of ${rows.length}`,
    ),
  ];
}

interface Column {
  readonly rows: readonly PrunedRow[];
  readonly recalls: readonly number[];
  readonly baselines: readonly (readonly number[])[];
  readonly lead: string;
}

function columnOf(cases: readonly CaseResult[], point: number, seed: string): Column {
  const rows = cases.flatMap(({ ours }) => ours[point] ?? []);
  const recalls = rows.map(({ recall = 0 }) => recall);
  const baselines = BASELINES.map((_, at) => cases.map((one) => one.baselines[at]?.[point] ?? 0));
  const best = baselines.reduce((so, other) => (mean(other) > mean(so) ? other : so));
  const lead = pairedDifference(recalls, best, seed);
  return { rows, recalls, baselines, lead: `${signed(lead.mean)} [${signed(lead.low)}, ${signed(lead.high)}]` };
}

/** What a reader gets who asks for nothing in particular. */
export function defaultsTable(suites: readonly Measured[]): Table {
  const head = ['defaults', 'cases', 'tokens before', 'kept, mean', 'kept, most', 'share', 'recall', 'gaps per 1,000'];
  return [[...head, 'source told'], ...suites.filter(({ results }) => answered(results).length > 0).map(defaultsRow)];
}

function defaultsRow({ name, results }: Measured): string[] {
  const cases = answered(results);
  const rows = cases.flatMap(({ ours }) => ours.at(-1) ?? []);
  return [
    name,
    String(cases.length),
    whole(mean(rows.map(({ tokensBefore }) => tokensBefore))),
    whole(mean(rows.map(({ tokensAfter }) => tokensAfter))),
    whole(Math.max(...rows.map(({ tokensAfter }) => tokensAfter))),
    percent(mean(rows.map(shareOfTokens))),
    share(mean(rows.map(({ recall = 0 }) => recall))),
    gapsPerThousand(rows).toFixed(1),
    percent(mean(cases.map(({ detected }) => (detected ? 1 : 0)))),
  ];
}

/** Goals that the text does not answer, at the defaults. */
export function foreignTable(suites: readonly Measured[]): Table {
  const foreign = suites.map(({ name, results }) => ({ name, results: results.filter(({ gold }) => gold === 0) }));
  return [
    ['foreign goals', 'cases', 'share of tokens kept', 'says `no_match`', 'lines expected (Σ p)'],
    ...foreign.filter(({ results }) => results.length > 0).map(foreignRow),
  ];
}

function foreignRow({ name, results }: Measured): string[] {
  const rows = results.flatMap(({ ours }) => ours.at(-1) ?? []);
  return [
    name,
    String(rows.length),
    percent(mean(rows.map(shareOfTokens))),
    percent(mean(rows.map(({ warnings }) => (warnings.includes('no_match') ? 1 : 0)))),
    mean(results.map(({ bins }) => total(bins).predicted)).toFixed(1),
  ];
}

/** Whether scores are probabilities: of the lines with a score of .2, one in five should be gold. */
export function reliabilityTable(source: string, cases: readonly CaseResult[]): Table {
  const bins = together(cases.map(({ bins }) => bins));
  return [
    [`score, ${source}`, 'lines', 'predicted', 'observed'],
    ...bins.map(({ lines, predicted, gold }, at) => [
      `${EDGES[at]} – ${EDGES[at + 1] ?? 1}`,
      whole(lines),
      lines === 0 ? '–' : percent(predicted / lines),
      lines === 0 ? '–' : percent(gold / lines),
    ]),
  ];
}

/** Whether that holds for texts of all lengths. */
export function lengthTable(cases: readonly CaseResult[]): Table {
  const rows = LENGTHS.map((least, at) => {
    const most = LENGTHS[at + 1] ?? Number.POSITIVE_INFINITY;
    const some = cases.filter(({ ours }) => (ours[0]?.lines ?? 0) >= least && (ours[0]?.lines ?? 0) < most);
    const { predicted, gold } = total(some.flatMap(({ bins }) => bins));
    const mean = (sum: number): string => (some.length === 0 ? '–' : (sum / some.length).toFixed(1));
    return [at === 0 ? `under ${most}` : `from ${whole(least)}`, String(some.length), mean(predicted), mean(gold)];
  });
  return [['lines of the text', 'cases', 'lines expected (Σ p)', 'gold lines'], ...rows];
}

function share(value: number): string {
  return value.toFixed(3).replace(/^0(?=\.)/, '');
}

function percent(value: number): string {
  return `${(100 * value).toFixed(1)} %`;
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${share(Math.abs(value))}`;
}

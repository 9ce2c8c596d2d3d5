import { SMOOTHED } from './baselines.ts';
import type { Difference } from './bootstrap.ts';
import type { BackendResult, SuiteResult } from './measure.ts';
import { KEPT_SHARES } from './metrics.ts';

/** A table as rows of cells; the first row is the head. */
type Table = readonly (readonly string[])[];

/** What both forms of the report say about a suite. */
interface Section {
  readonly title: string;
  readonly tables: readonly Table[];
}

const NOTES = [
  'Recall is the share of gold lines among the best ⌈share · lines⌉ lines, averaged over cases; ties go to the earlier line.',
  'AUC is the chance that a gold line scores above another line. "all@30" is the share of cases with every gold line in the best 30 %.',
  `"${SMOOTHED.box}" is BM25 per line, then the plain mean over the lines at most 8 away; "${SMOOTHED.triangle}" weighs nearer lines more. Windows are 40 lines, not overlapping. BM25 drops stop words and usual endings.`,
  'Intervals are 95 %, from a paired bootstrap with 2,000 resamples; a lead whose interval holds 0 is noise.',
  'The default operating point is `prune()` with every option left alone. Times are for judging alone.',
  'How far to trust it: weights are fitted on other repositories than the mined suites measure, but features and fitting options were chosen with these suites in view, and the operating point with the corpus in view. Neither is an untouched test.',
  'Mined questions reuse the texts and gold lines of commits and docs. Mined logs are partly synthetic and share word lists with the training logs. The corpus holds what the backend keeps; what it misses stands in "corpus stretch".',
];

/** Aligned columns for a terminal. */
export function toTerminal(results: readonly SuiteResult[], absent: readonly string[]): string {
  const parts = results.map(sectionOf).map(({ title, tables }) => [title, ...tables.map(aligned)].join('\n\n'));
  return `${[...parts, ...NOTES, ...absent].join('\n\n')}\n`;
}

/** The page kept beside the code: the same figures, no date and no machine. */
export function toMarkdown(results: readonly SuiteResult[], absent: readonly string[]): string {
  const count = results.filter(({ name }) => !name.startsWith('corpus ')).reduce((sum, { cases }) => sum + cases, 0);
  const intro = `# Quality of scoring\n\nWritten by \`npm run bench:quality\` over ${count} cases.`;
  const parts = results.map(sectionOf).map(({ title, tables }) => [`## ${title}`, ...tables.map(piped)].join('\n\n'));
  return `${[intro, NOTES.join('\n'), ...absent, ...parts].join('\n\n')}\n`;
}

function sectionOf(result: SuiteResult): Section {
  const tables = [scorerTable(result), leadTable(result), operatingTable(result)].filter((table) => table.length > 1);
  return { title: `${result.name}: ${result.cases} cases, ${result.lines} lines`, tables };
}

function scorerTable({ scorers }: SuiteResult): Table {
  const head = ['scorer', ...KEPT_SHARES.map((share) => `R@${share * 100}`), 'AUC', 'all@30'];
  return [
    head,
    ...scorers.map(({ name, metrics: { recall, auc, allGold } }) => [
      name,
      ...recall.map(share),
      share(auc),
      share(allGold),
    ]),
  ];
}

function leadTable({ leads }: SuiteResult): Table {
  const head = ['lead', ...KEPT_SHARES.map((share) => `R@${share * 100}`), 'AUC'];
  return [
    head,
    ...leads.map(({ name, over, recall, auc }) => [`${name} − ${over}`, ...recall.map(interval), interval(auc)]),
  ];
}

function operatingTable({ backends }: SuiteResult): Table {
  const head = ['default operating point', 'kept', 'gold kept', 'critical misses', 'error lines lost', 'violations'];
  return [[...head, 'false claims', 'p50 ms/1k', 'p95 ms/1k'], ...backends.map(operatingRow)];
}

function operatingRow({ name, operatingPoint: point, falseClaims, p50, p95 }: BackendResult): string[] {
  return [
    name,
    percent(point.keptShare),
    percent(point.goldKept),
    `${point.criticalMisses} of ${point.criticalLines}`,
    `${point.errorLinesLost} of ${point.errorLines}`,
    String(point.violations),
    percent(falseClaims),
    p50.toFixed(2),
    p95.toFixed(2),
  ];
}

function share(value: number): string {
  return value.toFixed(3).replace(/^0(?=\.)/, '');
}

function percent(value: number): string {
  return Number.isNaN(value) ? '–' : `${(100 * value).toFixed(1)} %`;
}

function interval({ mean, low, high }: Difference): string {
  return `${signed(mean)} [${signed(low)}, ${signed(high)}]`;
}

function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${share(Math.abs(value))}`;
}

function aligned(table: Table): string {
  const widths = (table[0] ?? []).map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ');
  return table.map(line).join('\n');
}

function piped([head = [], ...rows]: Table): string {
  const rule = head.map((_, column) => (column === 0 ? '---' : '--:'));
  return [head, rule, ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

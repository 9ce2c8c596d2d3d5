import { cpus, loadavg } from 'node:os';
import type { Check } from './limits.ts';
import type { Measurement, Timing } from './measure.ts';

const COLUMNS: readonly [title: string, value: (row: Measurement) => string][] = [
  ['store', (row) => row.store],
  ['segments', (row) => row.segments.toLocaleString('en')],
  ['totals', (row) => both(row.totals)],
  ['all metadata', (row) => both(row.list)],
  ['what changed', (row) => both(row.changes)],
  ['newest 50', (row) => both(row.newest)],
  ['search', (row) => both(row.search)],
  ['search of the stash', (row) => both(row.searchStashed)],
  ['write one', (row) => both(row.write)],
  ['move 100', (row) => both(row.stash)],
];

export function toMarkdown(rows: readonly Measurement[], checks: readonly Check[]): string {
  const lines = [
    '# Stores from 1,000 to 100,000 segments',
    '',
    `Milliseconds, median / 95th percentile, one call at a time, every call through the public interface. Texts of 20 to 140`,
    `words; searches of one to five words, from the common to the unknown. Node ${process.versions.node}, ${cpus().length} cores of ${cpus()[0]?.model ?? 'unknown'}.`,
    `Written by \`npm run bench:stores\`, at a load of ${(loadavg()[0] ?? 0).toFixed(1)} at its end: other work on the machine shows in every figure.`,
    '',
    `| ${COLUMNS.map(([title]) => title).join(' | ')} |`,
    `|${COLUMNS.map((_, at) => (at < 1 ? '---' : '---:')).join('|')}|`,
    ...rows.map((row) => `| ${COLUMNS.map(([, value]) => value(row)).join(' | ')} |`),
    '',
    '| limit at 100,000 segments | limit | measured | |',
    '|---|---:|---:|---|',
    ...checks.map(
      ({ what, limitMs, measuredMs, held }) =>
        `| ${what} | ${limitMs} | ${short(measuredMs)} | ${held ? 'held' : 'missed'} |`,
    ),
  ];
  return `${lines.join('\n')}\n`;
}

export function toTerminal(rows: readonly Measurement[], checks: readonly Check[]): string {
  const figures = rows.map((row) => COLUMNS.map(([title, value]) => `${title} ${value(row)}`).join(' · '));
  const verdicts = checks.map(
    ({ what, limitMs, measuredMs, held }) =>
      `${held ? 'held  ' : 'MISSED'} ${what}: ${short(measuredMs)} of ${limitMs} ms`,
  );
  return `${[...figures, ...verdicts].join('\n')}\n`;
}

function both({ p50, p95 }: Timing): string {
  return `${short(p50)} / ${short(p95)}`;
}

function short(ms: number): string {
  return ms < 10 ? ms.toFixed(1) : String(Math.round(ms));
}

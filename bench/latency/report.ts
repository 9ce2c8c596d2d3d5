import type { Check } from './limits.ts';
import type { Measurement } from './measure.ts';

const HEAD = ['source', 'lines', 'MB', 'p50 ms', 'p95 ms', 'µs/line', 'bare ms', '× bare'];

export function toTerminal(rows: readonly Measurement[], checks: readonly Check[]): string {
  return `${aligned([HEAD, ...rows.map(cells)])}\n\n${aligned(checks.map(checkCells))}\n`;
}

export function toMarkdown(rows: readonly Measurement[], checks: readonly Check[]): string {
  const intro = [
    '# Latency of a decision',
    '',
    'Written by `npm run bench:latency`: split → protect → judge → select on real lines of the corpus, warm, token counting',
    'apart; "bare" splits the same text and matches its words, in the same run. Absolute times depend on the machine, the',
    'ratios less so. Ours and the bare pass take turns in batches of eight calls. Memory is the heap and buffers added by one',
    'decision on 100,000 lines of code, without a collection in between: no true peak, and it varies by a third between runs.',
    'It is some 200 bytes a line, so texts of very short lines take far more than ten times their size.',
  ].join('\n');
  return `${intro}\n\n${piped([HEAD, ...rows.map(cells)])}\n\n${piped([['limit', 'measured', 'allowed', ''], ...checks.map(checkCells)])}\n`;
}

function cells({ source, lines, megabytes, p50, p95, bare }: Measurement): string[] {
  const perLine = (p50 / lines) * 1000;
  return [
    source,
    String(lines),
    megabytes.toFixed(2),
    p50.toFixed(2),
    p95.toFixed(2),
    perLine.toFixed(2),
    bare.toFixed(2),
    (p50 / bare).toFixed(1),
  ];
}

function checkCells({ name, measured, limit, held }: Check): string[] {
  return [name, measured, limit, held ? 'held' : 'MISSED'];
}

function aligned(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join('  '),
    )
    .join('\n');
}

function piped(rows: readonly (readonly string[])[]): string {
  const [head = [], ...body] = rows;
  return [head, head.map(() => '---'), ...body].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

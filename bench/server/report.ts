/** One limit and what was measured against it. */
export interface Check {
  readonly name: string;
  /** Milliseconds. */
  readonly ours: number;
  readonly bare: number;
  readonly measured: string;
  readonly limit: string;
  readonly held: boolean;
}

const HEAD = ['what', 'ours ms', 'other ms', 'measured', 'limit', ''];

export function toTerminal(checks: readonly Check[]): string {
  const rows = [HEAD, ...checks.map(cells)];
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  const pad = (cell: string, column: number): string =>
    column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  return `${rows.map((row) => row.map(pad).join('  ')).join('\n')}\n`;
}

export function toMarkdown(checks: readonly Check[], machine: string): string {
  const intro = [
    '# The server beside bare programs',
    '',
    `Written by \`npm run bench:server\` (${machine}). Medians; what is compared takes turns in the same run, so the ratios`,
    'say more than the times.',
  ].join('\n');
  const rows = [HEAD, HEAD.map((_, column) => (column === 0 ? '---' : '--:')), ...checks.map(cells)];
  return `${intro}\n\n${rows.map((row) => `| ${row.join(' | ')} |`).join('\n')}\n`;
}

function cells({ name, ours, bare, measured, limit, held }: Check): string[] {
  return [name, ours.toFixed(1), bare.toFixed(1), measured, `≤ ${limit}`, held ? 'held' : 'MISSED'];
}

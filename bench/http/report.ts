/** One limit and what was measured against it. */
export interface Check {
  readonly name: string;
  readonly measured: string;
  readonly limit: string;
  /** Absent: measured for the record. */
  readonly held?: boolean;
}

const HEAD = ['what', 'measured', 'limit', ''];

export function toTerminal(checks: readonly Check[]): string {
  const rows = [HEAD, ...checks.map(cells)];
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return `${rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')).join('\n')}\n`;
}

export function toMarkdown(checks: readonly Check[], machine: string): string {
  const intro = [
    '# The HTTP service under load',
    '',
    `Written by \`npm run bench:http\` (${machine}). \`prune_text\` over \`/rpc\`, texts stored durably before each answer. The`,
    'bare handler parses the same body, splits the text and counts its tokens; both take turns in the same run.',
  ].join('\n');
  const rows = [HEAD, HEAD.map(() => '---'), ...checks.map(cells)];
  return `${intro}\n\n${rows.map((row) => `| ${row.join(' | ')} |`).join('\n')}\n`;
}

function cells({ name, measured, limit, held }: Check): string[] {
  return [name, measured, limit, held === undefined ? '' : held ? 'held' : 'MISSED'];
}

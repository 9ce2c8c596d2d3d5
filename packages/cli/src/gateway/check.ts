import type { ServerCheck } from '@jeeves/gateway';
import type { Context } from '../context.ts';
import { counted, grouped } from '../output/numbers.ts';
import { styleFor } from '../output/style.ts';

/** What became of each server, as a table for people. */
export function checkText(checks: readonly ServerCheck[], { stdout, config }: Context): string {
  const { bold, dim, yellow } = styleFor(stdout, config);
  const head = ['server', 'tools', 'time', 'problem'] as const;
  const rows = checks.map(({ server, ok, tools, milliseconds, problem = '', fix = '' }) => ({
    cells: [server, grouped(tools), milliseconds === undefined ? '–' : `${grouped(milliseconds)} ms`],
    problem: ok ? dim('ok') : yellow([`${problem}.`, fix].join(' ').trim()),
  }));
  const widths = [0, 1, 2].map((column) =>
    Math.max(head[column]?.length ?? 0, ...rows.map(({ cells }) => cells[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  ');
  const failed = checks.filter(({ ok }) => !ok).length;
  const total = checks.reduce((sum, { tools }) => sum + tools, 0);
  const summary = `${counted(checks.length, 'server')}, ${counted(total, 'tool')}, ${failed} failed`;
  return `${[
    bold(`${line(head.slice(0, 3))}  ${head[3]}`),
    ...rows.map(({ cells, problem }) => `${line(cells)}  ${problem}`),
    '',
    summary,
  ].join('\n')}\n`;
}

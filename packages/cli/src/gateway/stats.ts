import type { StatsReport } from '@jeeves/gateway';
import type { Context } from '../context.ts';
import { counted, grouped } from '../output/numbers.ts';
import { styleFor } from '../output/style.ts';

/** What the gateway saved, for people. */
export function statsText(stats: StatsReport, { stdout, config }: Context): string {
  const { bold, dim, yellow } = styleFor(stdout, config);
  const rows: [string, number, string][] = [
    ['definition tokens saved', stats.definitionTokensSaved, 'estimated, net of our own tools'],
    ['  instead of', stats.definitionTokensBefore, `in ${counted(stats.listings, 'listing')} of everything`],
    ['  our own tools', stats.ownDefinitionTokens, ''],
    ['  sent when asked for', stats.definitionTokensSent, ''],
    ['extra round trips', stats.extraRoundTrips, 'calls of automatic_mcp'],
    ['tool calls', stats.toolCalls, ''],
    ['validation errors caught', stats.validationErrors, 'answered with the schema'],
    ['unknown tools', stats.unknownTools, 'answered with the closest names'],
    ['tokens pruned', stats.tokensPruned, `estimated, from ${counted(stats.resultsPruned, 'result')}`],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  const digits = Math.max(...rows.map(([, value]) => grouped(value).length));
  const lines = rows.map(([name, value, note]) => {
    const line = `${name.padEnd(width)}  ${bold(grouped(value).padStart(digits))}`;
    return note === '' ? line : `${line}  ${dim(note)}`;
  });
  const warnings = stats.servers.flatMap(({ server, changed, cleaned }) => [
    ...cleaned.map((tool) => yellow(`${server}: had hidden characters in its definition: ${tool}`)),
    ...changed.map((tool) =>
      yellow(`${server}: changed since it was first seen: ${tool} (accept with: jeeves gateway approve)`),
    ),
  ]);
  const parts = [lines, serverTable(stats.servers, bold), warnings].filter((part) => part.length > 0);
  return `${parts.map((part) => part.join('\n')).join('\n\n')}\n`;
}

function serverTable(servers: StatsReport['servers'], bold: (text: string) => string): readonly string[] {
  if (servers.length === 0) return [];
  const rows = servers.map(({ server, tools, definitionTokens, calls, errors, meanMilliseconds, slowest }) => [
    server,
    ...[tools, definitionTokens, calls, errors].map(grouped),
    ...[meanMilliseconds, slowest].map((ms) => (calls === 0 ? '–' : `${grouped(ms)} ms`)),
  ]);
  const head = ['server', 'tools', 'tokens', 'calls', 'errors', 'mean', 'slowest'];
  const widths = head.map((name, column) => Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  ');
  return [bold(line(head)), ...rows.map(line)];
}

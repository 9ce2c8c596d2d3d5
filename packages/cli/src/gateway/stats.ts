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
  const servers = stats.servers.flatMap(({ server, tools, definitionTokens, changed, cleaned }) => [
    `${server}: ${grouped(tools)} tools, ${grouped(definitionTokens)} tokens of definitions`,
    ...cleaned.map((tool) => yellow(`  had hidden characters in its description: ${tool}`)),
    ...changed.map((tool) =>
      yellow(`  changed since it was first seen: ${tool} (accept with: jeeves gateway approve)`),
    ),
  ]);
  return `${[...lines, ...(servers.length === 0 ? [] : ['', ...servers])].join('\n')}\n`;
}

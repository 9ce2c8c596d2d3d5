/** One line of the table. */
export interface Check {
  readonly name: string;
  readonly ours: string;
  readonly beside: string;
  readonly measured: string;
  readonly limit: string;
  readonly held: boolean;
}

export function toMarkdown(checks: readonly Check[], machine: string): string {
  const rows = checks.map(({ name, ours, beside, measured, limit, held }) => {
    return `| ${name} | ${ours} | ${beside} | ${measured} | ${limit} | ${held ? 'yes' : '**no**'} |`;
  });
  return `# The gateway

What a call costs on its way through the gateway, and what faulty servers cost the others. Written by
\`npm run bench:gateway\`. ${machine}.

Calls are \`echo\` of \`@modelcontextprotocol/server-everything\`, made in turns by every way. \`mcp-proxy\` is 6.7.19
from npm, in front of the same server, spoken to by the same client over Streamable HTTP.

| | ours | beside | measured | limit | held |
|---|---|---|---|---|---|
${rows.join('\n')}

Eight servers, five of them healthy and called every few milliseconds; the other three are healthy first, then hang,
crash and flood, then end at once, babble and crawl.
`;
}

export function toTerminal(checks: readonly Check[]): string {
  return checks
    .map(({ name, ours, beside, measured, limit, held }) => {
      return `${held ? 'ok  ' : 'MISS'} ${name}: ${ours} beside ${beside}: ${measured} (limit ${limit})\n`;
    })
    .join('');
}

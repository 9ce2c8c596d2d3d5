/** A public MCP server that lists its tools without an account. */
export interface BenchServer {
  /** The name a user would give it in a configuration. */
  readonly name: string;
  readonly version: string;
  readonly npm: string;
  /** Which of the package's programs, where it has several. */
  readonly bin?: string;
  readonly args?: readonly string[];
  /** Stand-ins for keys: enough to start, never enough to reach anything. */
  readonly env?: Readonly<Record<string, string>>;
}

const ABSENT = 'absent';

export const SERVERS: readonly BenchServer[] = [
  { name: 'filesystem', npm: '@modelcontextprotocol/server-filesystem', version: '2026.8.31', args: ['.'] },
  { name: 'everything', npm: '@modelcontextprotocol/server-everything', version: '2026.8.31' },
  { name: 'memory', npm: '@modelcontextprotocol/server-memory', version: '2026.8.31' },
  { name: 'sequential-thinking', npm: '@modelcontextprotocol/server-sequential-thinking', version: '2026.8.31' },
  {
    name: 'github',
    npm: '@modelcontextprotocol/server-github',
    version: '2025.4.8',
    env: { GITHUB_PERSONAL_ACCESS_TOKEN: ABSENT },
  },
  {
    name: 'gitlab',
    npm: '@modelcontextprotocol/server-gitlab',
    version: '2025.4.25',
    env: { GITLAB_PERSONAL_ACCESS_TOKEN: ABSENT },
  },
  {
    name: 'slack',
    npm: '@modelcontextprotocol/server-slack',
    version: '2025.4.25',
    env: { SLACK_BOT_TOKEN: ABSENT, SLACK_TEAM_ID: ABSENT },
  },
  {
    name: 'google-maps',
    npm: '@modelcontextprotocol/server-google-maps',
    version: '0.6.2',
    env: { GOOGLE_MAPS_API_KEY: ABSENT },
  },
  {
    name: 'brave-search',
    npm: '@modelcontextprotocol/server-brave-search',
    version: '0.6.2',
    env: { BRAVE_API_KEY: ABSENT },
  },
  { name: 'playwright', npm: '@playwright/mcp', version: '0.0.83' },
  { name: 'chrome-devtools', npm: 'chrome-devtools-mcp', version: '1.11.0', bin: 'chrome-devtools-mcp' },
  { name: 'context7', npm: '@upstash/context7-mcp', version: '4.1.1' },
  { name: 'notion', npm: '@notionhq/notion-mcp-server', version: '2.5.2', env: { NOTION_TOKEN: ABSENT } },
  { name: 'firecrawl', npm: 'firecrawl-mcp', version: '3.26.0', env: { FIRECRAWL_API_KEY: ABSENT } },
  { name: 'tavily', npm: 'tavily-mcp', version: '0.2.22', env: { TAVILY_API_KEY: ABSENT } },
  { name: 'exa', npm: 'exa-mcp-server', version: '3.4.1', env: { EXA_API_KEY: ABSENT } },
  { name: 'sentry', npm: '@sentry/mcp-server', version: '0.39.0', args: [`--access-token=${ABSENT}`] },
  { name: 'kubernetes', npm: 'mcp-server-kubernetes', version: '4.1.7' },
  { name: 'hubspot', npm: '@hubspot/mcp-server', version: '0.4.0', env: { PRIVATE_APP_ACCESS_TOKEN: ABSENT } },
  { name: 'mongodb', npm: 'mongodb-mcp-server', version: '3.0.4' },
  { name: 'airtable', npm: 'airtable-mcp-server', version: '1.14.0', env: { AIRTABLE_API_KEY: ABSENT } },
  {
    name: 'trello',
    npm: '@delorenj/mcp-server-trello',
    version: '1.8.1',
    env: { TRELLO_API_KEY: ABSENT, TRELLO_TOKEN: ABSENT },
  },
  { name: 'weather', npm: '@dangahagan/weather-mcp', version: '1.23.0' },
  { name: 'circleci', npm: '@circleci/mcp-server-circleci', version: '0.20.0', env: { CIRCLECI_TOKEN: ABSENT } },
  {
    name: 'line',
    npm: '@line/line-bot-mcp-server',
    version: '0.5.0',
    env: { CHANNEL_ACCESS_TOKEN: ABSENT, DESTINATION_USER_ID: ABSENT },
  },
];

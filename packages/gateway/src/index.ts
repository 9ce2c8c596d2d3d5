/** Many MCP servers behind two tools. What is named here is API. */

export { type CheckOptions, checkServers, type ServerCheck } from './check.ts';
export { ConfigError, type ConfigProblem, type ServerConfig } from './config/server.ts';
export { type ConfigSource, defaultConfigPath, type LoadedConfig, loadConfig } from './config.ts';
export { type Bound, type GatewayRun, type HttpAddress, runHttp, runStdio, type StdioStreams } from './program.ts';
export type { ServerReport, StatsReport } from './stats/report.ts';
export { approve, readStats } from './stats/stats.ts';

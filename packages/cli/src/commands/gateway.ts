import { Writable } from 'node:stream';
import type { Bound, GatewayRun, HttpAddress, ServerConfig, StatsReport } from '@jeeves/gateway';
import type { Command } from 'commander';
import { type Context, type Output, write } from '../context.ts';
import { EXIT, reasonOf, UsageError } from '../failure.ts';
import { checkText } from '../gateway/check.ts';
import { onDefect, onExit, untilStopped } from '../gateway/process.ts';
import { statsText } from '../gateway/stats.ts';
import { parseCount } from '../input/arguments.ts';

interface GatewayFlags {
  readonly config?: string;
  readonly tags?: readonly string[];
  readonly passthrough?: boolean;
  readonly http?: boolean;
  readonly host: string;
  readonly port: number;
}

interface StatsFlags {
  readonly config?: string;
  readonly json?: boolean;
}

const PORT = 8007;

const EXAMPLE = `
Example:
  jeeves gateway --config servers.json        an agent client starts it, as its only MCP server

The file is the mcpServers JSON of MCP clients. Without --config it is ~/.config/jeeves/gateway.json;
nothing in the working directory is ever looked for.`;

const STATS_EXAMPLE = `
Example:
  jeeves gateway stats --json

Saved is what clients were not sent of their servers' definitions, less what they were sent of ours: it may be
negative. Tokens are estimated.`;

/** `jeeves gateway`: many MCP servers behind two tools. */
export function addGateway(program: Command, context: Context): void {
  const gateway = program
    .command('gateway')
    .summary('many MCP servers behind two tools: find one, call it')
    .description('Serves the tools of many MCP servers: over standard input and output, or over HTTP.')
    .option('--config <file>', 'which servers (default: ~/.config/jeeves/gateway.json)')
    .option('--tags <list>', 'only servers with one of these tags, and those without any', parseList)
    .option('--passthrough', 'list all their tools, for clients that search by themselves')
    .option('--http', 'serve /mcp over HTTP; callers need the token')
    .option('--host <address>', 'where to listen', '127.0.0.1')
    .option('--port <number>', 'the port, 0 for any free one', parseCount, PORT)
    .addHelpText('after', EXAMPLE)
    .action(async (flags: GatewayFlags) => serve(flags, program.version() ?? '', context));
  gateway
    .command('stats')
    .summary('what the gateway saved, and what each server costs')
    .description('Says what the gateway saved so far, and what the definitions of each server cost.')
    .option('--config <file>', 'which servers (default: ~/.config/jeeves/gateway.json)')
    .option('--json', 'write JSON')
    .addHelpText('after', STATS_EXAMPLE)
    .action(async (_: StatsFlags, command: Command) => showStats(command.optsWithGlobals(), context));
  gateway
    .command('check')
    .summary('start every server, list its tools, say what is wrong')
    .description('Starts every server, asks for its tools, and shows times and problems. Exits with 1 when one fails.')
    .option('--config <file>', 'which servers (default: ~/.config/jeeves/gateway.json)')
    .option('--json', 'write JSON')
    .action(async (_: StatsFlags, command: Command) => {
      await check(command.optsWithGlobals(), program.version() ?? '', context);
    });
  gateway
    .command('approve')
    .summary('accept changed tool definitions')
    .description('Accepts the definitions of changed tools: from now on they are the ones to compare with.')
    .argument('[servers...]', 'names of servers; all when none is given')
    .option('--config <file>', 'which servers (default: ~/.config/jeeves/gateway.json)')
    .action(async (names: string[], _: StatsFlags, command: Command) => {
      await approveChanged(names, command.optsWithGlobals(), context);
    });
}

async function serve(flags: GatewayFlags, version: string, context: Context): Promise<void> {
  const { ConfigError, runHttp, runStdio } = await import('@jeeves/gateway');
  const run = runOf(flags, version, context);
  try {
    if (flags.http === true) await runHttp(run, addressOf(flags, context));
    else await runStdio(run, { input: process.stdin, reply: asStream(context.stdout) });
  } catch (error) {
    if (error instanceof ConfigError) throw new UsageError(error.message);
    if (isListenError(error)) throw new UsageError(`--port ${flags.port}: cannot listen there: ${reasonOf(error)}`);
    throw error;
  }
}

function runOf(
  { config: configPath, tags = [], passthrough = false, http }: GatewayFlags,
  version: string,
  context: Context,
): GatewayRun {
  const { config, cwd, now, randomBytes, fetch } = context;
  const { environment, home, storeUrl } = config;
  // HTTP programs report on standard output, which over stdio belongs to the protocol.
  const log = asStream(http === true ? context.stdout : context.stderr);
  onDefect(({ message, stack = message }) => void write(context.stderr, `defect: ${stack}\n`));
  return {
    configPath,
    tags,
    passthrough,
    version,
    cwd,
    home,
    env: environment,
    storeUrl,
    output: 'auto',
    log,
    eventFile: environment['JEEVES_EVENT_FILE'] || undefined,
    now,
    randomBytes,
    fetch,
    pid: process.pid,
    stopped: untilStopped(),
    onExit,
  };
}

function addressOf({ host, port }: GatewayFlags, context: Context): HttpAddress {
  const { environment } = context.config;
  const allowedHosts = parseList(environment['MCP_PRUNER_ALLOWED_HOSTS'] ?? '').filter((name) => name !== '');
  if (!isLoopback(host)) {
    if (allowedHosts.length === 0) {
      throw new UsageError(
        `--host ${host}: off loopback it needs MCP_PRUNER_ALLOWED_HOSTS, the names it is reached by`,
      );
    }
    if (!environment['MCP_PRUNER_TOKEN'])
      throw new UsageError(`--host ${host}: off loopback it needs MCP_PRUNER_TOKEN`);
  }
  return {
    host,
    port,
    token: environment['MCP_PRUNER_TOKEN'] || undefined,
    allowedHosts: isLoopback(host) ? [...allowedHosts, host] : allowedHosts,
    ready: (bound) => void write(context.stderr, welcome(bound)),
  };
}

function parseList(value: string): readonly string[] {
  return value.split(',').map((word) => word.trim());
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);
}

function welcome({ host, port, tokenFile }: Bound): string {
  const where = `http://${host.includes(':') ? `[${host}]` : host}:${port}/mcp`;
  const token = tokenFile === undefined ? 'MCP_PRUNER_TOKEN' : `the token in ${tokenFile}`;
  return `Jeeves is listening at ${where}. Callers show ${token}. Stop it with Ctrl+C.\n`;
}

async function showStats({ config: path, json }: StatsFlags, context: Context): Promise<void> {
  const { readStats } = await import('@jeeves/gateway');
  const stats: StatsReport = await readStats(context.config.home, await configuredServers(path, context));
  await write(context.stdout, json === true ? `${JSON.stringify(stats, undefined, 2)}\n` : statsText(stats, context));
}

/** One that fails is no mistake of the command line: the table says what is wrong, the exit code that something is. */
async function check({ config: path, json }: StatsFlags, version: string, context: Context): Promise<void> {
  const { checkServers, ConfigError } = await import('@jeeves/gateway');
  const { config, cwd, now, fetch } = context;
  const options = {
    path,
    cwd,
    home: config.home,
    env: config.environment,
    version,
    now,
    fetch,
    pid: process.pid,
    onExit,
  };
  try {
    const checks = await checkServers(options);
    await write(
      context.stdout,
      json === true ? `${JSON.stringify(checks, undefined, 2)}\n` : checkText(checks, context),
    );
    if (checks.some(({ ok }) => !ok)) context.setExitCode(EXIT.unproven);
  } catch (error) {
    if (error instanceof ConfigError) throw new UsageError(error.message);
    throw error;
  }
}

async function approveChanged(names: readonly string[], { config: path }: StatsFlags, context: Context): Promise<void> {
  const { approve } = await import('@jeeves/gateway');
  const servers = await configuredServers(path, context);
  const unknown = names.find((name) => !servers.some((server) => server.name === name));
  if (unknown !== undefined) throw new UsageError(`${unknown}: no such server is configured`);
  const wanted = names.length === 0 ? servers : servers.filter(({ name }) => names.includes(name));
  const approved = await approve(context.config.home, wanted);
  const lines = approved.map((name) => `accepted ${name}\n`);
  await write(context.stdout, lines.length === 0 ? 'nothing has changed\n' : lines.join(''));
}

/** Counts are shown whatever is configured; a file that was named must be one. */
async function configuredServers(path: string | undefined, { config, cwd }: Context): Promise<readonly ServerConfig[]> {
  const { ConfigError, loadConfig } = await import('@jeeves/gateway');
  try {
    return loadConfig({ path, cwd, home: config.home, env: config.environment }).servers;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    if (path === undefined) return [];
    throw new UsageError(error.message);
  }
}

function isListenError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall === 'listen';
}

function asStream(output: Output): Writable {
  if (output instanceof Writable) return output;
  return new Writable({ write: (chunk: Buffer, _, done) => void output.write(chunk.toString('utf8'), done) });
}

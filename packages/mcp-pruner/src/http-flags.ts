import { parseArgs } from 'node:util';
import type { Launch } from './config.ts';
import type { LogFormat } from './host/events.ts';

/** A program that serves over HTTP, by the name people type. */
export interface HttpProgramName {
  readonly name: string;
  readonly defaultPort: number;
}

/** What the command line asks for. */
export interface HttpFlags {
  readonly launch: Pick<Launch, 'tools' | 'root' | 'host' | 'port'>;
  readonly logFormat: LogFormat;
  /** Text to print instead of serving. */
  readonly print?: 'help' | 'version';
  /** Why nothing can be done with these arguments. */
  readonly refusal?: string;
}

export function readHttpFlags(args: readonly string[]): HttpFlags {
  try {
    const { values } = parseArgs({ args: withPort(args), options: OPTIONS });
    const { tools, root, host, port, help, version } = values;
    const launch = { tools, root, host, port };
    const format = values['log-format'] ?? 'json';
    if (help === true) return { launch, logFormat: 'json', print: 'help' };
    if (version === true) return { launch, logFormat: 'json', print: 'version' };
    if (format === 'json' || format === 'text') return { launch, logFormat: format };
    return { launch, logFormat: 'json', refusal: `--log-format is json or text, not ${JSON.stringify(format)}` };
  } catch (error) {
    return { launch: {}, logFormat: 'json', refusal: error instanceof Error ? error.message : String(error) };
  }
}

/** A negative port is one that cannot be used, not an option that is called by a number. */
function withPort(args: readonly string[]): string[] {
  const at = args.findIndex((arg, index) => arg === '--port' && /^-\d/.test(args[index + 1] ?? ''));
  return at < 0 ? [...args] : [...args.slice(0, at), `--port=${args[at + 1]}`, ...args.slice(at + 2)];
}

const OPTIONS = {
  http: { type: 'boolean' },
  tools: { type: 'string' },
  root: { type: 'string' },
  host: { type: 'string' },
  port: { type: 'string' },
  'log-format': { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const;

export function httpHelp({ name, defaultPort }: HttpProgramName): string {
  return `Usage: ${name} [options]

Serves over HTTP: POST /mcp (read, bash, grep and the text tools for MCP clients), POST /rpc (prune_text, recover_text,
health), POST /prune (the swe-pruner contract), GET /health, /healthz and /metrics. Events go to standard output; the
first one tells the port, and the file with the token that bash needs.

  --host <address>     where to listen (MCP_PRUNER_HOST, 127.0.0.1)
  --port <number>      0 for any free one (MCP_PRUNER_PORT, ${defaultPort})
  --root <directory>   no file outside it is read (MCP_PRUNER_CWD, the working directory)
  --tools <list>       tools of /mcp, by name or set (files, text, context), comma separated
  --log-format <form>  json or text
  --version            print the version
  --help               print this

Flags win over the environment. MCP_PRUNER_TOKEN sets the token instead of making one up at every start.
`;
}

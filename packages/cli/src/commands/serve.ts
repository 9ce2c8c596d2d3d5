import { Writable } from 'node:stream';
import type { Command } from 'commander';
import { type Context, type Output, write } from '../context.ts';
import { styleFor } from '../output/style.ts';

interface ServeFlags {
  readonly host?: string;
  readonly port?: string;
  readonly root?: string;
  readonly tools?: string;
  readonly logFormat?: string;
}

/** Seed 002's port. */
const PORT = 8006;

const EXAMPLE = `
Example:
  jeeves serve --port 8000     then, for agents: PRUNER_URL=http://localhost:8000/prune

The addresses go to standard error, events to standard output, one JSON line each.`;

/** `jeeves serve`: the HTTP service of mcp-pruner, for people. */
export function addServe(program: Command, context: Context): void {
  program
    .command('serve')
    .summary('serve over HTTP: MCP clients, JSON-RPC and the swe-pruner contract')
    .description('Serves pruning and recovery over HTTP until it is interrupted.')
    .option('--host <address>', 'where to listen (default: 127.0.0.1)')
    .option('--port <number>', `the port, 0 for any free one (default: ${PORT})`)
    .option('--root <directory>', 'no file outside it is read (default: the working directory)')
    .option('--tools <list>', 'tools for MCP clients, by name or set: files, text, context (default: files,text)')
    .option('--log-format <form>', 'json or text (default: json)')
    .addHelpText('after', EXAMPLE)
    .action(async (flags: ServeFlags) => {
      context.setExitCode(await serve(flags, program.version() ?? '', context));
    });
}

async function serve(flags: ServeFlags, version: string, context: Context): Promise<number> {
  const [{ runHttpProgram }, { readConfig }] = await Promise.all([
    import('@jeeves/mcp-pruner/http-program'),
    import('@jeeves/mcp-pruner/settings'),
  ]);
  const { config, cwd } = context;
  outliveReaders(context);
  return await runHttpProgram({
    args: toArguments(flags),
    program: { name: 'jeeves serve', defaultPort: PORT },
    read: (launch) => readConfig(config.environment, launch),
    cwd,
    home: config.home,
    pid: process.pid,
    version,
    output: asStream(context.stdout),
    ready: (address) => void write(context.stderr, welcome(address, context)).catch(() => undefined),
    onStop: (listener) => {
      for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, listener);
    },
    onDefect: (listener) => void process.on('uncaughtException', listener),
  });
}

/** Whoever reads the log may go away: for other commands that is the end, for a service it is not. */
function outliveReaders({ stdout, stderr }: Context): void {
  for (const output of [stdout, stderr]) {
    if (output instanceof Writable) output.removeAllListeners('error').on('error', () => undefined);
  }
}

/** The service reads its own flags: what they mean is said in one place. */
function toArguments(flags: ServeFlags): string[] {
  const { logFormat, ...others } = flags;
  const named = { ...others, 'log-format': logFormat };
  return Object.entries(named).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}=${value}`]));
}

const ROUTES = [
  ['/mcp', 'MCP clients: read, grep, prune_text, recover_text; bash with the token'],
  ['/rpc', 'prune_text, recover_text and health as plain JSON-RPC'],
  ['/prune', 'the swe-pruner contract: PRUNER_URL for agents'],
  ['/health', 'is it up; also /healthz'],
  ['/metrics', 'numbers for Prometheus'],
] as const;

function welcome({ host, port }: { host: string; port: number }, { stderr, config }: Context): string {
  const { bold, cyan, dim } = styleFor(stderr, config);
  const base = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const width = Math.max(...ROUTES.map(([path]) => path.length));
  const rows = ROUTES.map(
    ([path, what]) => `  ${cyan(`${base}${path}`)}${' '.repeat(width - path.length)}  ${dim(what)}`,
  );
  return `${bold('Jeeves is listening.')} Stop it with Ctrl+C.\n${rows.join('\n')}\n`;
}

function asStream(output: Output): Writable {
  if (output instanceof Writable) return output;
  return new Writable({
    write: (chunk: Buffer, _encoding, done) => void output.write(chunk.toString('utf8'), done),
  });
}

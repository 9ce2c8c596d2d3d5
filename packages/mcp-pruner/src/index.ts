#!/usr/bin/env node
import { homedir } from 'node:os';
import { parseArgs } from 'node:util';
import { type Reading, readConfig } from './config.ts';
import { greet } from './host/greeting.ts';
import { connectStdio } from './host/stdio.ts';
import { within } from './host/waiting.ts';
import { identity } from './identity.ts';
import { onDefect, onStopSignal, versionBeside, workingDirectory } from './process.ts';
import type { Program } from './program.ts';

const HELP = `Usage: mcp-pruner [--tools <list>]
       mcp-pruner --http [options]

An MCP server on standard input and output: read, bash and grep that hand an agent only the lines that serve its
question, and recover_text for the rest. An agent client starts it; CLAUDE.md says how to attach it to one.

  --tools <list>  tools to offer, by name or set (files, text, context), comma separated
  --http          serve over HTTP instead; --http --help lists its options
  --version       print the version
  --help          print this

Everything else is set by environment variables: MCP_PRUNER_CWD is the root, PRUNER_URL who prunes.
`;

// How long the end may take, step by step; all of them together stay below two seconds.
const DRAIN_MS = 300;
const ABORT_MS = 1100;
const CLOSE_MS = 200;
const FLUSH_MS = 200;

const PARENT_CHECK_MS = 2000;

await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<void> {
  if (args.includes('--http')) return await serveHttp(args);
  const wanted = readArguments(args);
  if (wanted.print !== undefined) {
    process.stdout.write(wanted.print);
    return;
  }
  const reading = readConfig(process.env, { tools: wanted.tools, cwd: workingDirectory(), home: homedir() });
  const { rootProblem } = reading;
  const refusal = wanted.refusal ?? (rootProblem === undefined ? undefined : `the root ${rootProblem}`);
  if (refusal === undefined) await serve(reading);
  else await refuseToStart(reading, refusal);
}

/** Nothing of it is loaded for a client on the other end of a pipe. */
async function serveHttp(args: readonly string[]): Promise<void> {
  const { runHttpProgram } = await import('./http-program.ts');
  const code = await runHttpProgram({
    args,
    program: { name: 'mcp-pruner --http', defaultPort: 8006 },
    read: (launch) => readConfig(process.env, launch),
    cwd: workingDirectory(),
    home: homedir(),
    pid: process.pid,
    version: versionBeside(import.meta.url),
    output: process.stdout,
    onStop: onStopSignal,
    onDefect,
  });
  process.exit(code);
}

interface Wanted {
  readonly tools?: string | undefined;
  /** Text to print instead of serving. */
  readonly print?: string;
  /** Why nothing can be done with these arguments. */
  readonly refusal?: string;
}

function readArguments(args: readonly string[]): Wanted {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        tools: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
      },
    });
    if (values.help === true) return { print: HELP };
    if (values.version === true) return { print: `${versionBeside(import.meta.url)}\n` };
    return { tools: values.tools };
  } catch (error) {
    return { refusal: messageOf(error) };
  }
}

async function refuseToStart(reading: Reading, message: string): Promise<void> {
  const { reportStartFailure } = await import('./program.ts');
  await within(FLUSH_MS, reportStartFailure({ reading, log: process.stderr }, message));
  process.exit(2);
}

/** The handshake is answered by what is loaded by now; the rest comes after it. */
async function serve(reading: Reading): Promise<void> {
  const started = Date.now();
  const self = identity(versionBeside(import.meta.url));
  const output = process.stdout;
  let program: Program | undefined;
  const load = async (): Promise<Program['openDispatcher']> => {
    keepFromStdout();
    const { openProgram } = await import('./program.ts');
    program = await openProgram({ reading, identity: self, log: process.stderr });
    surviveDefects(program);
    return program.openDispatcher;
  };
  const stopping = stopSignal();
  const connection = connectStdio({ greet: (frame) => greet(frame, self), load }, process.stdin, output);
  try {
    const why = await Promise.race([connection.ended, stopping]);
    // A client that closes its side may still be reading; one that kills, or is gone, is not.
    const graceful = await connection.stop({ drainMs: why === 'input_ended' ? DRAIN_MS : 0, abortMs: ABORT_MS });
    await end(program, { graceful, duration_ms: Date.now() - started });
  } catch (error) {
    await refuseToStart(reading, messageOf(error));
  }
}

async function end(program: Program | undefined, data: { graceful: boolean; duration_ms: number }): Promise<void> {
  if (program !== undefined) {
    await within(CLOSE_MS, program.close());
    program.emit({ event: 'mcp_pruner.stopped', data });
    await within(FLUSH_MS, program.flush());
  }
  process.exit(0);
}

/** Standard output is for the protocol alone: whatever else is printed in this process goes to standard error. */
function keepFromStdout(): void {
  Object.defineProperty(process, 'stdout', { value: process.stderr, configurable: true });
}

function surviveDefects({ emit }: Program): void {
  onDefect(({ message, stack }) => emit({ event: 'tool.internal_error', data: { message, stack } }));
}

/** A signal, or the death of the parent: one that dies hard may leave its pipes open in other processes. */
function stopSignal(): Promise<'stop'> {
  const parent = process.ppid;
  return new Promise((resolve) => {
    const stop = (): void => resolve('stop');
    onStopSignal(stop);
    setInterval(() => process.ppid === parent || stop(), PARENT_CHECK_MS).unref();
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

import { randomBytes } from 'node:crypto';
import type { Writable } from 'node:stream';
import type { Launch, Reading } from './config.ts';
import { createEventSink, type EventSink } from './host/events.ts';
import type { HttpListener } from './host/http/listener.ts';
import { within } from './host/waiting.ts';
import { type HttpProgramName, httpHelp, readHttpFlags } from './http-flags.ts';
import { type HttpService, openHttpService } from './http-service.ts';
import { identity } from './identity.ts';
import { pooledRandomBytes } from './random-bytes.ts';
import { readSettings } from './settings.ts';

export interface HttpRun {
  readonly args: readonly string[];
  readonly program: HttpProgramName;
  /** Reads the environment. */
  readonly read: (launch: Launch) => Reading;
  readonly cwd: string;
  readonly home: string;
  readonly pid: number;
  readonly version: string;
  /** Where events go. */
  readonly output: Writable;
  /** Told the address once requests are taken. */
  readonly ready?: (address: HttpService['address']) => void;
  /** Has the listener told of every signal to stop. */
  readonly onStop: (listener: () => void) => void;
  /** Has the listener told of every defect outside of a request. */
  readonly onDefect: (listener: (error: Error) => void) => void;
}

// What is under way may finish; whoever is impatient sends a second signal.
const DRAIN_MS = 10_000;
const ABORT_MS = 1500;
const CLOSE_MS = 1000;
const FLUSH_MS = 500;
// Nobody who reads a log notices.
const GATHER_MS = 20;

/** Serves until it is told to stop. Resolves with the exit code. */
export async function runHttpProgram(run: HttpRun): Promise<number> {
  const flags = readHttpFlags(run.args);
  if (flags.print !== undefined) {
    run.output.write(flags.print === 'help' ? httpHelp(run.program) : `${run.version}\n`);
    return 0;
  }
  const { cwd, home, program } = run;
  const reading = run.read({ ...flags.launch, cwd, home, http: { defaultPort: program.defaultPort } });
  const settings = await readSettings(reading);
  const log = createEventSink({
    stream: run.output,
    file: settings.eventFile,
    format: flags.logFormat,
    gatherMs: GATHER_MS,
    now: Date.now,
  });
  for (const data of settings.problems) log.emit({ event: 'mcp_pruner.config_invalid', data });
  const refusal = flags.refusal ?? settings.refusal;
  if (refusal !== undefined) return await failToStart(log, refusal);
  return await serve(run, log, settings.config);
}

async function serve(run: HttpRun, log: EventSink, config: Parameters<typeof openHttpService>[0]['config']) {
  const started = Date.now();
  const stops = stopsOf(run);
  let service: HttpService;
  try {
    service = await openHttpService({
      config,
      emit: log.emit,
      identity: identity(run.version),
      pid: run.pid,
      now: Date.now,
      randomBytes: pooledRandomBytes(randomBytes),
      fetch: globalThis.fetch,
    });
  } catch (error) {
    return await failToStart(log, error instanceof Error ? error.message : String(error));
  }
  run.onDefect(({ message, stack }) => log.emit({ event: 'tool.internal_error', data: { message, stack } }));
  run.ready?.(service.address);
  await stops.first;
  const graceful = await stopListening(service.listener, stops.second);
  await within(CLOSE_MS, service.close());
  log.emit({ event: 'mcp_pruner.stopped', data: { graceful, duration_ms: Date.now() - started } });
  await within(FLUSH_MS, log.flush());
  return 0;
}

async function stopListening(listener: HttpListener, sooner: Promise<void>): Promise<boolean> {
  return await listener.stop({ drainMs: DRAIN_MS, abortMs: ABORT_MS, sooner });
}

async function failToStart(log: EventSink, message: string): Promise<number> {
  log.emit({ event: 'mcp_pruner.start_failed', data: { message } });
  await within(FLUSH_MS, log.flush());
  return 2;
}

/** The first signal to stop, and the impatient second one. */
function stopsOf({ onStop }: HttpRun): { readonly first: Promise<void>; readonly second: Promise<void> } {
  let count = 0;
  const resolvers: (() => void)[] = [];
  const [first, second] = [0, 1].map(() => new Promise<void>((resolve) => resolvers.push(resolve)));
  onStop(() => {
    resolvers[count]?.();
    count += 1;
  });
  return { first: first as Promise<void>, second: second as Promise<void> };
}

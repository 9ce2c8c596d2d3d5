import { randomBytes } from 'node:crypto';
import type { Writable } from 'node:stream';
import type { Reading } from './config.ts';
import { createDispatcher } from './host/dispatch.ts';
import { createEventSink, type EventSink } from './host/events.ts';
import type { ServerIdentity } from './host/initialize.ts';
import type { OpenDispatcher } from './host/stdio.ts';
import { createServer } from './server.ts';
import { readSettings } from './settings.ts';

/** What the program runs once its handshake is out. */
export interface Program extends EventSink {
  readonly openDispatcher: OpenDispatcher;
  readonly close: () => Promise<void>;
}

export interface ProgramOptions {
  readonly reading: Reading;
  readonly identity: ServerIdentity;
  /** Where events go, beside the file that the environment may name. */
  readonly log: Writable;
}

/** Loads everything else and says that the server is ready. */
export async function openProgram({ reading, identity, log }: ProgramOptions): Promise<Program> {
  const { config, problems, refusal, eventFile } = await readSettings(reading);
  const { emit, flush } = openLog(eventFile, log);
  for (const data of problems) emit({ event: 'mcp_pruner.config_invalid', data });
  if (refusal !== undefined) throw new Error(refusal);
  const server = await createServer({ config, emit, identity, now: Date.now, randomBytes, fetch: globalThis.fetch });
  emit({ event: 'mcp_pruner.ready', data: { root: config.root, pid: process.pid } });
  return {
    emit,
    flush,
    openDispatcher: (send, client) => createDispatcher(server.host, send, client),
    close: server.close,
  };
}

/** Says why there is no server. */
export async function reportStartFailure(
  { reading, log }: Omit<ProgramOptions, 'identity'>,
  message: string,
): Promise<void> {
  const { problems, eventFile } = await readSettings(reading);
  const { emit, flush } = openLog(eventFile, log);
  if (reading.rootProblem !== undefined) {
    for (const data of problems) emit({ event: 'mcp_pruner.config_invalid', data });
  }
  emit({ event: 'mcp_pruner.start_failed', data: { message } });
  await flush();
}

function openLog(file: string | undefined, stream: Writable): EventSink {
  return createEventSink({ stream, file, now: Date.now });
}

import { closeSync, constants, openSync, writeSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { type Emit, type EventData, type JeevesEvent, toLogLine } from '@jeeves/protocol';
import { flushed } from './waiting.ts';

export interface EventSink {
  readonly emit: Emit;
  /** Resolves when the stream took everything, or cannot. */
  readonly flush: () => Promise<void>;
}

export interface EventSinkOptions {
  readonly stream: Writable;
  /** Every event is also added here, whoever else writes to it. */
  readonly file?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

// A reader that is gone or asleep must not make the server keep its log in memory.
const MAX_WAITING_BYTES = 1024 * 1024;

/** Writes each event as one JSON line. Nothing that goes wrong here harms the server. */
export function createEventSink({ stream, file, now }: EventSinkOptions): EventSink {
  stream.on('error', () => undefined);
  const toStream = (line: string): void => {
    if (!stream.destroyed && stream.writableLength < MAX_WAITING_BYTES) stream.write(line);
  };
  const toFile = file === undefined ? undefined : createAppender(file);
  function emit(event: JeevesEvent): void {
    const line = lineOf(event, now());
    toStream(line);
    const problem = toFile?.(line);
    if (problem === undefined) return;
    const data = { variable: 'JEEVES_EVENT_FILE', message: problem };
    toStream(lineOf({ event: 'mcp_pruner.config_invalid', data }, now()));
  }
  return { emit, flush: () => flushed(stream) };
}

/** The same emit for one request: each of its events carries the id. */
export function forRequest(emit: Emit, requestId: string): Emit {
  return (event) => emit({ ...event, request_id: requestId });
}

/** What an event says of something that was thrown. */
export function describe(cause: unknown): Pick<EventData['tool.internal_error'], 'message' | 'stack'> {
  const { message, stack } = cause instanceof Error ? cause : new Error(String(cause));
  return { message, stack };
}

function lineOf(event: JeevesEvent, now: number): string {
  const json = JSON.stringify(toLogLine(event, new Date(now)));
  return `${json.replace(UNSAFE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`;
}

// JSON leaves these as they are, yet terminals act on some and readers split lines at others.
const UNSAFE = /[\u007f-\u009f\u2028\u2029]/g;

/** Adds lines with one write each, so that writers do not mix. After a failure it is silent; the first says why. */
function createAppender(file: string): (line: string) => string | undefined {
  let descriptor: number | undefined;
  let broken = false;
  return (line) => {
    if (broken) return undefined;
    try {
      // Not blocking: a FIFO without a reader must not stop the server.
      const { O_APPEND, O_CREAT, O_NONBLOCK, O_WRONLY } = constants;
      descriptor ??= openSync(file, O_APPEND | O_CREAT | O_WRONLY | O_NONBLOCK, 0o600);
      writeSync(descriptor, line);
      return undefined;
    } catch (error) {
      broken = true;
      if (descriptor !== undefined) closeSync(descriptor);
      return `events cannot be written there (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'})`;
    }
  };
}

import { closeSync, constants, openSync, writeSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { type Emit, type EventData, type JeevesEvent, type LogLine, toLogLine } from '@jeeves/protocol';
import { flushed } from './waiting.ts';

export interface EventSink {
  readonly emit: Emit;
  /** Resolves when the stream took everything, or cannot. */
  readonly flush: () => Promise<void>;
}

/** One JSON object per line, or words for people. */
export type LogFormat = 'json' | 'text';

export interface EventSinkOptions {
  readonly stream: Writable;
  /** Every event is also added here, whoever else writes to it. */
  readonly file?: string | undefined;
  /** How the stream is written to; the file is always JSON. */
  readonly format?: LogFormat | undefined;
  /** For so long events may wait to go out together: a server of many requests writes less often. Default: not at all. */
  readonly gatherMs?: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

// A reader that is gone or asleep must not make the server keep its log in memory.
const MAX_WAITING_BYTES = 1024 * 1024;
const MOST_WAITING = 256;

/** Writes each event as one line. Nothing that goes wrong here harms the server. */
export function createEventSink(options: EventSinkOptions): EventSink {
  const { stream, file, format = 'json', gatherMs, now } = options;
  stream.on('error', () => undefined);
  const toFile = file === undefined ? undefined : createAppender(file);
  const shown = format === 'text' ? textOf : jsonOf;
  const waiting: LogLine[] = [];
  function writeOut(): void {
    if (waiting.length === 0) return;
    const lines = waiting.splice(0);
    for (const line of lines.slice()) {
      const problem = toFile?.(jsonOf(line));
      if (problem === undefined) continue;
      const data = { variable: 'JEEVES_EVENT_FILE', message: problem };
      lines.push(toLogLine({ event: 'mcp_pruner.config_invalid', data }, new Date(now())));
    }
    if (!stream.destroyed && stream.writableLength < MAX_WAITING_BYTES) stream.write(lines.map(shown).join(''));
  }
  function emit(event: JeevesEvent): void {
    waiting.push(toLogLine(event, new Date(now())));
    if (gatherMs === undefined || waiting.length === MOST_WAITING) writeOut();
    else if (waiting.length === 1) setTimeout(writeOut, gatherMs);
  }
  return {
    emit,
    flush: () => {
      writeOut();
      return flushed(stream);
    },
  };
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

function jsonOf(line: LogLine): string {
  return `${harmless(JSON.stringify(line))}\n`;
}

/** `time LEVEL event key=value …`: values as JSON, so that one event stays one line. */
function textOf({ ts, level, event, request_id, data = {} }: LogLine): string {
  const named = { ...(request_id !== undefined && { request_id }), ...data };
  const values = Object.entries(named).map(([key, value]) => ` ${key}=${JSON.stringify(value)}`);
  return `${harmless(`${ts} ${level.toUpperCase().padEnd(5)} ${event}${values.join('')}`)}\n`;
}

function harmless(line: string): string {
  return line.replace(UNSAFE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
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

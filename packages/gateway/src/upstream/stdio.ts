import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { createFrameReader, type Frame, isDeeperThan } from '@jeeves/mcp-pruner/host';
import { signalGroup } from '@jeeves/process';
import type { Environment } from '../config/expand.ts';
import type { StdioTarget } from '../config/server.ts';
import { childEnvironment } from './environment.ts';
import { messageOf, UpstreamFailure } from './failure.ts';
import type { Family } from './family.ts';
import type { JsonObject } from './upstream.ts';
import { MAX_DEPTH, type OpenWire, type WireEvents } from './wire.ts';

export interface StdioOptions {
  readonly target: StdioTarget;
  readonly maxMessageBytes: number;
  /** The gateway's own; the program gets next to nothing of it. */
  readonly env: Environment;
  /** Names this start of the program. */
  readonly instance: string;
  readonly family: Family;
  /** Told when the program ends by itself: the last that it wrote to standard error. */
  readonly onStderr: (tail: string) => void;
}

// How long a program may take at each step of its end.
const EOF_MS = 500;
const TERMINATE_MS = 500;
/** What is still on its way when the program is gone; others may hold its output open for ever. */
const DRAIN_MS = 200;
const MAX_UNREAD_BYTES = 64 * 1024 * 1024;
const MAX_TAIL = 2000;
/** How many times the limit a line is skipped before its server is given up. */
const MAX_EXCESS = 2;

/** Starts a program in a process group of its own and speaks with it line by line. */
export function stdioWire(options: StdioOptions): OpenWire {
  return async (events) => {
    const child = await start(options);
    const { family, instance } = options;
    family.add(child.pid ?? 0, instance);
    let wanted = true;
    const onStderr = (tail: string): void => {
      if (wanted && tail !== '') options.onStderr(tail);
    };
    const ended = watch(child, { ...options, onStderr }, events);
    return {
      send: (message) => write(child, message),
      close: async () => {
        wanted = false;
        await end(child, ended);
        family.remove(instance);
      },
    };
  };
}

async function start({ target, env, family, instance }: StdioOptions): Promise<ChildProcessWithoutNullStreams> {
  try {
    const child = spawn(target.command, target.args, {
      cwd: target.cwd,
      env: childEnvironment(env, target.env, family.tagFor(instance)),
      detached: true,
      windowsHide: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    if (child.pid === undefined) throw await once(child, 'error').then(([error]: unknown[]) => error);
    return child;
  } catch (error) {
    throw spawnFailure(error);
  }
}

function spawnFailure(error: unknown): UpstreamFailure {
  const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
  const why = missing ? 'there is no such program or directory' : messageOf(error);
  return new UpstreamFailure('spawn_failed', `cannot be started: ${why}`, { cause: error });
}

/** Reads until the end; resolves when the program is gone. */
function watch(
  child: ChildProcessWithoutNullStreams,
  { maxMessageBytes, onStderr }: StdioOptions,
  events: WireEvents,
): Promise<void> {
  const reader = createFrameReader(maxMessageBytes);
  const tooLarge = `sent a message of more than ${maxMessageBytes} bytes`;
  let tail = '';
  let unframed = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    const frames = reader.push(chunk);
    for (const frame of frames) {
      if (frame.kind === 'too_large') events.unreadable(tooLarge);
      else for (const message of messagesIn(frame)) tell(message, frame, events);
    }
    // A line that never ends would be read for ever, at the cost of everybody else.
    unframed = frames.length === 0 ? unframed + chunk.length : 0;
    if (unframed > maxMessageBytes * MAX_EXCESS) child.stdout.destroy();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    tail = (tail + chunk.toString('utf8')).slice(-MAX_TAIL);
  });
  // A broken pipe is the program's end, which is told by itself.
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => undefined);
  child.on('error', () => undefined);
  const drained = once(child.stdout, 'close');
  const exited = once(child, 'exit').then(async (exit) => {
    const [code, signal] = exit as [number | null, string | null];
    await Promise.race([drained, sleep(DRAIN_MS)]);
    onStderr(tail);
    events.closed(signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`);
  });
  // Without its output it can answer nothing, alive or not.
  void drained.then(async () => {
    await Promise.race([exited, sleep(DRAIN_MS)]);
    events.closed(unframed > maxMessageBytes ? tooLarge : 'closed its output');
  });
  return exited;
}

/** A message that is nested too deep could not be written out again, so nobody gets it. */
function tell(message: JsonObject, frame: Frame, events: WireEvents): void {
  const deep = frame.kind === 'text' && isDeeperThan(frame.text, MAX_DEPTH);
  if (deep) events.unreadable(`sent a message that is nested more than ${MAX_DEPTH} deep`);
  else events.message(message);
}

/** The messages of a line. One that is no JSON is something that the program printed: nobody's message. */
function* messagesIn(frame: Frame): Generator<JsonObject, void, undefined> {
  if (frame.kind !== 'text') return;
  let value: unknown;
  try {
    value = JSON.parse(frame.text);
  } catch {
    return;
  }
  // An older revision allows several answers in a list.
  for (const message of Array.isArray(value) ? value : [value]) {
    if (typeof message === 'object' && message !== null) yield message as JsonObject;
  }
}

async function write({ stdin }: ChildProcessWithoutNullStreams, message: JsonObject): Promise<void> {
  if (!stdin.writable) throw new Error('does not listen any more');
  if (stdin.writableLength > MAX_UNREAD_BYTES) throw new Error('does not read what it is sent');
  stdin.write(`${JSON.stringify(message)}\n`);
  return Promise.resolve();
}

/** EOF, SIGTERM, SIGKILL, each with a moment to obey. */
async function end(child: ChildProcessWithoutNullStreams, ended: Promise<void>): Promise<void> {
  const leader = child.pid;
  child.stdin.end();
  const gone = ended.then(() => true);
  const within = (ms: number): Promise<boolean> => Promise.race([gone, sleep(ms, false, { ref: false })]);
  if (leader !== undefined) {
    if (!(await within(EOF_MS)) && signalGroup(leader, 'SIGTERM')) await within(TERMINATE_MS);
    signalGroup(leader, 'SIGKILL');
  }
  child.stdout.destroy();
  child.stderr.destroy();
}

import { createCapture } from './capture.ts';
import type { Collector, Limits } from './collect.ts';
import type { Root } from './root.ts';
import { run } from './run.ts';

export interface SearchRequest extends Limits {
  /** Given to the search program as it is: no expression of a caller is ever compiled in this process. */
  readonly pattern: string;
  /** Files and directories, resolved and absolute. */
  readonly paths: readonly string[];
  readonly cwd: string;
  /** What the paths of matches are relative to, and what opens the files to check them. */
  readonly root: Pick<Root, 'path' | 'openFile'>;
  readonly fixedString: boolean;
  readonly caseSensitive: boolean;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly env: Readonly<Record<string, string>>;
}

export type SearchProblem = 'timeout' | 'spawn_error' | 'rg_error';

export class SearchError extends Error {
  readonly code: SearchProblem;
  readonly exitCode: number | null;

  constructor(code: SearchProblem, message: string, exitCode: number | null = null) {
    super(message);
    this.name = 'SearchError';
    this.code = code;
    this.exitCode = exitCode;
  }
}

/** What is searched, told apart because programs treat a named file otherwise than one they come across. */
export interface Operands {
  readonly files: readonly string[];
  readonly directories: readonly string[];
}

/** One start of a search program. */
export interface EngineRun extends Pick<SearchRequest, 'cwd' | 'env' | 'timeoutMs' | 'signal'> {
  readonly program: string;
  readonly args: readonly string[];
  /** Takes the next bytes of the output, and throws on what cannot be read. */
  readonly parse: (chunk: Buffer) => void;
}

export interface EngineEnd {
  /** Null when the search was ended at a limit. */
  readonly exitCode: number | null;
  readonly stderr: string;
}

const MAX_STDERR_BYTES = 4096;

/** Runs a search program until it ends or the collector has enough. */
export async function runEngine(start: EngineRun, collector: Collector): Promise<EngineEnd> {
  const stderr = createCapture(MAX_STDERR_BYTES);
  const enough = new AbortController();
  const onStdout = (chunk: Buffer): void => {
    if (enough.signal.aborted) return;
    try {
      start.parse(chunk);
      if (collector.full) enough.abort();
    } catch (error) {
      enough.abort(new SearchError('rg_error', `the search program printed what cannot be read: ${String(error)}`));
    }
  };
  const signal = AbortSignal.any([start.signal, enough.signal]);
  try {
    const { program: command, args, cwd, env, timeoutMs } = start;
    const outputs = { onStdout, onStderr: stderr.push, startsOthers: false, mkfifo: null };
    const end = await run({ command, args, cwd, env, timeoutMs, signal, ...outputs });
    if (end.timedOut) throw new SearchError('timeout', `the search took longer than ${Math.round(timeoutMs)} ms`);
    if (end.exitCode === null) throw new SearchError('rg_error', `the search was ended by ${end.signal}`);
    return { exitCode: end.exitCode, stderr: stderr.text() };
  } catch (error) {
    if (!enough.signal.aborted || start.signal.aborted) throw error;
    if (enough.signal.reason instanceof SearchError) throw enough.signal.reason;
    return { exitCode: null, stderr: '' };
  }
}

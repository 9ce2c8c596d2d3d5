import type { Config } from './config.ts';

/** A stream to write to. `columns` is there on a terminal only. */
export interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string | Uint8Array, done: (error?: Error | null) => void): boolean;
}

/** A stream to read. Its bytes are not decoded, so that what is no text can be told from what is. */
export interface Input extends AsyncIterable<Uint8Array> {
  readonly isTTY?: boolean;
}

/** What every command gets from the program: streams, settings, and the world's surprises as arguments. */
export interface Context {
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly config: Config;
  readonly cwd: string;
  /** The package's own directory, where the demo's texts lie. */
  readonly packageRoot: URL;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly fetch: typeof globalThis.fetch;
  /** The exit code of a command that ran but must not count as a success. */
  readonly setExitCode: (code: number) => void;
}

/** Resolves once the text is handed over, so that a large one does not pile up in memory. */
export function write(output: Output, text: string | Uint8Array): Promise<void> {
  if (text.length === 0) return Promise.resolve();
  return new Promise((resolve, reject) => {
    output.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

import type { ToolErrorCodeOf } from '../errors.ts';
import type { PruningMetadata } from '../pruning.ts';

/** `structuredContent` of a successful `read`. */
export interface ReadResult {
  readonly tool: 'read';
  readonly file_path: string;
  readonly encoding: 'utf-8';
  readonly content: string;
  /** The file held more than was read. */
  readonly truncated: boolean;
  /** Equals `pruning.raw_bytes`. */
  readonly bytes: number;
  readonly duration_ms: number;
  readonly pruning: PruningMetadata;
}

export interface ReadError {
  readonly tool: 'read';
  readonly error: {
    readonly code: ToolErrorCodeOf<'read'>;
    readonly message: string;
  };
  readonly pruning: PruningMetadata;
}

/** `structuredContent` of a command that ended with exit code 0. */
export interface BashResult {
  readonly tool: 'bash';
  readonly command: string;
  /** Absolute. */
  readonly cwd: string;
  readonly stdout: string;
  readonly stderr: string;
  readonly exit_code: number;
  readonly timed_out: boolean;
  readonly truncated: boolean;
  readonly duration_ms: number;
  readonly pruning: PruningMetadata;
}

/** Holds what the command wrote before it failed or was stopped, pruned like a success when a question was asked. */
export interface BashError {
  readonly tool: 'bash';
  readonly error: {
    readonly code: ToolErrorCodeOf<'bash'>;
    readonly message: string;
    readonly exit_code?: number | undefined;
  };
  readonly stdout?: string | undefined;
  readonly stderr?: string | undefined;
  readonly truncated?: boolean | undefined;
  readonly pruning: PruningMetadata;
}

export interface GrepMatch {
  /** Relative to the root. */
  readonly path: string;
  readonly line: number;
  /** From 1, in characters; null when the search engine does not say. */
  readonly column: number | null;
  readonly text: string;
  /** Lines before the match, when `context_lines` asks for them. */
  readonly before?: readonly string[] | undefined;
  readonly after?: readonly string[] | undefined;
}

/** `structuredContent` of a successful `grep`; no match is a success. */
export interface GrepResult {
  readonly tool: 'grep';
  readonly pattern: string;
  readonly paths: readonly string[];
  readonly matches: readonly GrepMatch[];
  readonly match_count: number;
  /** The search stopped early or could not read everything. */
  readonly truncated: boolean;
  readonly duration_ms: number;
  readonly pruning: PruningMetadata;
}

export interface GrepError {
  readonly tool: 'grep';
  readonly error: {
    readonly code: ToolErrorCodeOf<'grep'>;
    readonly message: string;
    readonly exit_code?: number | undefined;
  };
  readonly pruning: PruningMetadata;
}

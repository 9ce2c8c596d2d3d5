import { Buffer } from 'node:buffer';
import type { SegmentMatches, SegmentSearch } from '../segments.ts';

export type Row = Readonly<Record<string, unknown>>;

/** One transaction on a database. Parameters are numbered (`$1`); a list is one parameter (see `Dialect.among`). */
export interface Session {
  readonly dialect: Dialect;
  /** Rows of a statement; the first of them is `get`'s. One with a name is read once by a server, then only run. */
  all(sql: string, values?: readonly unknown[], name?: string): Promise<Row[]>;
  get(sql: string, values?: readonly unknown[], name?: string): Promise<Row | undefined>;
}

export type Work<T> = (session: Session) => Promise<T>;

/** What the stores need of a database. */
export interface Transactions {
  transaction<T>(work: Work<T>): Promise<T>;
  /** For a single statement that reads: it needs no transaction around it to see one state of the database. */
  read<T>(work: Work<T>): Promise<T>;
  /** Resolves once nothing is under way. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

/** What SQLite and Postgres do not share: everything else is said once, in the files beside this one. */
export interface Dialect {
  /** A name as the columns hold it that segments, projects and texts are found by. */
  readonly key: (name: string) => string | Uint8Array;
  /** Whether a column is among the values of a list. */
  readonly among: (column: string, parameter: string) => string;
  /** The values of a list of keys as a table with the column `key`. */
  readonly listed: (parameter: string) => string;
  /** An expression of all rows joined by commas, as one text or its bytes. */
  readonly joined: (expression: string) => string;
  /** Ends a selection of rows that this transaction is about to change: others wait. */
  readonly locked: string;
  /** The same, passing over rows that others are about to change. */
  readonly unlocked: string;
  /** Keeps the words of segments in place of those that they had. */
  keepWords(session: Session, projectNo: number, lines: readonly WordLine[]): Promise<void>;
  removeWords(session: Session, seqs: readonly number[]): Promise<void>;
  search(session: Session, request: SegmentSearch): Promise<SegmentMatches>;
}

/** The words and facets of a segment, separated by blanks. */
export interface WordLine {
  readonly seq: number;
  readonly line: string;
  /** It had words before. */
  readonly known: boolean;
}

export function optionalKey({ dialect }: Session, name: string | undefined): string | Uint8Array | null {
  return name === undefined ? null : dialect.key(name);
}

/** A key as a text, whichever dialect it is of, so that keys can be compared. */
export function comparable(key: unknown): string {
  return typeof key === 'string' ? key : Buffer.from(key as Uint8Array).toString('hex');
}

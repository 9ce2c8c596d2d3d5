import { capUtf8 } from './truncate.ts';

/** A line that a search program printed: a match, or a neighbour of one. */
export interface FoundLine {
  /** Absolute. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** Without its line feed; a carriage return stays. */
  readonly text: string;
  /** Null in a neighbour, and where the program does not say. */
  readonly column: number | null;
  readonly matched: boolean;
}

export interface Match {
  /** Relative to the root in a result, absolute while collecting. */
  readonly path: string;
  readonly line: number;
  /** From 1, in characters (code points). */
  readonly column: number | null;
  readonly text: string;
  /** The lines before, when context was asked for; fewer at the edge of a file. */
  readonly before?: readonly string[];
  readonly after?: readonly string[];
}

export interface Limits {
  readonly contextLines: number;
  readonly maxMatches: number;
  /** Over the texts of the matches and of their neighbours. */
  readonly maxOutputBytes: number;
}

export interface Collector {
  readonly matches: readonly Match[];
  /** Nothing more is wanted: the search can end. */
  readonly full: boolean;
  /** A limit was reached, or something was left out. */
  readonly truncated: boolean;
  add(line: FoundLine): void;
  /** Takes note that a line was too long to be looked at. */
  skipped(): void;
}

/** Gathers matches with their neighbours until a limit is reached. Lines of one file come in ascending order. */
export function createCollector(limits: Limits): Collector {
  return new LimitedCollector(limits);
}

interface OpenMatch extends Match {
  readonly before: string[];
  readonly after: string[];
}

class LimitedCollector implements Collector {
  readonly #limits: Limits;
  readonly #matches: OpenMatch[] = [];
  // Overlapping paths make a program print a line twice.
  readonly #seen = new Set<string>();
  #bytesLeft: number;
  #full = false;
  #truncated = false;
  /** The lines right before the current one, as many as can be context of the next match. */
  #recent: FoundLine[] = [];
  /** Matches that still miss lines after them. */
  #open: OpenMatch[] = [];

  constructor(limits: Limits) {
    this.#limits = limits;
    this.#bytesLeft = limits.maxOutputBytes;
  }

  get matches(): readonly Match[] {
    if (this.#limits.contextLines > 0) return this.#matches;
    return this.#matches.map(({ path, line, column, text }) => ({ path, line, column, text }));
  }

  get full(): boolean {
    return this.#full;
  }

  get truncated(): boolean {
    return this.#truncated;
  }

  skipped(): void {
    this.#truncated = true;
  }

  add(line: FoundLine): void {
    if (this.#full) return;
    const previous = this.#recent.at(-1);
    if (previous?.path !== line.path || previous.line !== line.line - 1) this.#breakOff();
    this.#closeMatches(line);
    if (line.matched && !this.#full) this.#addMatch(line);
    this.#recent.push(line);
    if (this.#recent.length > this.#limits.contextLines) this.#recent.shift();
    if (this.#matches.length >= this.#limits.maxMatches && this.#open.length === 0) this.#stop();
  }

  #addMatch({ path, line, column, text }: FoundLine): void {
    const key = `${line}:${path}`;
    if (this.#seen.has(key)) return;
    if (this.#matches.length >= this.#limits.maxMatches) return this.#stop();
    const shown = this.#take(text);
    if (shown === null) return;
    this.#seen.add(key);
    const match: OpenMatch = { path, line, column, text: shown, before: [], after: [] };
    this.#matches.push(match);
    for (const neighbour of this.#recent) {
      const before = this.#take(neighbour.text);
      if (before === null) {
        // Counted back from the match, what did fit would get the wrong numbers.
        match.before.length = 0;
        return;
      }
      match.before.push(before);
    }
    if (this.#limits.contextLines > 0) this.#open.push(match);
    if (this.#matches.length >= this.#limits.maxMatches) this.#truncated = true;
  }

  #closeMatches({ line, text }: FoundLine): void {
    for (const match of this.#open) {
      const after = this.#take(text);
      if (after === null) return;
      match.after.push(after);
    }
    this.#open = this.#open.filter((match) => line - match.line < this.#limits.contextLines);
  }

  /** The next line is no neighbour of the last one. */
  #breakOff(): void {
    this.#recent = [];
    this.#open = [];
    if (this.#matches.length >= this.#limits.maxMatches) this.#stop();
  }

  /** As much of a text as the byte limit leaves; null when that is nothing. */
  #take(text: string): string | null {
    if (this.#full) return null;
    const capped = capUtf8(text, this.#bytesLeft);
    this.#bytesLeft -= Buffer.byteLength(capped.text);
    if (capped.truncated) this.#stop();
    return capped.truncated && capped.text === '' ? null : capped.text;
  }

  #stop(): void {
    this.#full = true;
    this.#truncated = true;
  }
}

const LF = 10;
const CR = 13;

/** A list of texts to be judged; lines of one text, tool definitions, stashed segments are all such lists. */
export interface TextList {
  readonly length: number;
  at(index: number): string;
}

/**
 * A text seen as lines, without a copy of it: only where each line starts is kept.
 * A line ends at `\n`, a `\r` right before it belongs to the ending, and nothing else ends a line.
 */
export class Lines implements TextList {
  readonly text: string;
  readonly length: number;
  readonly #starts: Uint32Array;

  constructor(text: string) {
    this.text = text;
    this.#starts = lineStarts(text);
    this.length = this.#starts.length - 1;
  }

  /** The line without its ending. */
  at(index: number): string {
    return this.text.slice(this.start(index), this.contentEnd(index));
  }

  /** The line with its ending, exactly as it stands in the text. */
  raw(index: number): string {
    return this.text.slice(this.start(index), this.start(index + 1));
  }

  /** The lines from `first` up to, not including, `end`, endings included. */
  rawRange(first: number, end: number): string {
    return this.text.slice(this.start(first), this.start(end));
  }

  /** `\n`, `\r\n`, or nothing for a last line without a newline. */
  ending(index: number): string {
    return this.text.slice(this.contentEnd(index), this.start(index + 1));
  }

  start(index: number): number {
    return this.#starts[index] ?? this.text.length;
  }

  contentEnd(index: number): number {
    const start = this.start(index);
    let end = this.start(index + 1);
    if (end > start && this.text.charCodeAt(end - 1) === LF) {
      end -= 1;
      if (end > start && this.text.charCodeAt(end - 1) === CR) end -= 1;
    }
    return end;
  }
}

export function split(text: string): Lines {
  return new Lines(text);
}

/** Start of every line, and the text's length as a closing fence. */
function lineStarts(text: string): Uint32Array {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  const endsOpen = text.length > 0 && text.charCodeAt(text.length - 1) !== LF;
  const starts = new Uint32Array(count + (endsOpen ? 2 : 1));
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts[line++] = at + 1;
  starts[starts.length - 1] = text.length;
  return starts;
}

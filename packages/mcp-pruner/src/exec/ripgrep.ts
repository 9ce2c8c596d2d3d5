import type { Collector } from './collect.ts';
import { type EngineEnd, type Operands, runEngine, type SearchRequest } from './engine.ts';

/** Searches with ripgrep. No pattern and no path can become an option: `-e` and `--` see to that. */
export function searchWithRipgrep(
  program: string,
  request: SearchRequest,
  operands: Operands,
  collector: Collector,
): Promise<EngineEnd> {
  // A configuration file could bring `--pre`, which runs a program for every file.
  // Messages about files could tell what lies behind a link; those about the pattern stay.
  const args = ['--no-config', '--no-messages', '--no-ignore-messages', '--json', '--sort', 'path'];
  if (request.fixedString) args.push('-F');
  if (!request.caseSensitive) args.push('-i');
  if (request.contextLines > 0) args.push('-C', String(request.contextLines));
  args.push('-e', request.pattern, '--', ...operands.files, ...operands.directories);
  return runEngine({ ...request, program, args, parse: parseEvents(collector) }, collector);
}

// An event holds its line and every match in it: more than this is a file that no person wrote.
const MAX_EVENT_BYTES = 32 * 1024 * 1024;
const NEWLINE = 10;

/** Reads ripgrep's events, one JSON object per line. */
function parseEvents(collector: Collector): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let length = 0;
  const keep = (part: Buffer): void => {
    length += part.length;
    if (length > MAX_EVENT_BYTES) parts = [];
    else parts.push(part);
  };
  return (chunk) => {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1 && !collector.full; at = chunk.indexOf(NEWLINE, from)) {
      keep(chunk.subarray(from, at));
      if (length > MAX_EVENT_BYTES) collector.skipped();
      else addEvent(Buffer.concat(parts).toString(), collector);
      parts = [];
      length = 0;
      from = at + 1;
    }
    keep(chunk.subarray(from));
  };
}

/** Text, or base64 where it is no UTF-8. */
type Encoded = { readonly text: string } | { readonly bytes: string };

interface LineEvent {
  readonly type: string;
  readonly data: {
    readonly path: Encoded;
    readonly lines: Encoded;
    readonly line_number: number;
    readonly submatches: readonly { readonly start: number }[];
  };
}

function addEvent(json: string, collector: Collector): void {
  const { type, data } = JSON.parse(json) as LineEvent;
  if (type !== 'match' && type !== 'context') return;
  const text = decode(data.lines);
  const start = data.submatches[0]?.start;
  collector.add({
    path: decode(data.path),
    line: data.line_number,
    text: text.endsWith('\n') ? text.slice(0, -1) : text,
    column: type === 'match' && start !== undefined ? columnAt(data.lines, start) : null,
    matched: type === 'match',
  });
}

function decode(encoded: Encoded): string {
  return 'text' in encoded ? encoded.text : Buffer.from(encoded.bytes, 'base64').toString();
}

/** From a byte offset to characters, counted from 1. */
function columnAt(line: Encoded, offset: number): number {
  const bytes = 'text' in line ? Buffer.from(line.text) : Buffer.from(line.bytes, 'base64');
  return countCharacters(bytes.toString('utf8', 0, offset)) + 1;
}

/** Code points: what a person would call characters, more or less. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

import type { Backend } from './backends/backend.ts';
import { LOOKED_AT } from './capture/window.ts';
import { EngineError } from './errors.ts';
import { formatCompact } from './marker.ts';
import { numbered } from './render.ts';
import { type Lines, split, type TextList } from './split.ts';
import type { RecoveryStore, StoredText } from './store.ts';

/** Lines `startLine` to `endLine`, both included, numbered as in the original. */
export interface LineRange {
  readonly startLine: number;
  readonly endLine: number;
}

export interface RecoverRequest {
  readonly pruneId: string;
  /** Given back in this order, each clamped to the last line. */
  readonly ranges?: readonly LineRange[];
  /** Instead of ranges: give back the passages that serve this goal best. */
  readonly goal?: string;
  readonly lineNumbers?: boolean;
}

export interface Recovered {
  readonly pruneId: string;
  readonly text: string;
  /** What was given back, after clamping. */
  readonly ranges: readonly LineRange[];
  /** A marker stands between every two ranges: they were found by a goal, and are passages of one text. */
  readonly marked?: true;
}

/** Lines around the best ones that a goal brings back. */
const AROUND = 4;
const BEST_LINES = 12;

/** Gives lines of a pruned text back, byte for byte. Throws `EngineError` that says what to do. */
export async function recover(
  request: RecoverRequest,
  dependencies: { store: RecoveryStore; backend: Backend },
): Promise<Recovered> {
  const entry = await find(request.pruneId, dependencies.store);
  const lines = split(entry.text);
  const ranges =
    request.goal === undefined
      ? (request.ranges ?? []).map((range) => clamp(range, entry, lines))
      : await rangesFor(request.goal, entry, lines, dependencies.backend);
  const lineNumbers = request.lineNumbers ?? false;
  assertWithinReason(ranges, entry, lines, lineNumbers);
  const pieces = ranges.map((range) => textOf(range, entry, lines, lineNumbers));
  const { pruneId } = request;
  if (request.goal === undefined) return { pruneId, text: inARow(pieces), ranges };
  return { pruneId, text: withGaps(pieces, ranges), ranges, marked: true };
}

async function find(pruneId: string, store: RecoveryStore): Promise<StoredText> {
  let entry: StoredText | undefined;
  try {
    entry = await store.get(pruneId);
  } catch (cause) {
    throw new EngineError('recovery_unavailable', 'the store could not be read; try again, or run the tool again', {
      data: { pruneId },
      cause,
    });
  }
  if (entry !== undefined) return entry;
  throw new EngineError(
    'prune_id_not_found',
    `no text is kept under ${JSON.stringify(pruneId.slice(0, 80))}: it expired, was evicted, or never was; run the tool again`,
    {
      data: { pruneId },
    },
  );
}

function clamp({ startLine, endLine }: LineRange, entry: StoredText, lines: Lines): LineRange {
  const first = entry.firstLine;
  const last = first + lines.length - 1;
  const problem =
    startLine < first
      ? `lines start at ${first}`
      : startLine > endLine
        ? 'the range ends before it starts'
        : startLine > last
          ? `the last line is ${last}`
          : undefined;
  if (problem === undefined) return { startLine, endLine: Math.min(endLine, last) };
  throw new EngineError('invalid_range', `${startLine}-${endLine}: ${problem}`, {
    data: { startLine, endLine, maxLine: last },
  });
}

/** Ranges may overlap; but a short request for the same lines a thousand times over must not fill the memory. */
const MOST_CHARS = 4 * 1024 * 1024;

/** Everything once is always within reason. */
function assertWithinReason(ranges: readonly LineRange[], entry: StoredText, lines: Lines, lineNumbers: boolean): void {
  const last = entry.firstLine + lines.length - 1;
  const prefix = lineNumbers ? `${last}│ `.length : 0;
  const charsOf = ({ startLine, endLine }: LineRange): number =>
    lines.start(endLine - entry.firstLine + 1) -
    lines.start(startLine - entry.firstLine) +
    prefix * (endLine - startLine + 1);
  const most = Math.max(MOST_CHARS, lines.text.length + prefix * lines.length);
  let chars = 0;
  for (const range of ranges) {
    chars += charsOf(range);
    if (chars <= most) continue;
    const { startLine, endLine } = range;
    throw new EngineError(
      'invalid_range',
      `${startLine}-${endLine}: with the ranges before it more than ${most} characters; ask for some of them at a time`,
      { data: { startLine, endLine, maxLine: last, maxChars: most } },
    );
  }
}

function textOf({ startLine, endLine }: LineRange, entry: StoredText, lines: Lines, lineNumbers: boolean): string {
  const first = startLine - entry.firstLine;
  const end = endLine - entry.firstLine + 1;
  return lineNumbers ? numbered(lines, first, end, entry.firstLine) : lines.rawRange(first, end);
}

/** A last line without an ending gets one where another range follows: two lines must not become one. */
function inARow(pieces: readonly string[]): string {
  return pieces.map((text, at) => (at === pieces.length - 1 || text.endsWith('\n') ? text : `${text}\n`)).join('');
}

/** Passages of one text: what lies between two of them is named, so that a reader sees where there is a hole. */
function withGaps(pieces: readonly string[], ranges: readonly LineRange[]): string {
  return pieces
    .map((text, at) => {
      const next = ranges[at + 1];
      if (next === undefined) return text;
      const gap = { startLine: (ranges[at]?.endLine ?? 0) + 1, endLine: next.startLine - 1 };
      return `${text}${text.endsWith('\n') ? '' : '\n'}${formatCompact(gap)}\n`;
    })
    .join('');
}

/** Passages around the best lines, in the order of the text. */
async function rangesFor(goal: string, entry: StoredText, lines: Lines, backend: Backend): Promise<LineRange[]> {
  const best = await bestLines(goal, lines, backend);
  const ranges: { startLine: number; endLine: number }[] = [];
  for (const line of best) {
    const first = Math.max(0, line - AROUND) + entry.firstLine;
    const last = Math.min(lines.length - 1, line + AROUND) + entry.firstLine;
    const previous = ranges.at(-1);
    if (previous !== undefined && first <= previous.endLine + 1) previous.endLine = Math.max(previous.endLine, last);
    else ranges.push({ startLine: first, endLine: last });
  }
  return ranges;
}

/** The lines that serve a goal best, in the order of the text. Of a text that is too large to judge, of both its ends. */
async function bestLines(goal: string, lines: Lines, backend: Backend): Promise<number[]> {
  const { texts, numberOf } = judged(lines);
  const { scores } = await backend.judge({ goal, texts, source: 'code' });
  return Array.from(scores.keys())
    .sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b)
    .slice(0, BEST_LINES)
    .map(numberOf)
    .sort((a, b) => a - b);
}

function judged(lines: Lines): { texts: TextList; numberOf: (index: number) => number } {
  const { text } = lines;
  if (text.length <= LOOKED_AT.bytes && lines.length <= LOOKED_AT.lines)
    return { texts: lines, numberOf: (index) => index };
  const [room, most] = [LOOKED_AT.bytes / 2, LOOKED_AT.lines / 2];
  let head = 0;
  while (head < most && lines.start(head + 1) <= room) head += 1;
  let tail = lines.length;
  while (tail > head && lines.length - tail < most && text.length - lines.start(tail - 1) <= room) tail -= 1;
  const ends = split(text.slice(0, lines.start(head)) + text.slice(lines.start(tail)));
  return { texts: ends, numberOf: (index) => (index < head ? index : index - head + tail) };
}

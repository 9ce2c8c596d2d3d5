import { Buffer } from 'node:buffer';
import type * as Engine from '@jeeves/engine';
import { formatClosing, formatCompact } from '@jeeves/engine/marker';
import type { Answer, PrunerOptions, ToolOutput } from '../pruner.ts';

/** A reply holds an output twice, and escaping can make six bytes of one: no less than this can be too much for it. */
const MAY_NOT_FIT_BYTES = 640 * 1024;
/** What an output may take once it is escaped, so that the reply around it stays below its bound. */
const FITTING_BYTES = 3.5 * 1024 * 1024;

/** Room for the marker in the middle and the closing line. */
const NOTES_BYTES = 256;

/**
 * An output that is not pruned: as it is, without codes, and where it does not fit its beginning and its end with a marker
 * between. What is left out is kept first, so that it can be recovered like anything that pruning takes away.
 */
export async function showRaw(output: ToolOutput, options: PrunerOptions): Promise<Answer> {
  const { raw, strip = false, budget } = output;
  const size = typeof raw === 'string' ? Buffer.byteLength(raw) : raw.length;
  const codes = strip && mayHoldCodes(raw);
  const large = size > budget.shownBytes || mayNotFit(raw, size);
  if (!large && !codes) return whole(decoded(raw));
  const engine = await import('@jeeves/engine');
  const bytes = typeof raw === 'string' ? Buffer.from(raw) : raw;
  const clean = codes ? engine.stripControls : (text: string): string => text;
  const whenWhole = large ? undefined : decoded(raw);
  if (whenWhole !== undefined && clean(whenWhole) === whenWhole) return whole(whenWhole);
  const view: View = { bytes, clean, pruneId: await kept(output, options, engine), output, engine };
  const show = (limit: number): Answer => shown(view, limit);
  return { ...show(budget.shownBytes), fit: (limit) => show(Math.min(limit, budget.shownBytes)) };
}

function mayNotFit(raw: string | Uint8Array, size: number): boolean {
  return size > MAY_NOT_FIT_BYTES && isEscapedLargerThan(raw, FITTING_BYTES);
}

/** Counted, not written out: ten megabytes of NUL would become sixty. */
function isEscapedLargerThan(raw: string | Uint8Array, most: number): boolean {
  let size = 0;
  for (let at = 0; at < raw.length && size <= most; at += 1) {
    const unit = typeof raw === 'string' ? raw.charCodeAt(at) : (raw[at] ?? 0);
    if (unit < 0x20) size += SHORT_ESCAPES.has(unit) ? 2 : 6;
    else if (unit === 0x22 || unit === 0x5c) size += 2;
    else size += unit < 0x80 || typeof raw !== 'string' ? 1 : 3;
  }
  return size > most;
}

/** Backspace, tab, newline, form feed and carriage return. */
const SHORT_ESCAPES: ReadonlySet<number> = new Set([8, 9, 10, 12, 13]);

interface View {
  readonly bytes: Uint8Array;
  /** Takes codes out, where there may be some. */
  readonly clean: (text: string) => string;
  readonly pruneId: string | undefined;
  readonly output: ToolOutput;
  readonly engine: typeof Engine;
}

function shown({ bytes, clean, pruneId, output, engine }: View, limit: number): Answer {
  const about = pruneId === undefined ? {} : { pruneId };
  const stripped = (...texts: readonly string[]): { stripped?: true } =>
    texts.some((text) => clean(text) !== text) ? { stripped: true } : {};
  if (bytes.length <= limit) {
    const text = decoded(bytes);
    return clean(text) === text ? whole(text) : { ...whole(clean(text)), ...about, ...stripped(text) };
  }
  const room = Math.max(0, limit - NOTES_BYTES);
  const limits = { bytes: room, lines: Number.POSITIVE_INFINITY };
  const { head, tail, headLines, skippedLines } = engine.windowOf(bytes, limits);
  const cut = { ...about, truncated: true, closing: pruneId === undefined ? LOST : formatClosing(pruneId) };
  if (head === '' && tail === '') return { ...whole(insideLine(bytes, room, clean)), ...cut };
  const first = (output.firstLine ?? 1) + headLines;
  const marker = formatCompact({ startLine: first, endLine: first + skippedLines - 1 });
  const text = `${clean(head)}${marker}${tail === '' ? '' : '\n'}${clean(tail)}`;
  const lines =
    output.onlySentLines === true ? { kept: flags(headLines, skippedLines, engine.split(tail).length) } : {};
  return { ...whole(text), ...lines, ...cut, ...stripped(head, tail) };
}

const LOST = '[what is left out could not be kept for recovery]';

/** No line fits: then the ends of the text are shown, and the note says how much is missing between them. */
function insideLine(bytes: Uint8Array, room: number, clean: (text: string) => string): string {
  let headEnd = Math.floor(room / 2);
  while (headEnd > 0 && isContinuation(bytes[headEnd])) headEnd -= 1;
  let tailStart = bytes.length - Math.floor(room / 2);
  while (tailStart < bytes.length && isContinuation(bytes[tailStart])) tailStart += 1;
  const [head, tail] = [decoded(bytes.subarray(0, headEnd)), decoded(bytes.subarray(tailStart))];
  return `${clean(head)}\n[${tailStart - headEnd} bytes left out here]\n${clean(tail)}`;
}

/** A byte of UTF-8 inside a character. */
function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

function flags(head: number, skipped: number, tail: number): Uint8Array {
  return new Uint8Array(head + skipped + tail).fill(1).fill(0, head, head + skipped);
}

/** Under which id the output can be recovered; nothing when it cannot. */
async function kept(output: ToolOutput, options: PrunerOptions, engine: typeof Engine): Promise<string | undefined> {
  const pruneId = engine.newPruneId(options.randomBytes);
  const { raw: text, firstLine = 1, goal } = output;
  try {
    await options.store.put({
      pruneId,
      text,
      firstLine,
      createdAt: options.now(),
      ...(goal !== undefined && { goal }),
    });
    return pruneId;
  } catch {
    return undefined;
  }
}

function whole(text: string): Answer {
  return { text, structuredText: text };
}

/** Escapes, bells and carriage returns are what a terminal obeys; most outputs have none. */
function mayHoldCodes(raw: string | Uint8Array): boolean {
  // oxlint-disable-next-line no-control-regex -- these are the codes that a terminal obeys
  if (typeof raw === 'string') return /[\u0007\r\u001b\u009b]/.test(raw);
  return [0x1b, 0x07, 0x0d, 0x9b].some((code) => raw.includes(code));
}

export function decoded(raw: string | Uint8Array): string {
  return typeof raw === 'string' ? raw : Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).toString('utf8');
}

import { Buffer } from 'node:buffer';
import type * as Engine from '@jeeves/engine';
import { formatClosing, formatCompact } from '@jeeves/engine/marker';
import { capUtf8 } from '../exec/truncate.ts';
import type { Answer, PrunerOptions, ToolOutput } from '../pruner.ts';

/** A reply holds an output twice, and escaping can make six bytes of one: more than this may have to be cut to fit. */
const MAY_NOT_FIT_BYTES = 640 * 1024;

/** Room for the marker in the middle and the closing line. */
const NOTES_BYTES = 256;

/**
 * An output that is not pruned: as it is, without codes, and where it does not fit its beginning and its end with a marker
 * between. What is left out is kept first, so that it can be recovered like anything that pruning takes away.
 */
export async function showRaw(output: ToolOutput, options: PrunerOptions): Promise<Answer> {
  const { raw, strip = false, budget } = output;
  const size = typeof raw === 'string' ? Buffer.byteLength(raw) : raw.length;
  const large = size > Math.min(budget.shownBytes, MAY_NOT_FIT_BYTES);
  if (!large && !(strip && mayHoldCodes(raw))) return whole(decoded(raw));
  const engine = await import('@jeeves/engine');
  const bytes = typeof raw === 'string' ? Buffer.from(raw) : raw;
  const stripped = strip && mayHoldCodes(raw) && engine.stripControls(decoded(raw)) !== decoded(raw);
  const pruneId = large || stripped ? await kept(output, options, engine) : undefined;
  const view: View = { bytes, strip, stripped, pruneId, output, engine };
  const show = (limit: number): Answer => shown(view, limit);
  return { ...show(budget.shownBytes), fit: (limit) => show(Math.min(limit, budget.shownBytes)) };
}

interface View {
  readonly bytes: Uint8Array;
  readonly strip: boolean;
  readonly stripped: boolean;
  readonly pruneId: string | undefined;
  readonly output: ToolOutput;
  readonly engine: typeof Engine;
}

function shown({ bytes, strip, stripped, pruneId, output, engine }: View, limit: number): Answer {
  const clean = (text: string): string => (strip ? engine.stripControls(text) : text);
  const about = { ...(pruneId !== undefined && { pruneId }), ...(stripped && { stripped: true as const }) };
  if (bytes.length <= limit) return { ...whole(clean(decoded(bytes))), ...(stripped && about) };
  const room = Math.max(0, limit - NOTES_BYTES);
  const { head, tail, headLines, skippedLines } = engine.windowOf(bytes, { bytes: room, lines: Number.POSITIVE_INFINITY });
  const cut = { ...about, truncated: true, closing: pruneId === undefined ? LOST : formatClosing(pruneId) };
  if (head === '' && tail === '') return { ...whole(insideLine(bytes, room, clean)), ...cut };
  const first = (output.firstLine ?? 1) + headLines;
  const marker = formatCompact({ startLine: first, endLine: first + skippedLines - 1 });
  const text = `${clean(head)}${marker}${tail === '' ? '' : '\n'}${clean(tail)}`;
  const lines = output.onlySentLines === true ? { kept: flags(headLines, skippedLines, engine.split(tail).length) } : {};
  return { ...whole(text), ...lines, ...cut };
}

const LOST = '[what is left out could not be kept for recovery]';

/** No line fits: then the ends of the text are shown, and the note says how much is missing between them. */
function insideLine(bytes: Uint8Array, room: number, clean: (text: string) => string): string {
  const text = decoded(bytes);
  const head = capUtf8(text, room / 2).text;
  const tail = endOf(text, room / 2);
  const missing = bytes.length - Buffer.byteLength(head) - Buffer.byteLength(tail);
  return `${clean(head)}\n[${missing} bytes left out here]\n${clean(tail)}`;
}

function endOf(text: string, maxBytes: number): string {
  // A unit takes one to three bytes: from here on it cannot be too short, and what is too long is dropped by bytes.
  const end = Buffer.from(text.slice(-Math.max(1, Math.floor(maxBytes))));
  let from = Math.max(0, end.length - Math.floor(maxBytes));
  while (from < end.length && ((end[from] ?? 0) & 0xc0) === 0x80) from += 1;
  return end.toString('utf8', from);
}

function flags(head: number, skipped: number, tail: number): Uint8Array {
  return new Uint8Array(head + skipped + tail).fill(1).fill(0, head, head + skipped);
}

/** Under which id the output can be recovered; nothing when it cannot. */
async function kept(output: ToolOutput, options: PrunerOptions, engine: typeof Engine): Promise<string | undefined> {
  const pruneId = engine.newPruneId(options.randomBytes);
  const { raw: text, firstLine = 1, goal } = output;
  try {
    await options.store.put({ pruneId, text, firstLine, createdAt: options.now(), ...(goal !== undefined && { goal }) });
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
  if (typeof raw === 'string') return /[\u0007\r\u001b\u009b]/.test(raw);
  return [0x1b, 0x07, 0x0d, 0x9b].some((code) => raw.includes(code));
}

export function decoded(raw: string | Uint8Array): string {
  return typeof raw === 'string' ? raw : Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).toString('utf8');
}

import { formatCanonical, formatCompact } from '../marker.ts';
import { DEFAULTS, type PruneRequest } from '../options.ts';
import { type PruneDependencies, type PruneResult, prune } from '../prune.ts';
import type { Gap } from '../render.ts';
import { type Lines, split } from '../split.ts';
import type { RecoveryStore } from '../store/store.ts';
import { stripControls } from './strip.ts';
import { LOOKED_AT, type Window, type WindowLimits, windowOf } from './window.ts';

/** A text as it was captured: of any size, and with whatever codes a program wrote into it. */
export interface CaptureRequest extends Omit<PruneRequest, 'text'> {
  /** A string, which is looked at as a whole, or bytes of UTF-8. It is what recovery gives back. */
  readonly raw: string | Uint8Array;
  /** Leave colour and cursor codes out of what is judged and shown. Default false. */
  readonly strip?: boolean;
  /** How much of the bytes is judged. Default `LOOKED_AT`. */
  readonly lookedAt?: WindowLimits;
}

export interface CaptureResult extends PruneResult {
  /** Codes were left out. */
  readonly stripped: boolean;
}

/** The marker of what lies between the ends that were looked at. */
const MIDDLE_TOKENS = 24;

/**
 * Prunes a capture: without its codes, and beyond a size its beginning and its end, with one gap between them. The
 * whole of it is kept under the one prune id, so that line numbers mean the same in the result and in recovery.
 */
export async function pruneCapture(request: CaptureRequest, dependencies: PruneDependencies): Promise<CaptureResult> {
  const { raw, strip = false, lookedAt = LOOKED_AT, ...rest } = request;
  const window = typeof raw === 'string' ? whole(raw) : windowOf(raw, lookedAt);
  const joined = window.head + window.tail;
  const text = strip ? stripControls(joined) : joined;
  const firstLine = rest.firstLine ?? DEFAULTS.firstLine;
  const store = keeping(request, firstLine, dependencies.store);
  const stripped = text !== joined;
  if (window.skippedLines === 0) return { ...(await prune({ ...rest, text }, { ...dependencies, store })), stripped };
  // Numbered as the end of the text is: no marker gets longer when those of the beginning get their own numbers.
  const numbered = { ...rest, text, firstLine: firstLine + window.skippedLines };
  const aroundTokens = (rest.aroundTokens ?? 0) + MIDDLE_TOKENS;
  const result = await prune({ ...numbered, aroundTokens }, { ...dependencies, store });
  return { ...inPlace(result, { text, window, firstLine, request: rest }), stripped };
}

function whole(text: string): Window {
  return { head: text, tail: '', headLines: 0, skippedLines: 0 };
}

/** Keeps the capture itself in place of what was judged of it. */
function keeping({ raw, goal }: CaptureRequest, firstLine: number, store: RecoveryStore): RecoveryStore {
  return {
    url: store.url,
    put: (entry, ttlMs) => store.put({ ...entry, text: raw, firstLine, goal }, ttlMs),
    get: (pruneId) => store.get(pruneId),
    close: () => store.close(),
  };
}

interface Place {
  readonly text: string;
  readonly window: Window;
  readonly firstLine: number;
  readonly request: Omit<PruneRequest, 'text'>;
}

/** The result as one about the whole capture: the middle is a gap, and what follows it has its true numbers. */
function inPlace(result: PruneResult, place: Place): PruneResult {
  const { window, firstLine } = place;
  const lines = split(place.text);
  const flags = new Uint8Array(lines.length).fill(1);
  const shift = firstLine + window.skippedLines;
  for (const { startLine, endLine } of result.gaps) flags.fill(0, startLine - shift, endLine - shift + 1);
  const { text, gaps } = rendered(lines, flags, result, place);
  const { stats } = result;
  const originalLines = stats.originalLines + window.skippedLines;
  const prunedLines = stats.prunedLines + window.skippedLines;
  const counts = { originalLines, prunedLines, prunedRatio: prunedLines / originalLines };
  return { ...result, text, gaps, stats: { ...stats, ...counts, tokensMethod: 'estimate' } };
}

/** Kept lines and markers; the lines that were not looked at belong to the gap around them. */
function rendered(lines: Lines, kept: Uint8Array, { pruneId }: PruneResult, place: Place): { text: string; gaps: Gap[] } {
  const { window, firstLine, request } = place;
  const pieces: string[] = [];
  const gaps: Gap[] = [];
  const numberOf = (index: number): number => index + firstLine + (index < window.headLines ? 0 : window.skippedLines);
  let open: number | undefined;
  const close = (index: number): void => {
    if (open === undefined) return;
    const gap = gapOf(open, numberOf(index) - 1, pruneId, request);
    gaps.push(gap);
    const ending = index > 0 && kept[index - 1] === 0 ? lines.ending(index - 1) : '\n';
    if (request.includeMarkers ?? DEFAULTS.includeMarkers) pieces.push(gap.marker, ending);
    open = undefined;
  };
  for (let index = 0; index <= lines.length; index += 1) {
    if (index === window.headLines) open ??= firstLine + index;
    if (index === lines.length) break;
    if (kept[index] === 0) open ??= numberOf(index);
    else {
      close(index);
      pieces.push((request.annotateLines ?? false) ? `${numberOf(index)}│ ${lines.raw(index)}` : lines.raw(index));
    }
  }
  close(lines.length);
  return { text: pieces.join(''), gaps };
}

function gapOf(startLine: number, endLine: number, pruneId: string, { markers }: Omit<PruneRequest, 'text'>): Gap {
  const range = { startLine, endLine };
  const reason = 'off_goal';
  const canonical = (markers ?? DEFAULTS.markers) === 'canonical';
  const marker = canonical ? formatCanonical(pruneId, range, reason) : formatCompact(range);
  return { ...range, lineCount: endLine - startLine + 1, reason, marker };
}

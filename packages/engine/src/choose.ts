import type { SourceType } from './backends/backend.ts';
import { estimateTokens } from './estimate.ts';
import type { Job } from './job.ts';
import { cutBlocks } from './layout/blocks.ts';
import { layoutOf } from './layout/layout.ts';
import { valuesUsed } from './layout/values.ts';
import { formatCanonical, formatCompact } from './marker.ts';
import { DEFAULTS } from './options.ts';
import type { Protection } from './protect/protect.ts';
import { type Budget, fits, select } from './select.ts';
import type { Lines } from './split.ts';

const ROOM = { share: 0.18, lines: 100, longShare: 0.1, logLines: 40 } as const;

interface Chosen {
  /** 1 for each line that stays. */
  readonly kept: Uint8Array;
  /** A size was wished for that limits and protection do not allow. */
  readonly overBudget: boolean;
}

interface Judged {
  readonly scores: Float64Array;
  readonly protection: Protection;
  readonly fewest: number;
  /** The scores are of single lines: none comes along with another. */
  readonly perText?: boolean;
}

/** What a request asks for, put to `select` in its own terms. */
export function choose(job: Job, { scores, protection, fewest, perText = false }: Judged): Chosen {
  const { request, lines, source } = job;
  const layout = layoutOf(lines, source);
  const worthwhile = request.worthwhileGaps ?? DEFAULTS.worthwhileGaps;
  const marker = markerCost(job);
  const budget = budgetOf(job, marker);
  const kept = select({
    scores,
    protection,
    layout,
    blocks: cutBlocks(layout),
    fewest,
    threshold: request.threshold ?? DEFAULTS.threshold,
    room: perText ? 0 : roomIn(lines.length, source),
    company: !perText,
    // Indentation in a log is decoration, not scope.
    keepScopes: source !== 'logs',
    ...(source === 'code' ? { valuesUsed: valuesUsed(lines, layout) } : {}),
    ...(worthwhile ? { worthCutting: worthCutting(lines, marker) } : {}),
    ...(budget === undefined ? {} : { budget }),
  });
  if (budget !== undefined) return { kept, overBudget: !fits(budget, kept) };
  return { kept: worthwhile && !savesEnough(kept, lines) ? kept.fill(1) : kept, overBudget: false };
}

/** What the lines and markers of this text take, when a size was wished for. */
function budgetOf({ request, lines }: Job, marker: MarkerCost): Budget | undefined {
  const maxTokens = request.limits?.maxTokens;
  if (maxTokens === undefined) return undefined;
  const prefix = (request.annotateLines ?? DEFAULTS.annotateLines) ? NUMBER_TOKENS : 0;
  const line = (index: number) => prefix + estimateTokens(lines.text, lines.start(index), lines.start(index + 1));
  return { maxTokens, line, marker: marker.tokens };
}

/** What `1234│ ` in front of a line takes. */
const NUMBER_TOKENS = 4;

/** A reader who gets nearly all of a text is better off with all of it than with a hole to wonder about. */
function savesEnough(kept: Uint8Array, lines: Lines): boolean {
  let saved = 0;
  for (let at = 0; at < kept.length; at += 1) if (kept[at] === 0) saved += lines.start(at + 1) - lines.start(at);
  return saved >= lines.text.length * LEAST_SAVING;
}

const LEAST_SAVING = 0.2;

/** A small text is worth keeping in good part; the longer it is, the smaller the part. Logs repeat themselves. */
function roomIn(count: number, source: SourceType): number {
  const most = source === 'logs' ? ROOM.logLines : ROOM.lines + ROOM.longShare * count;
  return Math.min(ROOM.share * count, most);
}

interface MarkerCost {
  readonly tokens: number;
  readonly bytes: number;
}

/** What a marker costs at most in this text. */
function markerCost({ request, lines, pruneId }: Job): MarkerCost {
  const { markers, includeMarkers, firstLine } = { ...DEFAULTS, ...request };
  if (!includeMarkers) return { tokens: 0, bytes: 0 };
  const last = firstLine + lines.length;
  const range = { startLine: last, endLine: last };
  const widest =
    markers === 'canonical'
      ? formatCanonical(pruneId, range, 'repeated')
      : formatCompact({ ...range, endLine: last + lines.length });
  // What is not ASCII takes up to three bytes.
  return { tokens: estimateTokens(widest) + 1, bytes: widest.length + 12 };
}

/** A gap must save both tokens and bytes: with that, a pruned result is never larger than the raw one. */
function worthCutting(lines: Lines, marker: MarkerCost): (first: number, end: number) => boolean {
  return (first, end) => {
    const stop = lines.start(end);
    let at = lines.start(first);
    if (stop - at <= marker.bytes) return false;
    // Estimated in stretches, not line by line: blank lines are fewer tokens together than each alone.
    for (let tokens = 0; at < stop; at += STRETCH) {
      tokens += estimateTokens(lines.text, at, Math.min(stop, at + STRETCH));
      if (tokens > marker.tokens) return true;
    }
    return false;
  };
}

const STRETCH = 400;

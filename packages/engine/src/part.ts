import { estimateTokens } from './estimate.ts';
import type { Lines } from './split.ts';

/** A line is long when it takes more than this share of the budget by itself. */
const LONG = 0.5;
const LIKELY = 0.2;
const MOST_TOKENS = 600;
/** Tokens that the line which introduces a part takes. */
const HEAD_TOKENS = 24;

interface Looked {
  readonly lines: Lines;
  readonly kept: Uint8Array;
  readonly probability: Float64Array;
  readonly tokens: Float64Array;
  readonly goal: string;
  readonly firstLine: number;
  /** What is left of the budget. */
  readonly room: number;
  readonly budget: number;
}

/** The part of a line that is too long to be shown whole, around the goal's words; undefined when there is no such line. */
export function partOfLongLine(looked: Looked): string | undefined {
  const line = longLine(looked);
  const tokens = Math.min(MOST_TOKENS, Math.floor(looked.room) - HEAD_TOKENS);
  if (line === -1 || tokens < 20) return undefined;
  const text = looked.lines.at(line);
  const at = placeOf(text, looked.goal);
  let length = tokens * 5;
  let start = 0;
  let part = '';
  do {
    length = Math.floor(length * 0.8);
    start = Math.max(0, Math.min(text.length - length, at - (length >> 1)));
    part = text.slice(start, start + length);
  } while (length > 40 && estimateTokens(part) > tokens);
  const range = `characters ${start + 1}-${start + part.length} of ${text.length}`;
  return `⟦line ${line + looked.firstLine} in part: ${range}⟧\n${part}`;
}

/** The likeliest line that was left out for its length alone. */
function longLine({ lines, kept, probability, tokens, budget }: Looked): number {
  let best = -1;
  for (let line = 0; line < lines.length; line += 1) {
    if (kept[line] === 1 || (tokens[line] ?? 0) < budget * LONG) continue;
    const likely = probability[line] ?? 0;
    if ((likely >= LIKELY || lines.length === 1) && (best === -1 || likely > (probability[best] ?? 0))) best = line;
  }
  return best;
}

/** Where the goal's longest word that occurs stands; the beginning when none does. */
function placeOf(text: string, goal: string): number {
  const lower = text.toLowerCase();
  const words = (goal.toLowerCase().match(/[\p{L}\p{N}_]{3,}/gu) ?? []).sort((a, b) => b.length - a.length);
  for (const word of words) {
    const at = lower.indexOf(word);
    if (at !== -1) return at;
  }
  return 0;
}

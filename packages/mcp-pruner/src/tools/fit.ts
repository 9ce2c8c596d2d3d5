import { Buffer } from 'node:buffer';
import { formatClosing } from '@jeeves/engine/marker';
import { capUtf8 } from '../exec/truncate.ts';
import type { PrunedOutput } from '../pruner.ts';

/** An output that fits what may be shown of it. */
export interface Fitted extends PrunedOutput {
  /** The raw output was cut, so there is more where it came from. */
  readonly rawCut: boolean;
  /** The pruned output was cut; says what is missing and how to get it. */
  readonly prunedCut?: string;
}

/** Cuts an output, raw or pruned, to so many bytes. The metadata follow: they are about what is there. */
export function fit(output: PrunedOutput, bytes: number, firstLine = 1): Fitted {
  const { pruning, text, structuredText } = output;
  // Measured only where there is a limit: most outputs have none, and a large one takes a while.
  if (bytes === Number.POSITIVE_INFINITY || Math.max(size(text), size(structuredText)) <= bytes) {
    return { ...output, rawCut: false };
  }
  // An answer without an id is the raw output itself: there is nothing to recover it from.
  if (!pruning.applied || pruning.prune_id === undefined) return fitRaw(output, bytes);
  const shown = cutAtLine(text, bytes);
  const shownStructured = structuredText === text ? shown : cutAtLine(structuredText, bytes);
  return {
    ...output,
    text: shown,
    structuredText: shownStructured,
    closing: output.closing ?? formatClosing(pruning.prune_id),
    pruning: { ...pruning, pruned_bytes: size(shownStructured) },
    rawCut: false,
    prunedCut: `[cut at ${bytes} bytes; recover_text gives ${whatIsLeft(output, shown, firstLine)}]`,
  };
}

function fitRaw({ pruning, text }: PrunedOutput, bytes: number): Fitted {
  const shown = capUtf8(text, bytes).text;
  const left = size(shown);
  const pruned = pruning.applied ? { pruned_bytes: left } : {};
  return { text: shown, structuredText: shown, pruning: { ...pruning, raw_bytes: left, ...pruned }, rawCut: true };
}

/** Whole lines as long as one fits: a marker must not be torn apart. */
function cutAtLine(text: string, bytes: number): string {
  const capped = capUtf8(text, bytes).text;
  return capped.slice(0, capped.lastIndexOf('\n') + 1) || capped;
}

function whatIsLeft({ kept, text, pruning }: PrunedOutput, shown: string, firstLine: number): string {
  if (pruning.aligned === false) return 'the raw output';
  const next = linesCovered(kept, countNewlines(shown));
  const all = kept?.length ?? countNewlines(text) + (text.endsWith('\n') ? 0 : 1);
  return `lines ${next + firstLine}-${all + firstLine - 1}`;
}

/** How many raw lines the first `rendered` lines of a pruned text stand for: each gap is one line there. */
export function linesCovered(kept: Uint8Array | undefined, rendered: number): number {
  if (kept === undefined) return rendered;
  let line = 0;
  for (let seen = 0; seen < rendered && line < kept.length; seen += 1) {
    if (kept[line] === 1) line += 1;
    else while (kept[line] === 0) line += 1;
  }
  return line;
}

export function countNewlines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** Bytes of UTF-8. */
export function size(text: string): number {
  return Buffer.byteLength(text);
}

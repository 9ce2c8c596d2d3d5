import { Lines } from '../split.ts';

// What a service puts in place of the lines it took away.
const FILLER = /^\(filtered (\d{1,9}) lines?(?:: (\d{1,9})-(\d{1,9}))?\)$/;
// Where Python's splitlines breaks a text and we do not; services number their lines that way.
const FOREIGN_BREAK = new RegExp(
  `[${['\r', '\v', '\f', '\x1c', '\x1d', '\x1e', '\x85', '\u2028', '\u2029'].join('')}]`,
);

export type Alignment = { readonly aligned: true; readonly kept: Uint8Array } | { readonly aligned: false };

/**
 * Finds which of the lines sent a service's text kept. The text must be those lines in their order, some left out;
 * filler lines are set aside. `keptFrags` (1-based) decides when it agrees with the text; otherwise the counts in the
 * filler lines do, and without either a repeated line is its first occurrence. A blank line that was merely dropped
 * between two kept neighbours counts as kept.
 */
export function align(sent: Lines, returned: string, keptFrags?: readonly number[]): Alignment {
  const lines = texts(sent);
  const items = withoutBlankEnd(texts(new Lines(returned)));
  const kept = matchUnits({ units: lines, items }, keptFrags);
  if (kept !== undefined) return { aligned: true, kept };
  if (!lines.some((line) => FOREIGN_BREAK.test(line))) return { aligned: false };
  const pieces = lines.map(splitFurther);
  const reading = { units: pieces.flat(), items: items.flatMap(splitFurther) };
  const keptPieces = matchUnits(reading, keptFrags);
  return keptPieces === undefined ? { aligned: false } : { aligned: true, kept: wholeLines(pieces, keptPieces) };
}

interface Reading {
  readonly units: readonly string[];
  readonly items: readonly string[];
}

/** The lines, blank ones all alike: services trim them. */
function texts(lines: Lines): string[] {
  return Array.from({ length: lines.length }, (_, index) => blankAsEmpty(lines.at(index)));
}

function splitFurther(line: string): string[] {
  return line.split(FOREIGN_BREAK).map(blankAsEmpty);
}

function blankAsEmpty(line: string): string {
  return line.trim() === '' ? '' : line;
}

function withoutBlankEnd(items: string[]): string[] {
  while (items.at(-1) === '') items.pop();
  return items;
}

function matchUnits(reading: Reading, keptFrags: readonly number[] | undefined): Uint8Array | undefined {
  const stated = keptFrags === undefined ? undefined : fragMask(keptFrags, reading.units.length);
  return (stated && followFrags(reading, stated)) ?? search(reading, true) ?? search(reading, false);
}

/** Undefined unless the numbers ascend within 1..length: a list that counts from 0 must not be taken for one from 1. */
function fragMask(frags: readonly number[], length: number): Uint8Array | undefined {
  const mask = new Uint8Array(length);
  let last = 0;
  for (const frag of frags) {
    if (!Number.isInteger(frag) || frag <= last || frag > length) return undefined;
    mask[frag - 1] = 1;
    last = frag;
  }
  return mask;
}

/**
 * The text follows the stated lines when each of them stands in it (blank ones may be missing) and any other line in it
 * continues its predecessor: services put very short gaps back without stating those lines.
 */
function followFrags({ units, items }: Reading, stated: Uint8Array): Uint8Array | undefined {
  const marksGaps = items.some((item) => FILLER.test(item));
  const kept = new Uint8Array(units.length);
  let at = 0;
  let gap = false;
  for (const item of items) {
    if (units[at] !== item && FILLER.test(item)) {
      gap = true;
      continue;
    }
    const blank = item === '';
    const from = at;
    const skips = gap || (!marksGaps && stated[at] === 0 && !(blank && units[at] === item));
    at = nextCandidate(units, from, { blank, stated: skips ? stated : undefined });
    if (units[at] !== item) return undefined;
    keepTo(kept, units, { from, at, gap });
    at += 1;
    gap = false;
  }
  if (!gap) keepTo(kept, units, { from: at, at: units.length, gap });
  const missed = stated.some((flag, index) => flag === 1 && kept[index] === 0 && units[index] !== '');
  return missed ? undefined : kept;
}

/** The next line that can be the wanted one: a stated one where some are, a blank one only when a blank is wanted. */
function nextCandidate(
  units: readonly string[],
  from: number,
  { blank, stated }: { blank: boolean; stated: Uint8Array | undefined },
): number {
  for (let at = from; at < units.length; at += 1) {
    if (stated?.[at] !== 0 && (blank || units[at] !== '')) return at;
  }
  return units.length;
}

/** The leftmost way to read the text as lines sent; with `hinted`, each filler first skips as many lines as it says. */
function search({ units, items }: Reading, hinted: boolean): Uint8Array | undefined {
  const kept = new Uint8Array(units.length);
  let at = 0;
  let hint = 0;
  let gap = false;
  for (const item of items) {
    // A line of the text itself may look like a filler: where that line is due, it is that line.
    const filler = units[hinted ? hint : at] === item ? null : FILLER.exec(item);
    if (filler !== null) {
      hint = Math.min(afterFiller(filler, hint), units.length);
      gap = true;
      continue;
    }
    const from = at;
    at = hinted ? hint : at;
    // Every step moves on for good, so the whole search reads each line once.
    while (at < units.length && units[at] !== item) at += 1;
    if (at === units.length) return undefined;
    keepTo(kept, units, { from, at, gap });
    at += 1;
    hint = at;
    gap = false;
  }
  if (!gap) keepTo(kept, units, { from: at, at: units.length, gap });
  return kept;
}

function afterFiller(filler: RegExpExecArray, at: number): number {
  const [count, first, last] = [Number(filler[1]), Number(filler[2]), Number(filler[3])];
  return last - first + 1 === count && last > at ? last : at + count;
}

/** Marks the line found, and the lines passed on the way to it when they are blank and no filler stands for them. */
function keepTo(kept: Uint8Array, units: readonly string[], step: { from: number; at: number; gap: boolean }): void {
  if (step.at < units.length) kept[step.at] = 1;
  if (step.gap) return;
  for (let index = step.from; index < step.at; index += 1) if (units[index] !== '') return;
  kept.fill(1, step.from, step.at);
}

/** A line of several pieces is kept whole when any piece that says something was. */
function wholeLines(pieces: readonly (readonly string[])[], keptPieces: Uint8Array): Uint8Array {
  const kept = new Uint8Array(pieces.length);
  let at = 0;
  for (const [index, line] of pieces.entries()) {
    const first = at;
    at += line.length;
    const blank = line.every((piece) => piece === '');
    kept[index] = line.some((piece, offset) => keptPieces[first + offset] === 1 && (blank || piece !== '')) ? 1 : 0;
  }
  return kept;
}

// Long enough that no word is as long, and a run of one kind of characters, so that it is read once.
const RUN = /[A-Za-z0-9+/=_-]{24,}/g;
const LEAST_BITS = 4;
const LEAST_CHANGES = 0.4;
const LEAST_DIGITS = 3;

/** Replaces what only a generator of random numbers writes, whatever stands around it. */
export function withoutRandom(text: string, replacement: string): string {
  return text.replace(RUN, (run) => (looksRandom(run) ? replacement : run));
}

/**
 * Whether a run of characters looks random: of high entropy, and changing between capitals, small letters and digits at
 * nearly every step. Names in code change once a word, and checksums know no capitals: both tell a reader something.
 */
export function looksRandom(run: string): boolean {
  const body = run.replace(/[+/=_-]+/g, '');
  if (body.length < 20 || run.length - body.length > run.length / 6) return false;
  if (!/[a-z]/.test(body) || !/[A-Z]/.test(body)) return false;
  if (body.replace(/\D+/g, '').length < LEAST_DIGITS) return false;
  return changesOf(body) / body.length >= LEAST_CHANGES && bitsOf(body) >= LEAST_BITS;
}

function changesOf(text: string): number {
  let changes = 0;
  for (let at = 1; at < text.length; at += 1) {
    if (kindOf(text.charCodeAt(at)) !== kindOf(text.charCodeAt(at - 1))) changes += 1;
  }
  return changes;
}

function kindOf(code: number): number {
  if (code <= 0x39) return 0;
  return code <= 0x5a ? 1 : 2;
}

/** Bits per character; a short run cannot reach what a long one can, so it is measured against its own length. */
function bitsOf(text: string): number {
  const counts = new Map<string, number>();
  const part = text.slice(0, 512);
  for (const character of part) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / part.length) * Math.log2(count / part.length);
  return bits + Math.max(0, Math.log2(32 / part.length));
}

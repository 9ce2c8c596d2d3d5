const RANDOM_BYTES = 16;
const LETTERS = 26;
const NUMBERS = 1000;
const GROUP = LETTERS * LETTERS * NUMBERS;
/** Groups that 128 bits take. */
const GROUPS = 7;
const LIMB = 65_536;

/**
 * `prn_` and 128 random bits: an id is a key to a text, so it must not be guessable. It stands in every marker, so it is
 * written in what tokenizers read as one token each: seven times two letters and three digits.
 */
export function newPruneId(randomBytes: (count: number) => Uint8Array): string {
  const limbs = limbsOf(randomBytes(RANDOM_BYTES));
  let id = '';
  for (let at = 0; at < GROUPS; at += 1) id += spelled(divide(limbs, GROUP));
  return `prn_${id}`;
}

/** A number of sixteen bits each, the highest first. */
function limbsOf(bytes: Uint8Array): number[] {
  return Array.from({ length: bytes.length / 2 }, (_, at) => ((bytes[2 * at] ?? 0) << 8) | (bytes[2 * at + 1] ?? 0));
}

/** Divides in place and gives the rest. */
function divide(limbs: number[], by: number): number {
  let rest = 0;
  for (let at = 0; at < limbs.length; at += 1) {
    const value = rest * LIMB + (limbs[at] ?? 0);
    limbs[at] = Math.floor(value / by);
    rest = value % by;
  }
  return rest;
}

function spelled(group: number): string {
  const letters = Math.floor(group / NUMBERS);
  const digits = String(group % NUMBERS).padStart(3, '0');
  return letter(Math.floor(letters / LETTERS)) + letter(letters % LETTERS) + digits;
}

function letter(index: number): string {
  return String.fromCharCode(97 + index);
}

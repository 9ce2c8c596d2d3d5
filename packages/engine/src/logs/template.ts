import type { TextList } from '../split.ts';

const LOOK_AT = 1000;

/** Lines grouped by template: the same line but for numbers, ids and times. */
export interface Templates {
  /** How often the line's template occurred before it. */
  readonly earlier: Uint32Array;
  /** How often it occurs in all. */
  readonly total: Uint32Array;
  /** A number that lines of one template share. */
  readonly key: Int32Array;
}

/** Protecting, judging and giving reasons all ask for the same text: it is looked through once. */
const known = new WeakMap<TextList, Templates>();

export function findTemplates(texts: TextList): Templates {
  const found = known.get(texts) ?? groupByTemplate(texts);
  known.set(texts, found);
  return found;
}

function groupByTemplate(texts: TextList): Templates {
  const earlier = new Uint32Array(texts.length);
  const total = new Uint32Array(texts.length);
  const key = new Int32Array(texts.length);
  const seen = new Map<number, number>();
  for (let index = 0; index < texts.length; index += 1) {
    const hash = templateHash(texts.at(index));
    key[index] = hash;
    earlier[index] = seen.get(hash) ?? 0;
    seen.set(hash, (earlier[index] ?? 0) + 1);
  }
  for (let index = 0; index < texts.length; index += 1) total[index] = seen.get(key[index] ?? 0) ?? 0;
  return { earlier, total, key };
}

/** A word with a digit in it is a value, and so is white space of any length: both hash as one unit. */
function templateHash(line: string): number {
  const end = Math.min(line.length, LOOK_AT);
  let hash = 0x811c9dc5;
  let at = 0;
  while (at < end) {
    const start = at;
    let hasDigit = false;
    for (; at < end; at += 1) {
      const unit = line.charCodeAt(at);
      if (unit >= 48 && unit <= 57) hasDigit = true;
      else if (!isWordUnit(unit)) break;
    }
    if (hasDigit) hash = mix(hash, 1);
    else for (let unit = start; unit < at; unit += 1) hash = mix(hash, line.charCodeAt(unit));
    if (at < end) hash = mix(hash, line.charCodeAt(at));
    at += 1;
  }
  return hash;
}

function mix(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x01000193) | 0;
}

function isWordUnit(unit: number): boolean {
  return (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90) || unit === 95 || unit > 127;
}

/** All names in the order of their numbers, and where each ends in it. */
export interface Joined {
  readonly text: string;
  readonly ends: Uint32Array;
}

/** A name has one of so many signs: it tells most names apart without looking at them. */
const SIGNS = 65_536;

/**
 * Different strings, each known by its number. They lie in one text, end to end: making and hashing a hundred thousand
 * strings takes longer than all the rest of a look at a project.
 */
export class Names {
  #joined: Joined | undefined;
  readonly #load: () => Joined;
  #signs: Uint16Array;

  /** As many names as signs, loaded when somebody asks for one. */
  constructor(signs: Uint16Array = new Uint16Array(0), load: () => Joined = none) {
    this.#signs = signs;
    this.#load = load;
  }

  static of(names: readonly string[]): Names {
    const made = new Names();
    made.#append(names);
    return made;
  }

  get length(): number {
    return this.#signs.length;
  }

  get signs(): Uint16Array {
    return this.#signs;
  }

  get joined(): Joined {
    return (this.#joined ??= this.#load());
  }

  nameOf(number: number): string {
    const { text, ends } = this.joined;
    return text.slice(number === 0 ? 0 : ends[number - 1], ends[number]);
  }

  /** The numbers of those that have one. */
  find(wanted: Iterable<string>): Map<string, number> {
    const names = new Set(wanted);
    const found = new Map<string, number>();
    if (names.size === 0) return found;
    const isWanted = new Uint8Array(SIGNS);
    for (const name of names) isWanted[signOf(name)] = 1;
    const signs = this.#signs;
    for (let number = 0; number < signs.length; number += 1) {
      if (isWanted[signs[number] as number] === 0) continue;
      const name = this.nameOf(number);
      if (names.has(name)) found.set(name, number);
    }
    return found;
  }

  /** The numbers of all of them: those without one get the next. */
  numbersOf(wanted: Iterable<string>): ReadonlyMap<string, number> {
    const names = new Set(wanted);
    const numbers = this.find(names);
    const added: string[] = [];
    for (const name of names) {
      if (numbers.has(name)) continue;
      numbers.set(name, this.length + added.length);
      added.push(name);
    }
    this.#append(added);
    return numbers;
  }

  #append(added: readonly string[]): void {
    if (added.length === 0) return;
    const { text, ends: before } = this.joined;
    const ends = new Uint32Array(before.length + added.length);
    const signs = new Uint16Array(ends.length);
    ends.set(before);
    signs.set(this.#signs);
    let end = text.length;
    for (const [at, name] of added.entries()) {
      end += name.length;
      ends[before.length + at] = end;
      signs[before.length + at] = signOf(name);
    }
    this.#joined = { text: text + added.join(''), ends };
    this.#signs = signs;
  }
}

function none(): Joined {
  return { text: '', ends: new Uint32Array(0) };
}

/** Stored in digests: it cannot change without their format. */
function signOf(name: string): number {
  let sign = name.length;
  for (let at = 0; at < name.length; at += 1) sign = Math.imul(sign ^ name.charCodeAt(at), 0x0100_0193);
  return ((sign >>> 16) ^ sign) & (SIGNS - 1);
}

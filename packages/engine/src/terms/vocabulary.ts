// Places terms in the table by a number nobody can know beforehand: words chosen to crowd one place would otherwise make
// the search through them quadratic. It moves terms about, and never changes which number a term gets.
const PLACING = Math.floor(Math.random() * 2 ** 32) | 1;

/**
 * Gives each distinct term a small number. Terms are known by their 32-bit hash alone: no string is kept, so the
 * cost is bounded by the text, and two terms that collide are merely scored as one.
 */
export class Vocabulary {
  size = 0;
  #hashes = new Int32Array(1024);
  #ids = new Int32Array(1024).fill(-1);
  /** Leaves as many high bits as the table has places for. */
  #shift = 22;

  intern(hash: number): number {
    const slot = this.#slot(hash);
    const found = this.#ids[slot] ?? -1;
    if (found !== -1) return found;
    const id = this.size++;
    this.#hashes[slot] = hash;
    this.#ids[slot] = id;
    if (this.size * 2 > this.#ids.length) this.#grow();
    return id;
  }

  /** The term's number, or -1. */
  find(hash: number): number {
    return this.#ids[this.#slot(hash)] ?? -1;
  }

  #slot(hash: number): number {
    const mask = this.#ids.length - 1;
    let slot = Math.imul(hash, PLACING) >>> this.#shift;
    while (this.#ids[slot] !== -1 && this.#hashes[slot] !== hash) slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    const hashes = this.#hashes;
    const ids = this.#ids;
    this.#hashes = new Int32Array(ids.length * 2);
    this.#ids = new Int32Array(ids.length * 2).fill(-1);
    this.#shift -= 1;
    for (let slot = 0; slot < ids.length; slot += 1) {
      if (ids[slot] === -1) continue;
      const fresh = this.#slot(hashes[slot] ?? 0);
      this.#hashes[fresh] = hashes[slot] ?? 0;
      this.#ids[fresh] = ids[slot] ?? -1;
    }
  }
}

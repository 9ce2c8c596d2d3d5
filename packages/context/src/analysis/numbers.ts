/** Numbers in as little memory as keeps every one of them exact: fresh memory is dear, and there are many columns. */
export type Numbers = Uint8Array | Uint16Array | Uint32Array | Float64Array;

export type Width = 1 | 2 | 4 | 8;

const KINDS = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array, 8: Float64Array } as const;

export function newNumbers(width: Width, length: number): Numbers {
  return new KINDS[width](length);
}

/** As many as the bytes hold, which begin where numbers of this width may begin. */
export function viewNumbers(width: Width, { buffer, byteOffset, byteLength }: Uint8Array): Numbers {
  return new KINDS[width](buffer as ArrayBuffer, byteOffset, byteLength / width);
}

export function widthOf(numbers: Numbers): Width {
  return numbers.BYTES_PER_ELEMENT as Width;
}

/** So many numbers, as the function says. */
export function numbersFrom(length: number, read: (at: number) => number): Numbers {
  const values = new Float64Array(length);
  let most = 0;
  let isWhole = true;
  for (let at = 0; at < length; at += 1) {
    const value = read(at);
    values[at] = value;
    isWhole &&= isCount(value);
    if (value > most) most = value;
  }
  const width = isWhole ? widthFor(most) : 8;
  if (width === 8) return values;
  const numbers = newNumbers(width, length);
  numbers.set(values);
  return numbers;
}

/** The same numbers with another at one place: the given ones, where they can hold it. */
export function withNumber(numbers: Numbers, at: number, value: number): Numbers {
  const fits = widthOf(numbers) === 8 || (isCount(value) && widthFor(value) <= widthOf(numbers));
  const changed = fits ? numbers : Float64Array.from(numbers);
  changed[at] = value;
  return changed;
}

/** All of them by so much more. */
export function increased(numbers: Numbers, by: number): Numbers {
  if (numbers instanceof Uint8Array && by <= 0xff) return increasedBytes(numbers, by);
  let most = 0;
  for (let at = 0; at < numbers.length; at += 1) most = Math.max(most, numbers[at] as number);
  const sums = widthFor(most + by) <= widthOf(numbers) ? numbers.slice() : Float64Array.from(numbers);
  for (let at = 0; at < sums.length; at += 1) sums[at] = (sums[at] as number) + by;
  return sums;
}

/** Four at a time: a process that has just begun takes long for a hundred thousand steps, however small. */
function increasedBytes(bytes: Uint8Array, by: number): Numbers {
  const sums = new Uint8Array(Math.ceil(bytes.length / 4) * 4);
  sums.set(bytes);
  const words = new Uint32Array(sums.buffer);
  let bits = 0;
  for (let at = 0; at < words.length; at += 1) bits |= words[at] as number;
  // No byte has a bit that this one lacks, so none is larger.
  const most = (bits | (bits >>> 8) | (bits >>> 16) | (bits >>> 24)) & 0xff;
  if (most + by > 0xff) return Float64Array.from(bytes, (byte) => byte + by);
  const each = by * 0x0101_0101;
  for (let at = 0; at < words.length; at += 1) words[at] = (words[at] as number) + each;
  return sums.subarray(0, bytes.length);
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0 && !Object.is(value, -0);
}

function widthFor(most: number): Width {
  return most <= 0xff ? 1 : most <= 0xffff ? 2 : most <= 0xffff_ffff ? 4 : 8;
}

/** Mean of each value with its `radius` neighbours on both sides, in one pass. */
export function boxMean(values: Float32Array, radius: number): Float32Array {
  const out = new Float32Array(values.length);
  let sum = 0;
  for (let at = 0; at < Math.min(radius, values.length); at += 1) sum += values[at] ?? 0;
  for (let at = 0; at < values.length; at += 1) {
    if (at + radius < values.length) sum += values[at + radius] ?? 0;
    if (at - radius - 1 >= 0) sum -= values[at - radius - 1] ?? 0;
    const first = Math.max(0, at - radius);
    const last = Math.min(values.length - 1, at + radius);
    out[at] = Math.max(0, sum / (last - first + 1));
  }
  return out;
}

/** Largest of each value and its decayed neighbours: near a match, but fading with distance. */
export function decayingMax(values: Float32Array, decay: number): Float32Array {
  const out = Float32Array.from(values);
  for (let at = 1; at < out.length; at += 1) out[at] = Math.max(out[at] ?? 0, (out[at - 1] ?? 0) * decay);
  for (let at = out.length - 2; at >= 0; at -= 1) out[at] = Math.max(out[at] ?? 0, (out[at + 1] ?? 0) * decay);
  return out;
}

/** A column that is another one times a number: it needs no room of its own. */
export interface Scaled {
  readonly values: Float32Array;
  readonly scale: number;
}

/** Values over their largest, so that texts of any kind compare. */
export function relative(values: Float32Array): Scaled {
  let largest = 0;
  for (const value of values) if (value > largest) largest = value;
  return { values, scale: largest === 0 ? 0 : 1 / largest };
}

/** Mean of each value with its `radius` neighbours on both sides, in one pass. `out` is another array than `values`. */
export function boxMean(values: Float32Array, radius: number, out: Float32Array): Float32Array {
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

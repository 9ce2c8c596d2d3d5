/** Enough for some hundred ids. */
const POOL_BYTES = 8192;

/** Asks `source` for many bytes at a time: one call costs as much as thousands of bytes. No byte is given out twice. */
export function pooledRandomBytes(source: (count: number) => Uint8Array): (count: number) => Uint8Array {
  let pool = new Uint8Array(0);
  let used = 0;
  return (count) => {
    if (count > POOL_BYTES) return source(count);
    if (used + count > pool.length) {
      // Copied: the slices of some buffers are views.
      pool = new Uint8Array(source(POOL_BYTES));
      used = 0;
    }
    const given = pool.slice(used, used + count);
    pool.fill(0, used, used + count);
    used += count;
    return given;
  };
}

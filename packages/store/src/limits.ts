/** How much a recovery store keeps, and for how long. */
export interface StoreLimits {
  /** How long a text stays recoverable after it was put, as decided by the store that put it. */
  readonly ttlMs: number;
  /** The most bytes all kept texts may take together; the oldest go first. Bounds their number too (see bounds.ts). */
  readonly maxBytes: number;
  /**
   * Texts of different quotas never push each other out; each quota has `maxBytes` of its own. The empty one when absent.
   * What is in the memory of one process has one quota and no neighbours.
   */
  readonly quota?: string;
}

/** One text may take 64 MiB, the most that is captured of a command: several of them fit. */
export const DEFAULT_STORE_LIMITS: StoreLimits = { ttlMs: 24 * 3600 * 1000, maxBytes: 256 * 1024 * 1024 };

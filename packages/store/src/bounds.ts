import { EngineError } from '@jeeves/engine';
import type { StoreLimits } from './limits.ts';

/**
 * The most texts a store keeps, whatever their size: a flood of tiny texts costs more in bookkeeping than in bytes.
 * The oldest go first, as with bytes.
 */
export function maxEntries(limits: StoreLimits): number {
  return Math.max(1024, Math.floor(limits.maxBytes / 1024));
}

/** Refuses a text that no eviction could make room for. */
export function assertFits(bytes: number, limits: StoreLimits): void {
  if (bytes <= limits.maxBytes) return;
  throw new EngineError('store_failed', `A text of ${bytes} bytes does not fit a store of ${limits.maxBytes} bytes.`, {
    data: { bytes, maxBytes: limits.maxBytes },
  });
}

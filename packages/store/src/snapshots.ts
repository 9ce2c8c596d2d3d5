import { EngineError } from '@jeeves/engine';
import type { SegmentCount, SegmentMeta } from './segments.ts';

export function snapshotTaken(snapshotId: string): EngineError {
  return new EngineError('store_failed', 'A snapshot with this id exists already; choose another id.', {
    data: { snapshotId },
  });
}

export function totalsOf(segments: readonly SegmentMeta[]): SegmentCount {
  return { segments: segments.length, tokens: segments.reduce((sum, { tokens }) => sum + tokens, 0) };
}

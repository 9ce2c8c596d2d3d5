import { afterEach } from 'vitest';
import type { SegmentDraft, SegmentMeta, SegmentStore, SegmentWrite } from '../src/segments.ts';
import type { Stores } from '../src/stores.ts';
import type { Harness } from './harness.ts';

/** Opens stores that hold some segments of the project `p`, and closes them after each test. */
export function segmentOpener(harness: Harness): (...segments: SegmentDraft[]) => Promise<SegmentStore> {
  const opened: Stores[] = [];
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((stores) => stores.close()));
    harness.clean();
  });
  return async (...segments) => {
    const stores = await harness.open(await harness.place());
    opened.push(stores);
    if (segments.length > 0) await stores.segments.write('p', segments.map(add));
    return stores.segments;
  };
}

export function add(segment: SegmentDraft): SegmentWrite {
  return { kind: 'add', segment };
}

/** What a list says of a segment that was written. */
export function metaOf(draft: SegmentDraft, projectId = 'p'): SegmentMeta {
  return { projectId, ...Object.fromEntries(Object.entries(draft).filter(([name]) => name !== 'text')) } as SegmentMeta;
}

export function textOfDraft({ segmentId, text }: SegmentDraft): [string, string] {
  return [segmentId, text];
}

export function ids(matches: readonly { readonly segment: SegmentMeta }[]): string[] {
  return matches.map(({ segment }) => segment.segmentId);
}

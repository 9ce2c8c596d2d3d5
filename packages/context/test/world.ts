import { type Context, createContext, type DescribedSegment, type Descriptors } from '@jeeves/context';
import { createEmbeddedBackend, EngineError } from '@jeeves/engine';
import { createMemoryStores, type SegmentMeta, type SegmentStore, type Stores } from '@jeeves/store';

export const HOUR = 3_600_000;

/** A library on a store, and a clock that a test moves. */
export interface Site {
  readonly context: Context;
  readonly stores: Stores;
  now: number;
  /** What is stored of a segment. */
  readonly meta: (id: string, project?: string) => Promise<SegmentMeta | undefined>;
  readonly text: (id: string, project?: string) => Promise<string | undefined>;
}

export function openSite(stores: Stores = createMemoryStores()): Site {
  let ids = 0;
  const site: Site = {
    now: Date.parse('2026-03-02T10:00:20Z'),
    stores,
    context: createContext({
      store: stores.segments,
      recovery: stores.recovery,
      backend: createEmbeddedBackend(),
      now: () => site.now,
      newSnapshotId: () => `snap-${(ids += 1)}`,
      newPruneId: () => `prn-${(ids += 1)}`,
    }),
    meta: async (id, project = 'shop') => (await stores.segments.list(project, { ids: [id] }))[0],
    text: async (id, project = 'shop') => (await stores.segments.texts(project, [id])).get(id),
  };
  return site;
}

export function described(
  segments: readonly Partial<DescribedSegment>[],
  more: Partial<Descriptors> = {},
): Descriptors {
  return {
    messages: [],
    usage: { current: 25_000, limit: 32_000 },
    segments: segments.map((segment, at) => ({
      id: `s${at}`,
      type: 'log',
      preview: `preview of ${segment.id ?? `s${at}`}`,
      tokens: 100,
      tags: [],
      ...segment,
    })),
    ...more,
  };
}

/** The same stores, one method of which fails. */
export function withBroken(stores: Stores, method: keyof SegmentStore): Stores {
  const segments = new Proxy(stores.segments, {
    get: (store, name) => {
      if (name === method) return () => Promise.reject(new EngineError('store_failed', 'the disk is full'));
      const value: unknown = Reflect.get(store, name);
      return typeof value === 'function' ? value.bind(store) : value;
    },
  });
  return { ...stores, segments };
}

import type { ProjectState, SegmentMeta, SegmentStore } from '@jeeves/engine';
import type { Item } from './analysis/item.ts';
import { Contents } from './analysis/window.ts';
import { itemOf } from './record.ts';

/** A project as this process knows it, true as of its state. */
export interface KnownProject {
  readonly state: ProjectState;
  /** The working segments, by id. */
  readonly working: ReadonlyMap<string, Item>;
  /** The same in order, with what follows from them. */
  readonly contents: Contents;
}

interface Memory {
  revision: number;
  collections: number;
  readonly working: Map<string, Item>;
  /** Until something changes. */
  contents?: Contents | undefined;
}

/** Projects whose working segments are kept at hand; the ones used longest ago are read again when needed. */
const MOST_PROJECTS = 16;

/**
 * Keeps the metadata of working segments in memory. Whoever asks pays for one look at the project's revision, and then
 * only for what any process has changed since.
 */
export class Remembered {
  readonly #store: SegmentStore;
  readonly #memories = new Map<string, Promise<Memory>>();

  constructor(store: SegmentStore) {
    this.#store = store;
  }

  async project(projectId: string): Promise<KnownProject> {
    const state = await this.#store.project(projectId);
    // One after the other: two readers at once would both bring the same memory up to date.
    const before = this.#memories.get(projectId);
    const refreshed = this.#refreshed(projectId, state, before);
    this.#memories.delete(projectId);
    this.#memories.set(projectId, refreshed);
    this.#forgetOldest();
    try {
      const memory = await refreshed;
      memory.contents ??= new Contents([...memory.working.values()]);
      return { state, working: memory.working, contents: memory.contents };
    } catch (error) {
      if (this.#memories.get(projectId) === refreshed) this.#memories.delete(projectId);
      throw error;
    }
  }

  async #refreshed(projectId: string, state: ProjectState, before: Promise<Memory> | undefined): Promise<Memory> {
    const memory = await before?.catch(() => undefined);
    if (memory === undefined || memory.revision < state.renewedAt) return await this.#read(projectId, state);
    growOlder(memory, state.collections);
    if (memory.revision >= state.revision) return memory;
    const changed = await this.#store.list(projectId, { changedAfter: memory.revision });
    for (const meta of changed) place(meta, memory);
    memory.revision = state.revision;
    return memory;
  }

  async #read(projectId: string, { revision, collections }: ProjectState): Promise<Memory> {
    const working = new Map<string, Item>();
    for (const meta of await this.#store.list(projectId, { tier: 'working' }))
      working.set(meta.segmentId, itemOf(meta));
    return { revision, collections, working };
  }

  #forgetOldest(): void {
    for (const projectId of this.#memories.keys()) {
      if (this.#memories.size <= MOST_PROJECTS) return;
      this.#memories.delete(projectId);
    }
  }
}

/** Whoever is remembered has survived the collections since. Nothing else follows from it, so the contents stand. */
function growOlder(memory: Memory, collections: number): void {
  const since = collections - memory.collections;
  if (since <= 0) return;
  // In place: a hundred thousand copies would cost more than the rest of an analysis.
  for (const item of memory.working.values()) (item as Aging).survivals += since;
  memory.collections = collections;
}

interface Aging {
  survivals: number;
}

/** What happens to the stash does not change the contents, and a pin little of them. */
function place(meta: SegmentMeta, memory: Memory): void {
  const { working } = memory;
  const before = working.get(meta.segmentId);
  if (meta.tier === 'stashed') {
    if (working.delete(meta.segmentId)) memory.contents = undefined;
    return;
  }
  const after = itemOf(meta);
  if (before !== undefined && essence(before) === essence(after)) {
    Object.assign(before, after);
    memory.contents?.recount();
    return;
  }
  working.set(meta.segmentId, after);
  memory.contents = undefined;
}

/** All of an item but what may change without moving it or changing what refers to what. */
function essence({ pinned: _pinned, touchedAt: _touchedAt, survivals: _survivals, ...rest }: Item): string {
  return JSON.stringify(rest);
}

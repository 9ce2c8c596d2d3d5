import { setImmediate as otherWork } from 'node:timers/promises';
import type { ProjectState, SegmentStore } from '@jeeves/engine';
import { columnsOf } from './analysis/columns.ts';
import type { Contents } from './analysis/window.ts';
import { decodeDigest } from './digest/decode.ts';
import { encodeDigest } from './digest/encode.ts';
import { itemOf } from './record.ts';
import { WorkingSet } from './working-set.ts';

/** A project as this process knows it, true as of its state. */
export interface KnownProject {
  readonly state: ProjectState;
  /** The working segments, with what follows from them. */
  readonly contents: Contents;
}

interface Memory {
  revision: number;
  collections: number;
  readonly working: WorkingSet;
  /** How many segments have changed since the project's digest. */
  changed: number;
}

/** Projects whose working segments are kept at hand; the ones used longest ago are read again when needed. */
const MOST_PROJECTS = 16;
/** Fewer segments are read as fast as their digest would be. */
const WORTH_A_DIGEST = 2000;
/** A digest is written again after so many changes, and so large a share of all. */
const CHANGES = 1000;
const CHANGED_SHARE = 0.01;

/**
 * Keeps the metadata of working segments in memory. Whoever asks pays for one look at the project's revision, and then
 * only for what any process has changed since. Who comes first begins with the digest that an earlier process left in
 * the store, if there is one.
 */
export class Remembered {
  readonly #store: SegmentStore;
  readonly #memories = new Map<string, Promise<Memory>>();
  readonly #leaving = new Map<string, Promise<void>>();

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
      const { working } = await refreshed;
      return { state, contents: working.contents };
    } catch (error) {
      if (this.#memories.get(projectId) === refreshed) this.#memories.delete(projectId);
      throw error;
    }
  }

  /** Leaves a digest for the next process where that pays. To be called when the answer is ready: it goes out first. */
  leaveDigest(projectId: string): void {
    if (this.#leaving.has(projectId)) return;
    const leaving = this.#leave(projectId).finally(() => this.#leaving.delete(projectId));
    this.#leaving.set(projectId, leaving);
  }

  /** Resolves once no digest is under way. */
  async settled(): Promise<void> {
    await Promise.all(this.#leaving.values());
  }

  async #refreshed(projectId: string, state: ProjectState, before: Promise<Memory> | undefined): Promise<Memory> {
    const known = await before?.catch(() => undefined);
    const isStale = known === undefined || known.revision < state.renewedAt;
    const memory = isStale ? await this.#recall(projectId, state) : known;
    if (memory === undefined) return await this.#read(projectId, state);
    const since = state.collections - memory.collections;
    if (since > 0) {
      memory.working.growOlder(since);
      memory.collections = state.collections;
    }
    if (memory.revision >= state.revision) return memory;
    const metas = await this.#store.list(projectId, { changedAfter: memory.revision });
    const { collections, ...after } = await this.#store.project(projectId);
    // What is read while a collection is recorded has survived it or not: who can tell?
    if (collections !== state.collections) {
      return await this.#refreshed(projectId, { ...after, collections }, Promise.resolve(memory));
    }
    memory.working.apply(metas);
    memory.changed += metas.length;
    memory.revision = state.revision;
    return memory;
  }

  /** What an earlier process left. Whatever is wrong with it costs time, and nothing else. */
  async #recall(projectId: string, { renewedAt }: ProjectState): Promise<Memory | undefined> {
    try {
      const digest = await this.#store.digest(projectId);
      if (digest === undefined || digest.revision < renewedAt) return undefined;
      const { columns, collections } = decodeDigest(digest.bytes) ?? {};
      if (columns === undefined || collections === undefined) return undefined;
      return { revision: digest.revision, collections, working: new WorkingSet(columns), changed: 0 };
    } catch {
      return undefined;
    }
  }

  async #read(projectId: string, state: ProjectState): Promise<Memory> {
    const metas = await this.#store.list(projectId, { tier: 'working' });
    const after = await this.#store.project(projectId);
    if (after.collections !== state.collections) return await this.#read(projectId, after);
    const { revision, collections } = state;
    const working = new WorkingSet(columnsOf(metas.map(itemOf)));
    return { revision, collections, working, changed: metas.length };
  }

  async #leave(projectId: string): Promise<void> {
    await otherWork();
    try {
      const memory = await this.#memories.get(projectId);
      if (memory === undefined || !isWorthADigest(memory)) return;
      // A digest that cannot be kept is not tried again with every call.
      memory.changed = 0;
      const { revision, collections, working } = memory;
      const bytes = encodeDigest(working.compact(), collections);
      await this.#store.keepDigest(projectId, { revision, bytes });
    } catch {
      // The next process reads the segments themselves.
    }
  }

  #forgetOldest(): void {
    for (const projectId of this.#memories.keys()) {
      if (this.#memories.size <= MOST_PROJECTS) return;
      this.#memories.delete(projectId);
    }
  }
}

function isWorthADigest({ working, changed }: Memory): boolean {
  const { length } = working.contents.columns;
  return length > WORTH_A_DIGEST && changed >= Math.max(CHANGES, CHANGED_SHARE * length);
}

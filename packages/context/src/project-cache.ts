import type { ProjectState, SegmentMeta, SegmentStore } from '@jeeves/store';
import { type Item, inOrder } from './analysis/item.ts';
import { enteredAt, itemOf } from './record.ts';

/** The working segments of a project, true as of its state. */
export interface WorkingProject {
  readonly state: ProjectState;
  readonly metas: readonly SegmentMeta[];
  /** The same segments as analysis sees them, in the order of the window. */
  readonly items: readonly Item[];
}

/** The projects used longest ago are read again when needed. */
const MOST_PROJECTS = 16;

/**
 * Keeps the metadata of working segments by the revision of their project, so that a call costs one look at the revision
 * and a read of what any process has changed since.
 */
export class ProjectCache {
  readonly #store: SegmentStore;
  readonly #projects = new Map<string, WorkingProject>();

  constructor(store: SegmentStore) {
    this.#store = store;
  }

  async read(projectId: string): Promise<WorkingProject> {
    const state = await this.#store.project(projectId);
    const known = this.#projects.get(projectId);
    const project =
      known === undefined ? await this.#readAll(projectId, state) : await this.#updated(known, state, projectId);
    this.#projects.delete(projectId);
    this.#projects.set(projectId, project);
    for (const oldest of this.#projects.keys()) {
      if (this.#projects.size <= MOST_PROJECTS) break;
      this.#projects.delete(oldest);
    }
    return project;
  }

  async #readAll(projectId: string, state: ProjectState): Promise<WorkingProject> {
    return projectOf(state, await this.#store.list(projectId, { tier: 'working' }));
  }

  async #updated(known: WorkingProject, state: ProjectState, projectId: string): Promise<WorkingProject> {
    const { revision, collections } = known.state;
    // Removed segments are in no list of changes, and a collection changes every segment.
    if (revision < state.renewedAt || collections !== state.collections) return await this.#readAll(projectId, state);
    if (revision === state.revision) return { ...known, state };
    const metas = new Map(known.metas.map((meta) => [meta.segmentId, meta]));
    for (const meta of await this.#store.list(projectId, { changedAfter: revision })) {
      const before = metas.get(meta.segmentId);
      // What enters the window anew comes after what stands there, as it does for whoever reads all of it.
      const stays = meta.tier === 'working' && before !== undefined && enteredAt(before) === enteredAt(meta);
      if (!stays) metas.delete(meta.segmentId);
      if (meta.tier === 'working') metas.set(meta.segmentId, meta);
    }
    return projectOf(state, [...metas.values()]);
  }
}

/**
 * The segments may be newer than the state, which was read first: the next call then finds a later revision, and reads
 * what it stands for once more.
 */
function projectOf(state: ProjectState, metas: readonly SegmentMeta[]): WorkingProject {
  return { state, metas, items: inOrder(metas.map(itemOf)) };
}

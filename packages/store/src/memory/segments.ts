import { EngineError } from '@jeeves/engine';
import { LOOKUP_CAP, type Lookup, searchCandidates, toMatches } from '../search.ts';
import type {
  ProjectState,
  ProjectSummary,
  SegmentFilter,
  SegmentMatches,
  SegmentMeta,
  SegmentPage,
  SegmentPageResult,
  SegmentSearch,
  SegmentStore,
  SegmentTotals,
  SegmentWrite,
  Snapshot,
  SnapshotDraft,
  SnapshotInfo,
  WriteOutcome,
} from '../segments.ts';
import { type Held, MemoryProject } from './project.ts';

/** Keeps segments in this process only: nothing survives it. */
export function createMemorySegmentStore(): SegmentStore {
  return new MemorySegments();
}

class MemorySegments implements SegmentStore {
  readonly url = 'memory:';
  readonly #projects = new Map<string, MemoryProject>();
  /** Numbers segments in the order in which they were added. */
  #added = 0;
  #closed = false;

  async projects(): Promise<ProjectSummary[]> {
    const used = [...this.#all().values()].filter((project) => project.isUsed());
    return used.map((project) => project.summary()).sort((a, b) => (a.projectId < b.projectId ? -1 : 1));
  }

  async project(projectId: string): Promise<ProjectState> {
    return this.#of(projectId).state();
  }

  async setCurrentTask(projectId: string, taskId: string | undefined): Promise<string | undefined> {
    const project = this.#of(projectId);
    const previous = project.currentTask;
    project.currentTask = taskId;
    return previous;
  }

  async write(projectId: string, writes: readonly SegmentWrite[]): Promise<WriteOutcome[]> {
    return this.#of(projectId).write(writes, () => ++this.#added);
  }

  async recordCollection(projectId: string, oldAfter: number): Promise<void> {
    this.#of(projectId).recordCollection(oldAfter);
  }

  async totals(projectId: string, filter: SegmentFilter = {}): Promise<SegmentTotals> {
    return this.#of(projectId).totals(filter);
  }

  async list(projectId: string | undefined, filter: SegmentFilter = {}): Promise<SegmentMeta[]> {
    return this.#held(projectId, filter)
      .sort((a, b) => a.seq - b.seq)
      .map(({ meta }) => meta);
  }

  async texts(projectId: string, segmentIds: readonly string[]): Promise<Map<string, string>> {
    const ids = segmentIds.length === 0 ? [] : this.#of(projectId).select({ ids: segmentIds });
    return new Map(ids.map(({ meta, text }) => [meta.segmentId, text]));
  }

  async search({ projectId, text, filter = {}, limit }: SegmentSearch): Promise<SegmentMatches> {
    const held = this.#held(projectId, filter).sort((a, b) => b.seq - a.seq);
    const search = searchCandidates(text, held.length);
    let step = search.next();
    while (step.done !== true) {
      step = search.next(step.value.map((lookup) => lookUp(held, lookup)));
    }
    return toMatches(step.value, new Map(held.map(({ seq, meta }) => [seq, meta])), limit);
  }

  async newest({ projectId, filter = {}, limit }: SegmentPage): Promise<SegmentPageResult> {
    const all = this.#held(projectId, filter);
    const newest = all.sort((a, b) => b.meta.createdAt - a.meta.createdAt || b.seq - a.seq).slice(0, limit);
    return { segments: newest.map(({ meta }) => meta), found: all.length };
  }

  async createSnapshot(projectId: string, draft: SnapshotDraft, filter: SegmentFilter): Promise<SnapshotInfo> {
    return this.#of(projectId).createSnapshot(draft, filter);
  }

  async snapshots(projectId: string, taskId?: string): Promise<SnapshotInfo[]> {
    return this.#of(projectId).listSnapshots(taskId);
  }

  async snapshot(projectId: string, snapshotId: string): Promise<Snapshot | undefined> {
    return this.#of(projectId).snapshot(snapshotId);
  }

  async removeSnapshot(projectId: string, snapshotId: string): Promise<boolean> {
    return this.#of(projectId).removeSnapshot(snapshotId);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#projects.clear();
  }

  #held(projectId: string | undefined, filter: SegmentFilter): Held[] {
    if (projectId !== undefined) return this.#of(projectId).select(filter);
    return [...this.#all().values()].flatMap((project) => project.select(filter));
  }

  #of(projectId: string): MemoryProject {
    const projects = this.#all();
    const project = projects.get(projectId) ?? new MemoryProject(projectId);
    projects.set(projectId, project);
    return project;
  }

  #all(): Map<string, MemoryProject> {
    if (this.#closed) throw new EngineError('store_failed', 'The memory store is closed.');
    return this.#projects;
  }
}

function lookUp(newestFirst: readonly Held[], { all, any }: Lookup): number[] {
  return newestFirst
    .filter(({ words }) => all.every((word) => words.has(word)))
    .filter(({ words }) => any.length === 0 || any.some((word) => words.has(word)))
    .slice(0, LOOKUP_CAP)
    .map(({ seq }) => seq);
}

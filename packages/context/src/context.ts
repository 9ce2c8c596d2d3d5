import type { Backend, RecoveryStore } from '@jeeves/engine';
import type { ProjectSummary, SegmentMeta, SegmentStore, SnapshotInfo } from '@jeeves/store';
import { DEFAULT_PAYBACK_TURNS, DEFAULT_PRICES, type Prices } from './analysis/clearing.ts';
import {
  analyzeGarbage,
  analyzeUsage,
  type GarbageAnalysis,
  type GarbageRequest,
  type UsageAnalysis,
  type UsageRequest,
} from './operations/analyze.ts';
import type { Batch } from './operations/batch.ts';
import { type CollectRequest, collect, setPinned } from './operations/collect.ts';
import { refcounts } from './operations/refcounts.ts';
import { type Retrieved, type RetrieveRequest, retrieve } from './operations/retrieve.ts';
import { type Matches, type SearchRequest, search } from './operations/search.ts';
import type { Services } from './operations/services.ts';
import { type Stashed, type StashRequest, stash } from './operations/stash.ts';
import {
  createSnapshot,
  setTask,
  type TaskContext,
  type TaskContextRequest,
  type TaskRequest,
  taskContext,
  type WorkingSet,
  workingSet,
} from './operations/tasks.ts';
import { ProjectCache } from './project-cache.ts';

export interface ContextOptions {
  readonly store: SegmentStore;
  /** Where texts wait that were returned in part. */
  readonly recovery: RecoveryStore;
  /** Ranks what a search found, and prunes what is retrieved with a goal. */
  readonly backend: Backend;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly newSnapshotId: () => string;
  readonly newPruneId: () => string;
  /** What clearing is priced with. Defaults to `DEFAULT_PRICES`. */
  readonly prices?: Prices | undefined;
  /** A clearing that pays back later is not recommended while there is room. Defaults to `DEFAULT_PAYBACK_TURNS`. */
  readonly paybackTurns?: number | undefined;
  /** The size of a window nobody has told the size of. Defaults to 200,000. */
  readonly tokenLimit?: number | undefined;
}

/**
 * Knows what fills an agent's window, what can go, and gives it back later. It only advises: the window itself is the
 * platform's. Fails with a `ContextError` when a call is refused and with an `EngineError` when the store fails;
 * either way nothing was changed.
 */
export interface Context {
  analyzeUsage(request: UsageRequest): Promise<UsageAnalysis>;
  analyzeGarbage(request: GarbageRequest): Promise<GarbageAnalysis>;
  workingSet(request: TaskRequest & { readonly limit: number }): Promise<WorkingSet>;
  /** How many working segments refer to each of these, by name or by sharing its topic. */
  refcounts(metas: readonly SegmentMeta[]): Promise<ReadonlyMap<SegmentMeta, number>>;
  collect(request: CollectRequest): Promise<Batch>;
  setPinned(project: string, ids: readonly string[], pinned: boolean): Promise<Batch>;
  stash(request: StashRequest): Promise<Stashed>;
  search(request: SearchRequest): Promise<Matches>;
  retrieve(request: RetrieveRequest): Promise<Retrieved>;
  projects(): Promise<readonly ProjectSummary[]>;
  setTask(project: string, task: string | undefined): Promise<{ previous?: string | undefined; working: number }>;
  taskContext(request: TaskContextRequest): Promise<TaskContext>;
  createSnapshot(request: TaskRequest & { readonly name?: string | undefined }): Promise<SnapshotInfo>;
}

const TOKEN_LIMIT = 200_000;

export function createContext(options: ContextOptions): Context {
  const services: Services = {
    ...options,
    prices: options.prices ?? DEFAULT_PRICES,
    paybackTurns: options.paybackTurns ?? DEFAULT_PAYBACK_TURNS,
    tokenLimit: options.tokenLimit ?? TOKEN_LIMIT,
    projects: new ProjectCache(options.store),
  };
  return {
    analyzeUsage: (request) => analyzeUsage(services, request),
    analyzeGarbage: (request) => analyzeGarbage(services, request),
    workingSet: (request) => workingSet(services, request),
    refcounts: (metas) => refcounts(services, metas),
    collect: (request) => collect(services, request),
    setPinned: (project, ids, pinned) => setPinned(services, project, ids, pinned),
    stash: (request) => stash(services, request),
    search: (request) => search(services, request),
    retrieve: (request) => retrieve(services, request),
    projects: () => options.store.projects(),
    setTask: (project, task) => setTask(services, project, task),
    taskContext: (request) => taskContext(services, request),
    createSnapshot: (request) => createSnapshot(services, request),
  };
}

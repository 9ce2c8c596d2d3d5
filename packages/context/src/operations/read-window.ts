import type { SegmentMeta, SegmentWrite } from '@jeeves/store';
import { type Item, inOrder, inTask } from '../analysis/item.ts';
import { type Window, windowOf } from '../analysis/window.ts';
import { type Descriptors, describedItem, type Entry, entriesOf, type Tasks } from '../descriptors.ts';
import type { WorkingProject } from '../project-cache.ts';
import type { Services } from './services.ts';

export interface WindowRequest {
  readonly project: string;
  /** Absent: the working set as it is known. */
  readonly descriptors?: Descriptors | undefined;
  /** Limits the window to one task. */
  readonly task?: string | undefined;
}

/** What there is to analyse. */
export interface WindowReading {
  readonly window: Window;
  /** Described, though the stash has them: the platform can let go of these at once. */
  readonly stashedAlready: readonly string[];
  /** Why the descriptions could not be noted down; the analysis stands all the same. */
  readonly notRemembered?: string | undefined;
}

const MINUTE_MS = 60_000;

/**
 * The window as the platform describes it, with what this server holds in it beside. Descriptions of an earlier call
 * have no part in it: the same descriptors see the same window, whatever was described in between.
 */
export async function readWindow(
  services: Services,
  { project, descriptors, task }: WindowRequest,
): Promise<WindowReading> {
  const { state, items: known, unknown } = await knownTo(services, project, descriptors !== undefined);
  const exactly = services.now();
  const now = Math.floor(exactly / MINUTE_MS) * MINUTE_MS;
  const currentTask = descriptors?.task ?? state.currentTask;
  if (descriptors === undefined) {
    return { window: windowOf(inTask(known, task), { now, currentTask }), stashedAlready: [] };
  }
  const tasks: Tasks = { asked: task, current: currentTask };
  const entries = entriesOf(descriptors, tasks, exactly);
  const stored = unknown === undefined ? await storedOf(services, project, entries) : new Map<string, SegmentMeta>();
  const { items, stashedAlready } = seen(entries, stored, tasks);
  // After what is described, where both entered at the same moment.
  const all = inOrder([...items, ...known.filter(({ id, held }) => held && !entries.has(id))]);
  const { currentFile } = descriptors;
  const notRemembered = unknown ?? (await note(services, project, { entries, stored }));
  return { window: windowOf(inTask(all, task), { now, currentTask, currentFile }), stashedAlready, notRemembered };
}

interface Known extends Pick<WorkingProject, 'items'> {
  readonly state: Pick<WorkingProject['state'], 'currentTask'>;
  /** Why nothing is known of the project. */
  readonly unknown?: string | undefined;
}

/** A window that is described can be analysed where the store cannot be read. */
async function knownTo(services: Services, project: string, described: boolean): Promise<Known> {
  try {
    return await services.projects.read(project);
  } catch (error) {
    if (!described) throw error;
    return { state: {}, items: [], unknown: reasonOf(error) };
  }
}

type Stored = ReadonlyMap<string, SegmentMeta>;

async function storedOf(services: Services, project: string, entries: ReadonlyMap<string, Entry>): Promise<Stored> {
  if (entries.size === 0) return new Map();
  const metas = await services.store.list(project, { ids: [...entries.keys()] });
  return new Map(metas.map((meta) => [meta.segmentId, meta]));
}

interface Seen {
  readonly items: readonly Item[];
  readonly stashedAlready: readonly string[];
}

function seen(entries: ReadonlyMap<string, Entry>, stored: Stored, tasks: Tasks): Seen {
  const items: Item[] = [];
  const stashedAlready: string[] = [];
  for (const [id, entry] of entries) {
    const known = stored.get(id);
    if (known?.tier === 'stashed') stashedAlready.push(id);
    else items.push(describedItem(entry, known, tasks));
  }
  return { items, stashedAlready };
}

/** So that a segment can be stashed or pinned by its id later. Writes what is new, and nothing when told the same again. */
async function note(
  services: Services,
  project: string,
  { entries, stored }: { entries: ReadonlyMap<string, Entry>; stored: Stored },
): Promise<string | undefined> {
  const writes: SegmentWrite[] = [];
  for (const [segmentId, entry] of entries) {
    const { draft } = entry;
    const known = stored.get(segmentId);
    if (known === undefined) writes.push({ kind: 'add', segment: draft });
    else if (isOutdated(known, entry)) {
      const { text, textHash, tokens } = draft;
      const changes = { text, textHash, tokens };
      writes.push({ kind: 'change', segmentId, changes, onlyIf: { tier: 'working' } });
    }
  }
  if (writes.length === 0) return undefined;
  try {
    await services.store.write(project, writes);
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown reason';
}

/** A preview may be replaced by another, and an estimate by a count, while the segment is in the window. */
function isOutdated(known: SegmentMeta, { draft, counted }: Entry): boolean {
  if (known.tier === 'stashed') return false;
  if (known.textComplete) return counted && known.textHash === draft.textHash && known.tokens !== draft.tokens;
  return known.textHash !== draft.textHash || known.tokens !== draft.tokens;
}

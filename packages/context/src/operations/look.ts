import type { SegmentMeta, SegmentWrite } from '@jeeves/engine';
import { inTask, merge, selectWhere, withoutUnused } from '../analysis/arrange.ts';
import { type Columns, columnsOf, FLAGS } from '../analysis/columns.ts';
import type { Item } from '../analysis/item.ts';
import { numbersFrom } from '../analysis/numbers.ts';
import { Contents, type Window } from '../analysis/window.ts';
import { type Descriptors, describedItem, type Entry, entriesOf, type Tasks } from '../descriptors.ts';
import type { KnownProject } from '../remembered.ts';
import type { World } from './world.ts';

export interface LookRequest {
  readonly project: string;
  /** Absent: the working set as it is known. */
  readonly descriptors?: Descriptors | undefined;
  /** Limits the look to one task. */
  readonly task?: string | undefined;
}

/** What there is to analyse. */
export interface Look {
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
export async function look(world: World, { project, descriptors, task }: LookRequest): Promise<Look> {
  const { state, contents: known, unknown } = await knownTo(world, project, descriptors !== undefined);
  const exactly = world.now();
  const now = Math.floor(exactly / MINUTE_MS) * MINUTE_MS;
  const currentTask = descriptors?.task ?? state.currentTask;
  if (descriptors === undefined) {
    const contents = task === undefined ? known : new Contents(inTask(known.columns, task));
    return { window: { contents, now, currentTask }, stashedAlready: [] };
  }
  const tasks: Tasks = { asked: task, current: currentTask };
  const entries = entriesOf(descriptors, tasks, exactly);
  const stored = unknown === undefined ? await storedOf(world, project, entries) : new Map<string, SegmentMeta>();
  const { items, stashedAlready } = seen(entries, stored, tasks);
  const all = withHeld(items, known.columns, entries);
  const { currentFile } = descriptors;
  const notRemembered = unknown ?? (await note(world, project, { entries, stored }));
  const contents = new Contents(inTask(all, task));
  return { window: { contents, now, currentTask, currentFile }, stashedAlready, notRemembered };
}

interface Known extends Omit<KnownProject, 'state'> {
  readonly state: Pick<KnownProject['state'], 'currentTask'>;
  /** Why nothing is known of the project. */
  readonly unknown?: string | undefined;
}

/** A window that is described can be analysed where the store cannot be read. */
async function knownTo(world: World, project: string, described: boolean): Promise<Known> {
  try {
    return await world.remembered.project(project);
  } catch (error) {
    if (!described) throw error;
    return { state: {}, contents: new Contents(columnsOf([])), unknown: reasonOf(error) };
  }
}

/** What is described, and what this server holds besides. */
function withHeld(items: readonly Item[], known: Columns, entries: ReadonlyMap<string, Entry>): Columns {
  const { flags, id, names } = known;
  const held = selectWhere(
    known,
    (at) => ((flags[at] as number) & FLAGS.held) !== 0 && !entries.has(names.ids.nameOf(id[at] as number)),
  );
  if (held.length === 0) return columnsOf(items);
  const besides = withoutUnused(held);
  // After what is described, where both entered at the same moment.
  const rank = numbersFrom(besides.length, (at) => items.length + (besides.rank[at] as number));
  const later = { ...besides, rank };
  return merge(columnsOf(items, { names: later.names }), later);
}

type Stored = ReadonlyMap<string, SegmentMeta>;

async function storedOf(world: World, project: string, entries: ReadonlyMap<string, Entry>): Promise<Stored> {
  if (entries.size === 0) return new Map();
  const metas = await world.store.list(project, { ids: [...entries.keys()] });
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
  world: World,
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
    await world.store.write(project, writes);
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

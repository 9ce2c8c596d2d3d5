import type { SegmentMeta, SegmentWrite } from '@jeeves/store';
import type { Problem } from '../error.ts';
import { decodeFacts, encodeFacts } from '../record.ts';
import { metasOf } from './batch.ts';
import { type Filters, storeFilter } from './filters.ts';
import { meant, search } from './search.ts';
import type { Services } from './services.ts';
import { type Given, giveTexts, type TextLimits } from './texts.ts';

export interface RetrieveRequest extends TextLimits {
  readonly project: string;
  readonly ids?: readonly string[] | undefined;
  /** What the wanted segments are about. */
  readonly about?: string | undefined;
  readonly filters?: Filters | undefined;
  /** Also put what is given back into the working set. */
  readonly activate: boolean;
}

export interface Retrieved {
  readonly segments: readonly Given[];
  readonly moved: readonly string[];
  readonly found: number;
  readonly omitted: readonly string[];
  readonly problems: readonly Problem[];
}

/** The most segments that what they are about may give at once, and the most that a filter may give or name. */
const MOST_MEANT = 64;
const MOST_FILTERED = 1000;

/** Gives stashed segments back, whole or only the lines that serve a goal. */
export async function retrieve(services: Services, request: RetrieveRequest): Promise<Retrieved> {
  const { project, activate } = request;
  const { metas, found, problems } = await wanted(services, request);
  const { segments, omitted } = await giveTexts(services, metas, request);
  const given = segments.map(({ meta }) => meta);
  const touchedAt = services.now();
  if (given.length > 0) await touch(services, project, touches(given, activate, touchedAt), activate);
  return {
    segments: activate ? segments.map((each) => ({ ...each, meta: activated(each.meta, touchedAt) })) : segments,
    moved: activate ? given.map(({ segmentId }) => segmentId) : [],
    found,
    omitted,
    problems,
  };
}

/** What was only read is given even where nothing can be written, as on a full disk. */
async function touch(
  services: Services,
  project: string,
  writes: readonly SegmentWrite[],
  moves: boolean,
): Promise<void> {
  try {
    await services.store.write(project, writes);
  } catch (error) {
    if (moves) throw error;
  }
}

interface Wanted {
  readonly metas: readonly SegmentMeta[];
  readonly found: number;
  readonly problems: readonly Problem[];
}

async function wanted(services: Services, { project, ids, about, filters }: RetrieveRequest): Promise<Wanted> {
  const named = ids === undefined ? NONE : await byId(services, project, [...new Set(ids)]);
  if (ids !== undefined && about === undefined && filters === undefined) return named;
  const { chosen, matched } =
    about === undefined
      ? await filtered(services, project, filters)
      : await meantBy(services, { project, goal: about, filters });
  const known = new Set(named.metas.map(({ segmentId }) => segmentId));
  const metas = [...named.metas, ...chosen.filter(({ segmentId }) => !known.has(segmentId))];
  return { metas, found: Math.max(matched, metas.length), problems: named.problems };
}

interface Chosen {
  readonly chosen: readonly SegmentMeta[];
  readonly matched: number;
}

async function filtered(services: Services, project: string, filters: Filters | undefined): Promise<Chosen> {
  const filter = storeFilter(filters, 'stashed');
  const { segments, found } = await services.store.newest({ projectId: project, filter, limit: MOST_FILTERED });
  return { chosen: segments, matched: found };
}

async function meantBy(
  services: Services,
  request: { readonly project: string; readonly goal: string; readonly filters: Filters | undefined },
): Promise<Chosen> {
  return { chosen: meant(await search(services, { ...request, limit: MOST_MEANT })), matched: 0 };
}

const NONE: Wanted = { metas: [], found: 0, problems: [] };

async function byId(services: Services, project: string, ids: readonly string[]): Promise<Wanted> {
  const known = await metasOf(services, project, ids);
  const metas: SegmentMeta[] = [];
  const problems: Problem[] = [];
  for (const id of ids) {
    const meta = known.get(id);
    if (meta === undefined) problems.push({ id, code: 'not_found' });
    // What is in the working set already can be read as well: an agent that restarts has nothing else to read it from.
    else metas.push(meta);
  }
  return { metas, found: metas.length, problems };
}

/** Being read is being used; being put back means to belong to its task. */
function touches(metas: readonly SegmentMeta[], activate: boolean, touchedAt: number): SegmentWrite[] {
  return metas.map((meta) => ({
    kind: 'change',
    segmentId: meta.segmentId,
    changes: activate ? { tier: 'working', touchedAt, facts: heldFacts(meta) } : { touchedAt },
  }));
}

function activated(meta: SegmentMeta, touchedAt: number): SegmentMeta {
  return { ...meta, tier: 'working', touchedAt: Math.max(meta.touchedAt, touchedAt) };
}

export function heldFacts({ facts }: SegmentMeta): string {
  return encodeFacts({ ...decodeFacts(facts), assigned: true, held: true });
}

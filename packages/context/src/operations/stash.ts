import { estimateTokens } from '@jeeves/engine';
import { type SegmentMeta, type SegmentWrite } from '@jeeves/store';
import type { SegmentType } from '../analysis/item.ts';
import { hashOf } from '../hash.ts';
import { draftOf } from '../record.ts';
import { type Batch, batch, metasOf } from './batch.ts';
import { type Filters, storeFilter } from './filters.ts';
import { find, meant } from './search.ts';
import type { Services } from './services.ts';

export interface StashRequest {
  readonly project: string;
  readonly ids?: readonly string[] | undefined;
  readonly filters?: Filters | undefined;
  readonly goal?: string | undefined;
  /** Texts to stash as they are. */
  readonly segments?: readonly GivenSegment[] | undefined;
}

export interface GivenSegment {
  /** A segment known by this id gets its whole text; absent, the contents name it. */
  readonly id?: string | undefined;
  readonly text: string;
  /** As the platform counts them; absent, its earlier count stands, else they are estimated. */
  readonly tokens?: number | undefined;
  readonly type: SegmentType;
  readonly task?: string | undefined;
  readonly file?: string | undefined;
  readonly topic?: string | undefined;
  readonly tags: readonly string[];
}

export interface Stashed extends Batch {
  readonly matched: number;
}

/** Sets segments aside: those named, those that fit the filters and the goal, and those handed over. Pinned ones stay. */
export async function stash(services: Services, request: StashRequest): Promise<Stashed> {
  const { project, ids = [], segments = [] } = request;
  const given = new Map(segments.map((segment) => [segment.id ?? contentId(segment), segment]));
  const chosen = [...ids, ...(await chosenIds(services, request))].filter((id) => !given.has(id));
  const known = await metasOf(services, project, [...given.keys()]);
  const now = services.now();
  // One step for all: either everything that can be done is done, or nothing.
  const all = [...given.keys(), ...chosen];
  const moved = await batch(services, project, all, (id) => {
    const segment = given.get(id);
    return segment === undefined ? moveToStash(id, now) : handOver(id, segment, { known: known.get(id), now });
  });
  const metas = await metasOf(services, project, moved.done);
  return {
    ...moved,
    tokens: moved.done.reduce((sum, id) => sum + (metas.get(id)?.tokens ?? 0), 0),
    previews: moved.done.filter((id) => metas.get(id)?.textComplete === false),
    matched: new Set(all).size,
  };
}

function moveToStash(segmentId: string, touchedAt: number): SegmentWrite {
  return {
    kind: 'change',
    segmentId,
    changes: { tier: 'stashed', touchedAt },
    onlyIf: { tier: 'working', pinned: false },
  };
}

/** The most segments one goal may move. */
const MOST_MEANT = 64;

/** Of the whole project, whichever task is current: what is meant for one task is said by a filter. */
async function chosenIds(services: Services, { project, filters, goal }: StashRequest): Promise<string[]> {
  if (goal === undefined && filters === undefined) return [];
  const metas: readonly SegmentMeta[] =
    goal === undefined
      ? await services.store.list(project, storeFilter(filters, 'working'))
      : meant(await find(services, { project, goal, filters, limit: MOST_MEANT }, 'working'));
  return metas.map(({ segmentId }) => segmentId);
}

/** Sent twice, it is there once. A segment of that id gets the text, which may have been a preview so far. */
function handOver(
  id: string,
  segment: GivenSegment,
  { known, now }: { readonly known: SegmentMeta | undefined; readonly now: number },
): SegmentWrite {
  const draft = draftOf({
    ...(known === undefined ? segment : overlaid(segment, known)),
    id,
    tokens: tokensOf(segment, known),
    createdAt: now,
    textComplete: true,
    tier: 'stashed',
    assigned: true,
    held: true,
  });
  if (known === undefined) return { kind: 'add', segment: draft };
  const { text, textHash, tokens, taskId, file, topic, tags, references, facts = '' } = draft;
  const same = known.textComplete && known.textHash === textHash;
  const counted = segment.tokens === undefined ? {} : { tokens };
  const renewed = same ? counted : { text, textHash, tokens, textComplete: true };
  return {
    kind: 'change',
    segmentId: id,
    changes: {
      tier: 'stashed',
      touchedAt: now,
      taskId: taskId ?? null,
      topic: topic ?? null,
      tags,
      references,
      facts,
      ...(file !== undefined && { file }),
      ...renewed,
    },
    onlyIf: { pinned: false },
  };
}

/** A segment that was known by its preview came with the platform's own count of the whole. */
function tokensOf({ text, tokens }: GivenSegment, known: SegmentMeta | undefined): number {
  return tokens ?? (known?.textComplete === false ? known.tokens : estimateTokens(text));
}

/** What is said with the text counts; what is not said stays as it was known. */
function overlaid({ text, task, file, topic, tags }: GivenSegment, known: SegmentMeta): GivenSegment {
  return {
    text,
    type: known.type as SegmentType,
    task: task ?? known.taskId,
    file: file ?? known.file,
    topic: topic ?? known.topic,
    tags: tags.length > 0 ? tags : known.tags,
  };
}

function contentId({ text, type, task = '', file = '', topic = '', tags }: GivenSegment): string {
  return `seg_${hashOf(text, type, task, file, topic, ...tags)}`;
}

import type { SegmentMeta, SegmentTier } from '@jeeves/store';
import { type Filters, storeFilter } from './filters.ts';
import type { Services } from './services.ts';

export interface SearchRequest {
  /** Absent: in all projects. */
  readonly project?: string | undefined;
  /** What the wanted segments are about; absent, the newest come first. */
  readonly goal?: string | undefined;
  readonly filters?: Filters | undefined;
  readonly limit: number;
}

export interface Match {
  readonly meta: SegmentMeta;
  /** 0..1, how well it serves the goal; absent where nobody asked or judged. */
  readonly score?: number | undefined;
  /** Its text, or the beginning and the end of a long one. */
  readonly excerpt: string;
}

export interface Matches {
  /** Best first, then newest. */
  readonly matches: readonly Match[];
  readonly found: number;
  /** The words are so common that `found` is a lower bound. */
  readonly capped: boolean;
}

/** Finds stashed segments. */
export async function search(services: Services, request: SearchRequest): Promise<Matches> {
  return await find(services, request, 'stashed');
}

export async function find(services: Services, request: SearchRequest, tier: SegmentTier): Promise<Matches> {
  return request.goal === undefined
    ? await newest(services, request, tier)
    : await ranked(services, { ...request, goal: request.goal }, tier);
}

/** How many candidates are judged, and how much of them together: enough to order a page, little enough to do it at once. */
const MOST_JUDGED = 50;
const JUDGED_CHARS = 120_000;

/** The store's index finds candidates by their words; the engine's backend says which of them serve the goal. */
async function ranked(
  services: Services,
  { project, goal, filters, limit }: SearchRequest & { readonly goal: string },
  tier: SegmentTier,
): Promise<Matches> {
  const filter = storeFilter(filters, tier);
  const most = Math.max(limit, MOST_JUDGED);
  const { matches, found, capped } = await services.store.search({
    projectId: project,
    text: goal,
    filter,
    limit: most,
  });
  const judged = matches.slice(0, MOST_JUDGED).map(({ segment }) => segment);
  const texts = await excerpts(services, judged);
  const { scores } = await services.backend.judge({
    goal,
    texts: { length: judged.length, at: (index) => texts[index] ?? '' },
    source: 'items',
  });
  const best = judged
    .map((meta, at) => ({ meta, score: Math.round((scores[at] ?? 0) * 1000) / 1000, excerpt: texts[at] ?? '', at }))
    .sort((a, b) => b.score - a.score || a.at - b.at);
  const rest = matches.slice(MOST_JUDGED, limit).map(({ segment }) => segment);
  const others = await excerpts(services, rest);
  const unjudged = rest.map((meta, at) => ({ meta, excerpt: others[at] ?? '' }));
  return { matches: [...best, ...unjudged].slice(0, limit), found, capped };
}

async function newest(
  services: Services,
  { project, filters, limit }: SearchRequest,
  tier: SegmentTier,
): Promise<Matches> {
  const filter = storeFilter(filters, tier);
  const { segments, found } = await services.store.newest({ projectId: project, filter, limit });
  const texts = await excerpts(services, segments);
  return { matches: segments.map((meta, at) => ({ meta, excerpt: texts[at] ?? '' })), found, capped: false };
}

/** So many texts are in memory at once, whatever their size. */
const AT_ONCE = 64;

/** The texts of these segments, as far as they are judged and shown. */
async function excerpts(services: Services, metas: readonly SegmentMeta[]): Promise<string[]> {
  const most = Math.floor(JUDGED_CHARS / Math.max(1, metas.length));
  const cut: string[] = [];
  for (let start = 0; start < metas.length; start += AT_ONCE) {
    const some = metas.slice(start, start + AT_ONCE);
    const texts = await textsOf(services, some);
    for (const meta of some) cut.push(excerpt(texts.get(meta) ?? '', most));
  }
  return cut;
}

/** Its beginning and its end: what a text is about stands at the top, how it went at the bottom. */
function excerpt(text: string, most: number): string {
  if (text.length <= most) return text;
  const half = most >> 1;
  return `${text.slice(0, half)}\n${text.slice(-half)}`;
}

/** Whole texts, from as many projects as there are. */
export async function textsOf(
  services: Services,
  metas: readonly SegmentMeta[],
): Promise<ReadonlyMap<SegmentMeta, string>> {
  const found = new Map<SegmentMeta, string>();
  const projects = new Set(metas.map(({ projectId }) => projectId));
  for (const project of projects) {
    const own = metas.filter(({ projectId }) => projectId === project);
    const texts = await services.store.texts(
      project,
      own.map(({ segmentId }) => segmentId),
    );
    for (const meta of own) {
      const text = texts.get(meta.segmentId);
      if (text !== undefined) found.set(meta, text);
    }
  }
  return found;
}

/** Weaker matches than this share of the best, or than the second number, are found but not meant. */
const MEANT_SHARE = 0.5;
const MEANT_SCORE = 0.25;

/** Of what a search found, what the goal means: those that are to be moved, not merely shown. */
export function meant({ matches }: Matches): SegmentMeta[] {
  const best = matches[0]?.score ?? 0;
  const least = Math.max(MEANT_SCORE, best * MEANT_SHARE);
  return matches.filter(({ score }) => (score ?? 0) >= least).map(({ meta }) => meta);
}

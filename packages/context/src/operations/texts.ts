import { Buffer } from 'node:buffer';
import { prune } from '@jeeves/engine';
import { type SegmentMeta } from '@jeeves/store';
import { textsOf } from './search.ts';
import type { Services } from './services.ts';

/** A segment with its text, or the part of it that is given. */
export interface Given {
  readonly meta: SegmentMeta;
  readonly text: string;
  /** Present when `text` is a part: the rest is recovered by this id. */
  readonly pruneId?: string | undefined;
}

export interface GivenTexts {
  readonly segments: readonly Given[];
  /** Ids that did not fit any more. */
  readonly omitted: readonly string[];
}

export interface TextLimits {
  /** Only the lines that serve it. */
  readonly goal?: string | undefined;
  /** Bytes of all texts together, as JSON spells them. */
  readonly maxBytes: number;
}

/** Few enough that a large stash is never held in memory for an answer that shows a part of it. */
const AT_ONCE = 16;

/** The texts in this order as far as they fit. The first comes in any case: cut, if it must be, and recoverable. */
export async function giveTexts(
  services: Services,
  metas: readonly SegmentMeta[],
  { goal, maxBytes }: TextLimits,
): Promise<GivenTexts> {
  const segments: Given[] = [];
  let room = maxBytes;
  for (let start = 0; start < metas.length; start += AT_ONCE) {
    const some = metas.slice(start, start + AT_ONCE);
    const texts = await textsOf(services, some);
    for (const [at, meta] of some.entries()) {
      const given = await shown(services, { meta, text: texts.get(meta) ?? '' }, goal);
      const bytes = jsonBytes(given.text);
      if (bytes > room && segments.length > 0) return { segments, omitted: idsFrom(metas, start + at) };
      segments.push(bytes > room ? await cut(services, given, texts.get(meta) ?? '', room) : given);
      room -= bytes;
    }
  }
  return { segments, omitted: [] };
}

function idsFrom(metas: readonly SegmentMeta[], start: number): string[] {
  return metas.slice(start).map(({ segmentId }) => segmentId);
}

async function shown(services: Services, whole: Given, goal: string | undefined): Promise<Given> {
  if (goal === undefined || whole.text === '') return whole;
  const { text, gaps, pruneId } = await prune(
    { text: whole.text, goal },
    {
      backend: services.backend,
      store: services.recovery,
      newId: services.newPruneId,
      now: services.now,
      // Nobody reads this number, so nobody pays for it.
      countTokens: () => ({ tokens: 0, method: 'estimate' }),
    },
  );
  return gaps.length === 0 ? whole : { meta: whole.meta, text, pruneId };
}

/** Cuts at the end of a line; the whole text stays one call away. */
async function cut(services: Services, { meta, text, pruneId }: Given, raw: string, bytes: number): Promise<Given> {
  const id = pruneId ?? services.newPruneId();
  if (pruneId === undefined) {
    await services.recovery.put({ pruneId: id, text: raw, firstLine: 1, createdAt: services.now() });
  }
  const head = text.slice(0, charsWithin(text, bytes));
  return { meta, text: head.slice(0, head.lastIndexOf('\n') + 1) || head, pruneId: id };
}

/** Texts travel as JSON, where one character can take six bytes. */
function jsonBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}

/** How many characters fit, by halving; whole code points only. */
function charsWithin(text: string, bytes: number): number {
  let fits = 1;
  for (let step = text.length >> 1; step > 0; step >>= 1) {
    while (fits + step < text.length && jsonBytes(text.slice(0, fits + step)) <= bytes) fits += step;
  }
  const last = text.charCodeAt(fits - 1);
  return last >= 0xd800 && last < 0xdc00 ? fits + 1 : fits;
}

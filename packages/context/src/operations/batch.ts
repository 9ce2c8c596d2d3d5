import type { SegmentMeta, SegmentWrite, WriteOutcome } from '@jeeves/store';
import type { Problem } from '../error.ts';
import type { Services } from './services.ts';

/** What became of a batch: what was done, and why the rest was not. */
export interface Batch {
  readonly done: readonly string[];
  /** Tokens of the working segments among them, as they were before. */
  readonly tokens: number;
  /** Of those done, the ones of which only a preview is known. */
  readonly previews: readonly string[];
  readonly problems: readonly Problem[];
}

/** Writes to each segment what `writeFor` says, all in one step; ids that do not fit are named and the rest is done. */
export async function batch(
  services: Services,
  project: string,
  ids: readonly string[],
  writeFor: (segmentId: string) => SegmentWrite,
): Promise<Batch> {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return { done: [], tokens: 0, previews: [], problems: [] };
  const before = await metasOf(services, project, wanted);
  const outcomes = await services.store.write(project, wanted.map(writeFor));
  const refused = outcomes.filter(({ result }) => result === 'refused').map(({ segmentId }) => segmentId);
  // Whether a pin stood in the way or the tier, the moment of writing decided.
  const after = refused.length === 0 ? before : await metasOf(services, project, refused);
  const done: string[] = [];
  const problems: Problem[] = [];
  let tokens = 0;
  for (const { segmentId, result } of outcomes) {
    const code = problemOf(result, after.get(segmentId));
    if (code !== undefined) problems.push({ id: segmentId, code });
    else {
      done.push(segmentId);
      const meta = before.get(segmentId);
      if (meta?.tier === 'working') tokens += meta.tokens;
    }
  }
  const previews = done.filter((id) => before.get(id)?.textComplete === false);
  return { done, tokens, previews, problems };
}

export async function metasOf(
  services: Services,
  project: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, SegmentMeta>> {
  const metas = await services.store.list(project, { ids });
  return new Map(metas.map((meta) => [meta.segmentId, meta]));
}

function problemOf(result: WriteOutcome['result'], meta: SegmentMeta | undefined): Problem['code'] | undefined {
  if (result === 'missing') return 'not_found';
  if (result !== 'refused') return undefined;
  return meta?.pinned === true ? 'pinned' : 'not_active';
}

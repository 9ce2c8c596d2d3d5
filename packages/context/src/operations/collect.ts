import type { SegmentWrite } from '@jeeves/store';
import { OLD_AFTER } from '../analysis/score.ts';
import { ContextError } from '../error.ts';
import { type Batch, batch } from './batch.ts';
import type { Services } from './services.ts';

export interface CollectRequest {
  readonly project: string;
  readonly ids: readonly string[];
  readonly action: 'stash' | 'delete';
  /** Deleting cannot be undone, so it is asked for twice. */
  readonly confirm: boolean;
}

/** Takes segments out of the window. Pinned ones stay; the others that stay have survived one more collection. */
export async function collect(services: Services, { project, ids, action, confirm }: CollectRequest): Promise<Batch> {
  if (action === 'delete' && !confirm) {
    throw new ContextError('confirmation_required', 'Deleting cannot be undone: stash instead, or confirm.', {
      segments: ids.length,
    });
  }
  const touchedAt = services.now();
  const writeFor = (segmentId: string): SegmentWrite =>
    action === 'delete'
      ? { kind: 'remove', segmentId, onlyIf: { pinned: false } }
      : {
          kind: 'change',
          segmentId,
          changes: { tier: 'stashed', touchedAt },
          onlyIf: { tier: 'working', pinned: false },
        };
  const collected = await batch(services, project, ids, writeFor);
  if (collected.done.length > 0) await services.store.recordCollection(project, OLD_AFTER);
  return collected;
}

/** Protects segments from being stashed or deleted, or releases them. */
export async function setPinned(
  services: Services,
  project: string,
  ids: readonly string[],
  pinned: boolean,
): Promise<Batch> {
  return await batch(services, project, ids, (segmentId) => ({ kind: 'change', segmentId, changes: { pinned } }));
}

import type { Segment, SegmentMeta, SegmentWrite, Snapshot } from '@jeeves/store';
import { ContextError } from '../error.ts';
import { metasOf } from './batch.ts';
import { heldFacts } from './retrieve.ts';
import type { Services } from './services.ts';

export interface Restored {
  /** What is in the window again. */
  readonly ids: readonly string[];
  /** The ids under which later texts of restored segments wait in the stash. */
  readonly setAside: readonly string[];
  readonly task?: string | undefined;
}

/**
 * What was in the window then is in it again, with the text and the pin it had; what was stashed then exists at least.
 * Nothing is taken away: a text that came later stays, in the stash and under a name of its own.
 */
export async function restoreSnapshot(
  services: Services,
  project: string,
  snapshotId: string,
  task: string | undefined,
): Promise<Restored> {
  const snapshot = await found(services, project, snapshotId, task);
  const { contents } = snapshot;
  const known = await metasOf(
    services,
    project,
    contents.map(({ segmentId }) => segmentId),
  );
  const later = await laterTexts(services, project, contents, known);
  const touchedAt = services.now();
  await services.store.write(project, [
    ...later.map((segment): SegmentWrite => ({ kind: 'add', segment })),
    ...contents.flatMap((segment) => restoring(segment, known.get(segment.segmentId), touchedAt)),
  ]);
  const active = contents.filter(({ tier }) => tier === 'working');
  return {
    ids: active.map(({ segmentId }) => segmentId),
    setAside: later.map(({ segmentId }) => segmentId),
    task: snapshot.taskId,
  };
}

async function found(
  services: Services,
  project: string,
  snapshotId: string,
  task: string | undefined,
): Promise<Snapshot> {
  const snapshot = await services.store.snapshot(project, snapshotId);
  if (snapshot === undefined) {
    throw new ContextError('snapshot_not_found', 'The project has no snapshot with this id.', { snapshotId });
  }
  if (task !== undefined && snapshot.taskId !== task) {
    const message = 'The snapshot is of another task: leave the task out, or name its own.';
    throw new ContextError('invalid_parameter', message, { snapshotTask: snapshot.taskId ?? null });
  }
  return snapshot;
}

/** Copies of what would be overwritten, as stashed segments. */
async function laterTexts(
  services: Services,
  project: string,
  contents: readonly Segment[],
  known: ReadonlyMap<string, SegmentMeta>,
): Promise<Omit<Segment, 'projectId'>[]> {
  const metas = contents.flatMap((segment) => {
    const meta = known.get(segment.segmentId);
    return meta?.textComplete === true && hasOtherText(segment, meta) ? meta : [];
  });
  const texts = await services.store.texts(
    project,
    metas.map(({ segmentId }) => segmentId),
  );
  return metas.map((meta) => asideOf(meta, texts.get(meta.segmentId) ?? ''));
}

function asideOf({ projectId: _projectId, ...meta }: SegmentMeta, text: string): Omit<Segment, 'projectId'> {
  const segmentId = `${meta.segmentId}@${meta.textHash.slice(0, 8)}`;
  return { ...meta, segmentId, originKey: undefined, tier: 'stashed', pinned: false, text };
}

/** A preview never takes the place of a whole text. */
type Version = Pick<SegmentMeta, 'textHash' | 'textComplete'>;

function hasOtherText(then: Version, now: Version): boolean {
  return then.textHash !== now.textHash && (then.textComplete || !now.textComplete);
}

function restoring(
  { projectId, ...segment }: Segment,
  known: SegmentMeta | undefined,
  touchedAt: number,
): SegmentWrite[] {
  const facts = heldFacts({ ...segment, projectId });
  const { segmentId, text, textHash, textComplete, tokens, pinned, tier } = segment;
  const window = { tier: 'working', touchedAt, facts, taskId: segment.taskId ?? null } as const;
  const changes = {
    pinned,
    ...(tier === 'working' && window),
    ...(known !== undefined && hasOtherText(segment, known) && { text, textHash, textComplete, tokens }),
  };
  return [
    { kind: 'add', segment: { ...segment, facts } },
    { kind: 'change', segmentId, changes },
  ];
}

import type { SegmentGeneration, SegmentMeta, SegmentTier } from './segments.ts';

/** A segment but its text and project, as one line of JSON in a fixed order: read by the hundred thousand, it pays. */
export type PackedMeta = readonly [
  segmentId: string,
  originKey: string | null,
  type: string,
  taskId: string | null,
  createdAt: number,
  touchedAt: number,
  pinned: 0 | 1,
  old: 0 | 1,
  survivals: number,
  references: readonly string[],
  file: string | null,
  tags: readonly string[],
  topic: string | null,
  tokens: number,
  tier: 0 | 1,
  textHash: string,
  textComplete: 0 | 1,
  facts: string | null,
];

/** How many collections a project has seen, and from how many on a segment is old. */
export interface Collections {
  readonly collections: number;
  readonly oldAfter: number;
}

export const TIERS: readonly [SegmentTier, SegmentTier] = ['working', 'stashed'];

/** Also names that no database takes as they are come back from it: half surrogate pairs and NUL are escaped. */
export function packMeta(meta: SegmentMeta): string {
  const packed: PackedMeta = [
    meta.segmentId,
    meta.originKey ?? null,
    meta.type,
    meta.taskId ?? null,
    meta.createdAt,
    meta.touchedAt,
    meta.pinned ? 1 : 0,
    meta.generation === 'old' ? 1 : 0,
    meta.survivals,
    meta.references,
    meta.file ?? null,
    meta.tags,
    meta.topic ?? null,
    meta.tokens,
    tierNumber(meta.tier),
    meta.textHash,
    meta.textComplete ? 1 : 0,
    meta.facts ?? null,
  ];
  return JSON.stringify(packed);
}

/** `seen` is how many collections the project had seen when the segment was packed; later ones count as survived. */
export function unpackMeta(projectId: string, packed: PackedMeta, seen: number, project: Collections): SegmentMeta {
  const [segmentId, originKey, type, taskId, createdAt, touchedAt, pinned, old, before, references] = packed;
  const [, , , , , , , , , , file, tags, topic, tokens, tier, textHash, textComplete, facts] = packed;
  const survivals = tier === 0 ? before + project.collections - seen : before;
  const isOld = old === 1 || (project.collections > seen && survivals >= project.oldAfter);
  const generation: SegmentGeneration = isOld ? 'old' : 'young';
  return {
    projectId,
    segmentId,
    originKey: originKey ?? undefined,
    type,
    taskId: taskId ?? undefined,
    createdAt,
    touchedAt,
    pinned: pinned === 1,
    generation,
    survivals,
    references,
    file: file ?? undefined,
    tags,
    topic: topic ?? undefined,
    tokens,
    tier: TIERS[tier],
    textHash,
    textComplete: textComplete === 1,
    facts: facts ?? undefined,
  };
}

/** A string as every database takes it: half surrogate pairs and NUL are escaped, and no two strings become one. */
export function packText(text: string): string {
  return JSON.stringify(text);
}

export function unpackText(packed: string): string {
  return JSON.parse(packed) as string;
}

export function tierNumber(tier: SegmentTier): 0 | 1 {
  return tier === 'working' ? 0 : 1;
}

import { createHash } from 'node:crypto';
import type { SegmentDraft } from '@jeeves/store';

const TYPES = ['message', 'code', 'log', 'note', 'decision', 'summary'] as const;
const SYLLABLES = 'ra ne ko ti mu sa le vo pi da cu fe no ri ba ge lo ma su te'.split(' ');
const VOCABULARY = 30_000;
const START = 1_700_000_000_000;

export interface Random {
  /** From 0 up to, but not, 1. */
  next(): number;
}

/** The same numbers every time, so that two runs measure the same work. */
export function seeded(seed: number): Random {
  let state = seed;
  return {
    next() {
      state = (state + 0x6d2b79f5) | 0;
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    },
  };
}

/** The word of a rank; ranks are drawn so that few words are very common and most are rare, as in real texts. */
export function wordOf(rank: number): string {
  let rest = rank + 7;
  let word = '';
  while (rest > 0) {
    word += SYLLABLES[rest % SYLLABLES.length] ?? '';
    rest = Math.floor(rest / SYLLABLES.length);
  }
  return `${word}x`;
}

export function drawRank(random: Random): number {
  return Math.min(VOCABULARY - 1, Math.floor(Math.exp(random.next() * Math.log(VOCABULARY))) - 1);
}

/** A segment of 20 to 140 words; every second one is set aside. */
export function benchSegment(index: number, random: Random): SegmentDraft {
  const words = Array.from({ length: 20 + Math.floor(random.next() * 120) }, () => wordOf(drawRank(random)));
  const text = words.join(' ');
  const type = TYPES[index % TYPES.length] ?? 'note';
  return {
    segmentId: `segment-${index}`,
    originKey: `origin-${index}`,
    type,
    taskId: `task-${Math.floor(index / 500) % 50}`,
    createdAt: START + index * 1000,
    touchedAt: START + index * 1000,
    pinned: index % 97 === 0,
    generation: 'young',
    survivals: 0,
    references: index % 10 === 0 && index > 0 ? [`segment-${index - 1}`] : [],
    file: type === 'code' ? `src/file-${index % 400}.ts` : undefined,
    tags: index % 7 === 0 ? ['seventh'] : [],
    tokens: words.length * 2,
    tier: index % 2 === 0 ? 'working' : 'stashed',
    text,
    textHash: createHash('sha256').update(text).digest('hex'),
    textComplete: true,
  };
}

/** One to five words: what an agent would ask for, from the common to the unheard of. */
export function benchGoal(random: Random): string {
  return Array.from({ length: 1 + Math.floor(random.next() * 5) }, () => wordOf(drawRank(random))).join(' ');
}

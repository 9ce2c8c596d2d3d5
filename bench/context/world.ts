import { type Context, createContext, type Descriptors, type GivenSegment } from '@jeeves/context';
import { createEmbeddedBackend, newPruneId } from '@jeeves/engine';
import { type Stores } from '@jeeves/store';

/** All segments of this project are in its window. */
export const WORKING = 'working';

/** Numbers that look random and are the same in every run. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function openContext(stores: Stores): Context {
  let ids = 0;
  return createContext({
    store: stores.segments,
    recovery: stores.recovery,
    backend: createEmbeddedBackend(),
    now: Date.now,
    newSnapshotId: () => `snap_${(ids += 1)}`,
    newPruneId: () => newPruneId((count) => crypto.getRandomValues(new Uint8Array(count))),
  });
}

const TYPES = ['log', 'code', 'note', 'message', 'decision', 'summary'] as const;

/** A segment as agents make them: some thirty lines of words, few of them common, most of them rare. */
export function segmentAt(at: number): GivenSegment {
  const random = createRandom(at);
  const type = TYPES[Math.floor(random() ** 2 * TYPES.length)] ?? 'log';
  const lines = Array.from({ length: 8 + Math.floor(random() * 24) }, () =>
    Array.from({ length: 5 + Math.floor(random() * 6) }, () => word(random)).join(' '),
  );
  return {
    id: `segment-${at}`,
    type,
    text: `${type === 'log' ? `$ ${word(random)} ${word(random)}\n` : ''}${lines.join('\n')}`,
    task: `task-${at % 40}`,
    file: type === 'code' ? `src/${word(random)}.ts` : undefined,
    topic: at % 10 === 0 ? `topic-${at % 5000}` : undefined,
    tags: at % 7 === 0 ? [`ref:segment-${at >> 1}`] : [],
  };
}

/** Zipf's law, as in real texts: the n-th word is some n times rarer than the first. */
function word(random: () => number): string {
  return `w${Math.floor(20_000 ** random()).toString(36)}x`;
}

/** What agents ask: a few words that say something, some of them common. */
export function goalAt(at: number): string {
  const random = createRandom(1_000_000 + at);
  const telling = (): string => word(() => 0.25 + 0.75 * random());
  return `where is ${telling()} ${telling()} set and why does ${telling()} fail with ${telling()}`;
}

/** A window as a platform describes it: previews, and the last messages. */
export function describing(segments: readonly GivenSegment[]): Descriptors {
  return {
    usage: { current: 150_000, limit: 200_000 },
    currentFile: 'src/w1x.ts',
    messages: Array.from({ length: 12 }, (_, at) => ({ role: 'user', content: `message number ${at}` })),
    segments: segments.map(({ id = '', type, text, file, topic, tags }) => ({
      id,
      type,
      preview: text.slice(0, 200),
      tokens: 300,
      file,
      topic,
      tags,
    })),
  };
}

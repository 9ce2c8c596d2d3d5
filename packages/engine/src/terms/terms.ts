import { Lines, type TextList } from '../split.ts';
import { TermScanner } from './scanner.ts';
import { Vocabulary } from './vocabulary.ts';

const CHECK_EVERY = 4096;
/** Fewer in code than in prose; a text with more terms makes room once. */
const CHARS_PER_TERM = 5;
/** What a line says, its first part says: a line of megabytes is data, and is judged by its beginning. */
const MAX_SCANNED = 65_536;

/** Every text of a list as term ids, one after the other: a text's terms are `ids[starts[i]..starts[i+1])`. */
export interface TermTable {
  readonly vocabulary: Vocabulary;
  readonly ids: Int32Array;
  readonly starts: Uint32Array;
  /** In how many texts a term occurs. */
  readonly frequency: Int32Array;
}

export function scanTexts(texts: TextList, checkpoint: () => void = () => undefined): TermTable {
  const scanner = new TermScanner(texts instanceof Lines ? 32 + Math.ceil(texts.text.length / CHARS_PER_TERM) : 4096);
  const starts = new Uint32Array(texts.length + 1);
  for (let index = 0; index < texts.length; index += 1) {
    if (index % CHECK_EVERY === 0) checkpoint();
    // Lines share one text: scanning it in place saves a string per line.
    if (texts instanceof Lines) {
      const start = texts.start(index);
      scanner.scan(texts.text, start, Math.min(texts.contentEnd(index), start + MAX_SCANNED));
    } else {
      const text = texts.at(index);
      scanner.scan(text, 0, Math.min(text.length, MAX_SCANNED));
    }
    starts[index + 1] = scanner.count;
  }
  const vocabulary = new Vocabulary();
  // The hashes are no longer needed once each has its number, so the numbers take their place.
  const ids = scanner.hashes();
  for (let at = 0; at < ids.length; at += 1) {
    if (at % (16 * CHECK_EVERY) === 0) checkpoint();
    ids[at] = vocabulary.intern(ids[at] ?? 0);
  }
  return { vocabulary, ids, starts, frequency: documentFrequency(ids, starts, vocabulary.size) };
}

export interface GoalScan {
  /** The goal's terms in order; -1 for one that the vocabulary does not have. */
  readonly ids: readonly number[];
  /** The same terms, as stems. */
  readonly words: readonly string[];
}

export function scanGoal(goal: string, vocabulary: Vocabulary): GoalScan {
  const words: string[] = [];
  const scanner = new TermScanner(32, (buffer, length) =>
    words.push(String.fromCharCode(...buffer.subarray(0, length))),
  );
  scanner.scan(goal, 0, goal.length);
  return { ids: Array.from(scanner.hashes(), (hash) => vocabulary.find(hash)), words };
}

function documentFrequency(ids: Int32Array, starts: Uint32Array, size: number): Int32Array {
  const frequency = new Int32Array(size);
  const seenIn = new Int32Array(size).fill(-1);
  for (let text = 0; text + 1 < starts.length; text += 1) {
    const end = starts[text + 1] ?? 0;
    for (let at = starts[text] ?? 0; at < end; at += 1) {
      const id = ids[at] ?? 0;
      if (seenIn[id] === text) continue;
      seenIn[id] = text;
      frequency[id] = (frequency[id] ?? 0) + 1;
    }
  }
  return frequency;
}

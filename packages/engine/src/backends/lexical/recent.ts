import { Lines } from '../../split.ts';
import type { JudgeRequest } from '../backend.ts';

const MOST = 16;
/** Longer texts seldom come twice in a row, and would keep much alive. */
const LONGEST = 64 * 1024;

interface Judged {
  readonly text: string;
  readonly goal: string;
  readonly source: JudgeRequest['source'];
  readonly scores: Float64Array;
}

/**
 * The last few texts with their scores: one that is pruned again, after a retry or with other limits, is not judged
 * again. The same text gets the same scores anyway, so nobody can tell.
 */
export class Recent {
  readonly #judged: Judged[] = [];

  find({ texts, goal, source }: JudgeRequest): Float64Array | undefined {
    if (!(texts instanceof Lines) || texts.text.length > LONGEST) return undefined;
    const { text } = texts;
    const found = this.#judged.find((one) => one.text === text && one.goal === goal && one.source === source);
    return found?.scores.slice();
  }

  add({ texts, goal, source }: JudgeRequest, scores: Float64Array): void {
    if (!(texts instanceof Lines) || texts.text.length > LONGEST) return;
    if (this.#judged.length === MOST) this.#judged.pop();
    this.#judged.unshift({ text: texts.text, goal, source, scores: scores.slice() });
  }
}

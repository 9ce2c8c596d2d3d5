import { Lines } from '../split.ts';
import type { Backend, Judgement, JudgeRequest } from './backend.ts';

const MOST = 16;
/** Longer texts seldom come twice in a row, and would keep much alive. */
const LONGEST = 64 * 1024;

interface Judged {
  readonly text: string;
  readonly goal: string;
  readonly source: JudgeRequest['source'];
  readonly judgement: Judgement;
}

/**
 * Does not judge one of the last few texts again, when it is pruned again after a retry or with other limits. For
 * backends that score the same text the same way each time, so that nobody can tell.
 */
export function withRecent(backend: Backend): Backend {
  const recent = new Recent();
  return {
    name: backend.name,
    judge: async (request) => {
      const known = recent.find(request);
      if (known !== undefined) return known;
      const judgement = await backend.judge(request);
      recent.add(request, judgement);
      return judgement;
    },
  };
}

/** The last few texts with their scores. */
class Recent {
  readonly #judged: Judged[] = [];

  find({ texts, goal, source }: JudgeRequest): Judgement | undefined {
    if (!(texts instanceof Lines) || texts.text.length > LONGEST) return undefined;
    const { text } = texts;
    const found = this.#judged.find((one) => one.text === text && one.goal === goal && one.source === source);
    return found && { ...found.judgement, scores: found.judgement.scores.slice() };
  }

  add({ texts, goal, source }: JudgeRequest, judgement: Judgement): void {
    if (!(texts instanceof Lines) || texts.text.length > LONGEST) return;
    if (this.#judged.length === MOST) this.#judged.pop();
    const copy = { ...judgement, scores: judgement.scores.slice() };
    this.#judged.unshift({ text: texts.text, goal, source, judgement: copy });
  }
}

import type { MinedCase } from './case.ts';
import type { Random } from './random.ts';
import { sameTopic } from './rules.ts';

/** A goal of one repository on a text of another: nothing in the text serves it. */
export function makeNegatives(cases: readonly MinedCase[], count: number, random: Random): MinedCase[] {
  const negatives: MinedCase[] = [];
  const used = new Set<string>();
  for (let tries = 0; negatives.length < count && tries < count * 20 && cases.length > 1; tries += 1) {
    const text = random.pick(cases);
    const goal = random.pick(cases);
    const id = `negative:${text.id}|${goal.id}`;
    if (sameTopic(text.repo, goal.repo) || used.has(text.id) || used.has(goal.id)) continue;
    used.add(text.id);
    used.add(goal.id);
    const { kind, repo } = text;
    negatives.push({ id, query: goal.query, text: text.text, gold: [], kind, task: 'negative', repo, origin: goal.id });
  }
  return negatives;
}

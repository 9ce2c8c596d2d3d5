import type { MinedCase } from './case.ts';
import { documentedFunctions } from './doc-functions.ts';
import { firstSentence } from './doc-sentence.ts';
import { listTree, readBlobs } from './git.ts';
import type { Random } from './random.ts';
import { CAPS, extensionOf, isSourcePath, isUsableText, LIMITS, linesOf, type Mirror } from './rules.ts';
import { informativeWords } from './words.ts';

const CHUNK = 200;
const MIN_WORDS = 4;
const MIN_LINES = 3;

/** First sentence of a function's documentation → the function, in a text that has lost that documentation. */
export async function mineDocs({ gitDir, repo, split, perFile }: Mirror, random: Random): Promise<MinedCase[]> {
  const cap = CAPS[split].doc;
  const files = random.shuffle((await listTree(gitDir)).filter((file) => isSourcePath(file.path)));
  const cases: MinedCase[] = [];
  // Interfaces are implemented many times under one sentence; the first stands for all.
  const goals = new Set<string>();
  for (let at = 0; at < files.length && cases.length < cap; at += CHUNK) {
    const chunk = files.slice(at, at + CHUNK);
    const texts = await readBlobs(
      gitDir,
      chunk.map((file) => file.blob),
    );
    for (const { path, blob } of chunk) {
      const text = texts.get(blob);
      if (text === undefined || !isUsableText(text)) continue;
      const found = random.shuffle(casesOfFile(text, path, repo)).filter((one) => !goals.has(one.query));
      const taken = found.slice(0, Math.min(perFile, cap - cases.length));
      for (const { query } of taken) goals.add(query);
      cases.push(...taken);
    }
  }
  return cases;
}

function casesOfFile(text: string, path: string, repo: string): MinedCase[] {
  const lines = linesOf(text);
  const found: MinedCase[] = [];
  const timesSeen = new Map<string, number>();
  const candidates = documentedFunctions(lines, extensionOf(path)).map((fn) => ({ fn, goal: firstSentence(fn) }));
  for (const { goal } of candidates) timesSeen.set(goal, (timesSeen.get(goal) ?? 0) + 1);
  for (const { fn, goal } of candidates) {
    // Overloads share a sentence: which one is meant cannot be told.
    if (goal === '' || timesSeen.get(goal) !== 1 || informativeWords(goal).size < MIN_WORDS) continue;
    const kept = lines.filter((_, index) => index < fn.docStart || index >= fn.docEnd);
    const removed = fn.docEnd - fn.docStart;
    const gold: number[] = [];
    for (let line = fn.start; line < fn.end; line += 1) {
      if (line >= fn.docStart && line < fn.docEnd) continue;
      if ((lines[line] ?? '').trim() !== '') gold.push(line >= fn.docEnd ? line - removed + 1 : line + 1);
    }
    const remaining = `${kept.join('\n')}\n`;
    if (gold.length < MIN_LINES || gold.length > LIMITS.maxGoldLines || kept.length < LIMITS.minLines) continue;
    if (gold.length > LIMITS.maxPassageShare * kept.length || remaining.includes(goal)) continue;
    const origin = `${path}:${fn.name}`;
    found.push({
      id: `doc:${repo}:${origin}:${fn.start + 1}`,
      query: goal,
      text: remaining,
      gold,
      kind: 'code',
      task: 'doc',
      repo,
      origin,
    });
  }
  return found;
}

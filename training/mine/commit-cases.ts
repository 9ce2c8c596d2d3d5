import type { MinedCase } from './case.ts';
import { type Commit, diffCommits, type FileDiff, type Hunk, listCommits, readBlobs } from './git.ts';
import { type CommitGoal, goalOfMessage } from './message.ts';
import type { Random } from './random.ts';
import { CAPS, isSourcePath, isUsableText, LIMITS, linesOf, type Mirror } from './rules.ts';

const CHUNK = 150;
const COMMENT = /^\s*(\/\/|\/?\*|#(?!\s*(if|ifdef|ifndef|else|endif|define|include|undef|\[|!))|"""|''')/;
const IMPORT = /^\s*(import\b|from\s+\S+\s+import\b|#include\b|use\s|require\b|const .*=\s*require\()/;

export interface CommitCase extends MinedCase {
  readonly subject: string;
}

/** Commit message → the lines of a changed file, before the commit, that the commit edited. */
export async function mineCommits({ gitDir, repo, split, perFile }: Mirror, random: Random): Promise<CommitCase[]> {
  const cap = CAPS[split].commit;
  const goals = new Map<string, CommitGoal>();
  const wanted: Commit[] = [];
  for (const commit of await listCommits(gitDir)) {
    const goal = touchesFewSources(commit) ? goalOfMessage(commit.message) : undefined;
    if (goal === undefined) continue;
    goals.set(commit.hash, goal);
    wanted.push(commit);
  }
  const shuffled = random.shuffle(wanted);
  const cases: CommitCase[] = [];
  const takenOf = new Map<string, number>();
  for (let at = 0; at < shuffled.length && cases.length < cap; at += CHUNK) {
    const chunk = shuffled.slice(at, at + CHUNK).map((commit) => commit.hash);
    const diffs = (await diffCommits(gitDir, chunk)).filter((diff) => isSourcePath(diff.path));
    const texts = await readBlobs(
      gitDir,
      diffs.map((diff) => diff.oldBlob),
    );
    for (const diff of diffs) {
      const goal = goals.get(diff.commit);
      const text = texts.get(diff.oldBlob);
      if (goal === undefined || text === undefined || cases.length >= cap) continue;
      const gold = goldOf(diff, text);
      const seen = takenOf.get(diff.path) ?? 0;
      if (gold === undefined || seen >= perFile) continue;
      takenOf.set(diff.path, seen + 1);
      cases.push(toCase({ repo, diff, goal, text, gold }));
    }
  }
  return cases;
}

function touchesFewSources(commit: Commit): boolean {
  const changed = commit.files.filter((file) => isSourcePath(file.path));
  if (changed.length === 0 || changed.length > LIMITS.maxSourceFiles) return false;
  return changed.some((file) => file.status === 'M' || file.status === 'R');
}

function goldOf(diff: FileDiff, text: string): number[] | undefined {
  if (!isUsableText(text)) return undefined;
  const lines = linesOf(text);
  const gold = new Set<number>();
  for (const hunk of diff.hunks) for (const line of linesOfHunk(hunk, lines)) gold.add(line);
  const sorted = [...gold].sort((one, other) => one - other);
  const tooMany = sorted.length > LIMITS.maxGoldLines || sorted.length > LIMITS.maxGoldShare * lines.length;
  // An edit of comments or imports alone says nothing about where the goal is served.
  const tells = sorted.some((line) => !COMMENT.test(lines[line - 1] ?? '') && !IMPORT.test(lines[line - 1] ?? ''));
  return tooMany || !tells ? undefined : sorted;
}

/** Edited and deleted lines; for an insertion the lines around the place. Blank lines serve no goal. */
function linesOfHunk(hunk: Hunk, lines: readonly string[]): number[] {
  const [first, last] = hunk.count === 0 ? [hunk.start, hunk.start + 1] : [hunk.start, hunk.start + hunk.count - 1];
  const touched: number[] = [];
  for (let line = Math.max(1, first); line <= Math.min(last, lines.length); line += 1) {
    if ((lines[line - 1] ?? '').trim() !== '') touched.push(line);
  }
  return touched;
}

interface Found {
  readonly repo: string;
  readonly diff: FileDiff;
  readonly goal: CommitGoal;
  readonly text: string;
  readonly gold: readonly number[];
}

function toCase({ repo, diff, goal, text, gold }: Found): CommitCase {
  return {
    id: `commit:${repo}:${diff.commit.slice(0, 12)}:${diff.path}`,
    query: goal.goal,
    text,
    gold,
    kind: 'code',
    task: 'commit',
    repo,
    origin: `${diff.commit}:${diff.path}`,
    subject: goal.subject,
  };
}

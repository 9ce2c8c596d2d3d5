import type { Requirement } from './requirements/entry.ts';

/** The requirements that one test file cites. */
export interface Citations {
  readonly file: string;
  readonly ids: readonly string[];
  /** Calls whose ids are not literals: nobody could tell by reading what they stand for. */
  readonly unreadable: number;
}

const CALL = /\bverifies\(\s*(?:(\[[^\]]*\]|'[^']*'|"[^"]*")\s*,)?/g;

/** What the calls of `verifies` in a source cite. */
export function citationsIn(file: string, source: string): Citations {
  const calls = [...source.matchAll(CALL)].map(([, ids]) => ids);
  const ids = calls.flatMap((call) => [...(call ?? '').matchAll(/['"]([^'"]+)['"]/g)].map(([, id]) => id ?? ''));
  return { file, ids, unreadable: calls.filter((call) => call === undefined).length };
}

/** Every way in which manifest and tests disagree, each as a sentence that names the culprit. */
export function coverageProblems(requirements: readonly Requirement[], citations: readonly Citations[]): string[] {
  const cited = new Set(citations.flatMap(({ ids }) => ids));
  return [
    ...duplicates(requirements.map(({ id }) => id)).map((id) => `${id} is defined more than once`),
    ...requirements.flatMap((requirement) => entryProblems(requirement, cited)),
    ...citations.flatMap((citation) => citationProblems(citation, requirements)),
  ];
}

function entryProblems({ id, source, behaviour, deferred }: Requirement, cited: ReadonlySet<string>): string[] {
  const problems: string[] = [];
  if (id.trim() === '') problems.push('an entry has no id');
  if (source.trim() === '') problems.push(`${id} has no source`);
  if (behaviour.trim() === '') problems.push(`${id} has no behaviour`);
  if (deferred?.trim() === '') problems.push(`${id} is deferred without a reason`);
  if (deferred === undefined && !cited.has(id)) problems.push(`${id} is cited by no test and not deferred`);
  if (deferred !== undefined && cited.has(id)) problems.push(`${id} is deferred, yet a test cites it`);
  return problems;
}

function citationProblems({ file, ids, unreadable }: Citations, requirements: readonly Requirement[]): string[] {
  const known = new Set(requirements.map(({ id }) => id));
  const problems = [...new Set(ids)].filter((id) => !known.has(id)).map((id) => `${file} cites an unknown id: ${id}`);
  if (unreadable > 0) problems.push(`${file} cites ids that are not literals`);
  return problems;
}

function duplicates(values: readonly string[]): string[] {
  return [...new Set(values.filter((value, index) => values.indexOf(value) !== index))];
}

const WRAPPERS = ['scores', 'results', 'result', 'output', 'data'] as const;
const MAX_DEPTH = 2;

/**
 * The score of each document by its place in the request, or undefined when the reply holds none in a known form:
 * a list of numbers or of `{index, score}`, bare or up to two levels down. Documents the reply leaves out stay undefined;
 * scores for documents that were not sent, or two for one, show that the reply is about something else.
 */
export function readScores(json: unknown, documents: number): (number | undefined)[] | undefined {
  const scores = findScores(json, documents, MAX_DEPTH);
  return scores?.some((score) => score !== undefined) === true ? scores : undefined;
}

/** Scores in 0..1. Any score outside that range shows that all are logits. */
export function normalise(scores: readonly (number | undefined)[]): (number | undefined)[] {
  const areLogits = scores.some((score) => score !== undefined && (score < 0 || score > 1));
  return areLogits
    ? scores.map((score) => (score === undefined ? undefined : 1 / (1 + Math.exp(-score))))
    : [...scores];
}

function findScores(json: unknown, documents: number, depth: number): (number | undefined)[] | undefined {
  if (Array.isArray(json)) {
    const list: readonly unknown[] = json;
    // One goal was sent, so a list of score lists has one of them.
    if (list.length === 1 && Array.isArray(list[0]) && depth > 0) return findScores(list[0], documents, depth - 1);
    return readList(list, documents);
  }
  if (depth === 0 || typeof json !== 'object' || json === null) return undefined;
  const fields = json as Readonly<Record<string, unknown>>;
  for (const name of WRAPPERS) {
    const found = findScores(fields[name], documents, depth - 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** One entry that does not fit makes the whole list unknown: half-understood scores would prune the wrong lines. */
function readList(list: readonly unknown[], documents: number): (number | undefined)[] | undefined {
  const scores: (number | undefined)[] = Array.from({ length: documents }, () => undefined);
  for (const [place, entry] of list.entries()) {
    const read = readEntry(entry, place);
    if (read === undefined || read.index < 0 || read.index >= documents) return undefined;
    if (scores[read.index] !== undefined) return undefined;
    scores[read.index] = read.score;
  }
  return scores;
}

function readEntry(entry: unknown, place: number): { index: number; score: number } | undefined {
  if (isFiniteNumber(entry)) return { index: place, score: entry };
  if (typeof entry !== 'object' || entry === null) return undefined;
  const { index, score } = entry as Readonly<Record<'index' | 'score', unknown>>;
  return Number.isInteger(index) && isFiniteNumber(score) ? { index: index as number, score } : undefined;
}

function isFiniteNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

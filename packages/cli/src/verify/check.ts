import { type Answer, read, rebuild, splitLines, type Trial } from './reading.ts';

/**
 * Proves or refutes what pruning promises, from nothing but the raw text, the answer and the recovered lines.
 * It shares no code with the engine: a mistake in how texts are split or written cannot hide itself here.
 */

/** What is promised. The order is the order of the report. */
export const PROMISES = {
  verbatim: 'kept lines are verbatim and in order',
  annotated: 'every gap has exactly one annotation',
  marker: 'every marker is its annotation’s, and stands where its gap is',
  ratio: 'no more than the allowed share is cut',
  minimum: 'at least the asked number of lines is kept',
  directives: 'protected blocks are kept whole',
  untouched: 'limits that cannot be met leave the text whole',
  sound: 'no case fell back to the whole text by a failure',
  rebuilt: 'kept and recovered lines rebuild the text byte for byte',
} as const;

/** The name of a promise. */
export type Promised = keyof typeof PROMISES;

/** A broken promise, with what was found in the place of what was expected. */
export interface Violation {
  readonly promise: Promised;
  readonly detail: string;
}

/** What one trial proves. */
export interface Verdict {
  /** The promises that this trial could break. */
  readonly checked: readonly Promised[];
  readonly violations: readonly Violation[];
}

/** Checks every promise that the trial can break; a promise without a case in it is not counted as kept. */
export function check(tried: Trial): Verdict {
  const lines = splitLines(tried.raw);
  const guarded = guardedLines(lines);
  const unmet = tried.asked.minKeepLines > lines.length;
  // A text that comes back whole, for want of a solution or of a saving, comes back as it was, without numbers.
  const trial =
    unmet || (tried.answer.gaps.length === 0 && tried.answer.text === tried.raw)
      ? { ...tried, asked: { ...tried.asked, annotateLines: false } }
      : tried;
  const outcomes: Partial<Record<Promised, string | undefined>> = {
    sound: checkSound(trial.answer, unmet),
    annotated: checkAnnotations(trial, lines),
    verbatim: checkKept(trial, lines),
    ratio: checkRatio(trial, lines),
    rebuilt: rebuild(trial) === trial.raw ? undefined : 'the rebuilt text differs from the raw one',
    ...(trial.asked.includeMarkers && trial.answer.gaps.length > 0 ? { marker: checkMarkers(trial) } : {}),
    ...(unmet ? { untouched: checkUntouched(trial) } : { minimum: checkMinimum(trial, lines) }),
    ...(guarded.length > 0 ? { directives: checkGuarded(trial, guarded) } : {}),
  };
  const entries = Object.entries(outcomes) as [Promised, string | undefined][];
  return {
    checked: entries.map(([promise]) => promise),
    violations: entries.flatMap(([promise, detail]) => (detail === undefined ? [] : [{ promise, detail }])),
  };
}

/** A failure inside gives the whole text back, which would keep every other promise. */
function checkSound({ warnings }: Answer, unmet: boolean): string | undefined {
  const failure = warnings.find((code) => FAILURES.has(code) || (code === 'constraints_unmet' && !unmet));
  return failure === undefined ? undefined : `the text came back whole with the warning ${failure}`;
}

const FAILURES: ReadonlySet<string> = new Set([
  'internal_error',
  'store_failed',
  'recovery_unavailable',
  'invalid_response',
  'timeout',
]);

/** Gaps are ranges of the text, in order, apart from each other, counted right; and nothing else is missing. */
function checkAnnotations({ answer, asked }: Trial, lines: readonly string[]): string | undefined {
  let previousEnd = asked.firstLine - 2;
  let pruned = 0;
  for (const { startLine, endLine, lineCount } of answer.gaps) {
    const name = `gap ${startLine}-${endLine}`;
    if (startLine > endLine || startLine < asked.firstLine || endLine >= asked.firstLine + lines.length)
      return `${name} is no range of the text`;
    // Touching gaps would be one gap with two annotations.
    if (startLine <= previousEnd + 1) return `${name} touches or overlaps the one before, or is out of order`;
    if (lineCount !== endLine - startLine + 1) return `${name} claims ${lineCount} lines`;
    previousEnd = endLine;
    pruned += lineCount;
  }
  const { originalLines, keptLines, prunedLines } = answer.stats;
  if (originalLines !== lines.length || prunedLines !== pruned || keptLines !== lines.length - pruned)
    return `the statistics say ${keptLines} + ${prunedLines} = ${originalLines} lines`;
  const expected = lines.length - pruned + (asked.includeMarkers ? answer.gaps.length : 0);
  const found = splitLines(answer.text).length;
  if (found !== expected) return `${expected} lines should be shown, ${found} are: a gap without an annotation`;
  return undefined;
}

function checkKept(trial: Trial, lines: readonly string[]): string | undefined {
  const { kept, surplus } = read(trial);
  const { annotateLines, firstLine } = trial.asked;
  for (const { number, line } of kept) {
    const raw = lines[number - firstLine];
    const expected = raw === undefined ? undefined : `${annotateLines ? `${number}│ ` : ''}${raw}`;
    if (line !== expected) return `line ${number} is shown as ${quote(line)} instead of ${quote(expected ?? '')}`;
  }
  return surplus > 0 ? `${surplus} lines too many are shown` : undefined;
}

/** Both ways: the annotation's marker says what its gap is, and the text shows that very marker. */
function checkMarkers(trial: Trial): string | undefined {
  const { markers } = read(trial);
  const { gaps, pruneId } = trial.answer;
  for (const [at, { startLine, endLine, lineCount, marker }] of gaps.entries()) {
    if (marker.includes('\n')) return `the marker of gap ${startLine}-${endLine} is more than one line`;
    const noun = lineCount === 1 ? 'line' : 'lines';
    const head =
      trial.asked.markers === 'canonical'
        ? `⟦PRUNÉ: prune_id=${pruneId} lignes ${startLine}-${endLine} (${lineCount}) raison=`
        : `⟦pruned ${startLine}-${endLine} (${lineCount} ${noun})⟧`;
    if (!marker.startsWith(head) || !marker.endsWith('⟧')) return `${quote(marker)} is not the marker of its gap`;
    const shown = (markers[at] ?? '').replace(/\r?\n$/, '');
    if (shown !== marker) return `${quote(shown)} stands where ${quote(marker)} belongs`;
  }
  return undefined;
}

/** By the same division that a caller would do, so that no rounding can be argued about. */
function checkRatio({ asked, answer }: Trial, lines: readonly string[]): string | undefined {
  const cut = cutLines(answer);
  if (lines.length === 0 || cut / lines.length <= asked.maxPruneRatio) return undefined;
  return `${cut} of ${lines.length} lines are cut, more than ${asked.maxPruneRatio}`;
}

function checkMinimum({ asked, answer }: Trial, lines: readonly string[]): string | undefined {
  const kept = lines.length - cutLines(answer);
  return kept >= asked.minKeepLines ? undefined : `${kept} lines are kept, fewer than ${asked.minKeepLines}`;
}

/** Seed 002 §9: the raw text, no annotation, and a warning that says why. */
function checkUntouched({ raw, answer }: Trial): string | undefined {
  if (answer.text !== raw || answer.gaps.length > 0) return 'the text was changed';
  return answer.warnings.includes('constraints_unmet') ? undefined : 'the warning constraints_unmet is missing';
}

function cutLines({ gaps }: Answer): number {
  return gaps.reduce((sum, { startLine, endLine }) => sum + endLine - startLine + 1, 0);
}

/** Indexes of the lines between the directives, both of them included. An unclosed one guards 200 lines. */
function guardedLines(lines: readonly string[]): number[] {
  const guarded: number[] = [];
  let open = -1;
  for (const [index, line] of lines.entries()) {
    if (open === -1 && line.includes('⟦NO_PRUNE_BEGIN⟧')) open = index;
    const closes = line.includes('⟦NO_PRUNE_END⟧');
    if (open !== -1 || closes) guarded.push(index);
    if (closes) open = -1;
  }
  return open === -1 ? guarded : guarded.filter((index) => index < open + 200);
}

function checkGuarded({ asked, answer }: Trial, guarded: readonly number[]): string | undefined {
  const lost = guarded
    .map((index) => index + asked.firstLine)
    .find((number) => answer.gaps.some(({ startLine, endLine }) => startLine <= number && number <= endLine));
  return lost === undefined ? undefined : `line ${lost} is protected by NO_PRUNE directives and was cut`;
}

function quote(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
}

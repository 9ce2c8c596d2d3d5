/** What was asked of a pruning, as far as its result must obey it. */
export interface Asked {
  readonly maxPruneRatio: number;
  readonly minKeepLines: number;
  readonly markers: 'compact' | 'canonical';
  readonly includeMarkers: boolean;
  readonly annotateLines: boolean;
  /** Number of the first line. */
  readonly firstLine: number;
}

/** What pruning answered. Named by its shape, so that nothing here depends on the engine. */
export interface Answer {
  readonly pruneId: string;
  readonly text: string;
  readonly gaps: readonly {
    readonly startLine: number;
    readonly endLine: number;
    readonly lineCount: number;
    readonly marker: string;
  }[];
  readonly stats: { readonly originalLines: number; readonly keptLines: number; readonly prunedLines: number };
  readonly warnings: readonly string[];
}

/** One pruning with its recovery. */
export interface Trial {
  readonly raw: string;
  readonly asked: Asked;
  readonly answer: Answer;
  /** All gaps in order, as `recover` gave them back in one call. */
  readonly recovered: string;
}

/** Puts the text together again without a look at the raw one. */
export function rebuild(trial: Trial): string {
  const { kept } = read(trial);
  const { gaps } = trial.answer;
  const returned = splitLines(trial.recovered);
  const byNumber = new Map<number, string>();
  for (const { number, line } of kept) {
    byNumber.set(number, trial.asked.annotateLines ? line.slice(`${number}│ `.length) : line);
  }
  let at = 0;
  for (const { startLine, endLine } of gaps) {
    for (let number = startLine; number <= endLine && at < returned.length; number += 1) {
      byNumber.set(number, returned[at++] ?? '');
    }
  }
  const whole = [...byNumber.keys()].sort((a, b) => a - b).map((number) => byNumber.get(number) ?? '');
  return [...whole, ...returned.slice(at)].join('');
}

/** Lines with their endings: a line ends at `\n` and nowhere else. */
export function splitLines(text: string): string[] {
  const lines = text.split('\n').map((line) => `${line}\n`);
  const last = text.slice(text.lastIndexOf('\n') + 1);
  lines.pop();
  if (last !== '') lines.push(last);
  return lines;
}

/** What the answer says of itself: which line it shows where, with the gaps taken at their word. */
export interface Reading {
  readonly kept: readonly { readonly number: number; readonly line: string }[];
  readonly markers: readonly string[];
  /** Lines left over, or missing, when the gaps are taken at their word. */
  readonly surplus: number;
}

/** Reads the pruned text line by line, counting past each gap; it never looks at the raw text. */
export function read({ asked, answer }: Trial): Reading {
  const shown = splitLines(answer.text);
  const kept: { number: number; line: string }[] = [];
  const markers: string[] = [];
  const end = asked.firstLine + answer.stats.originalLines;
  let at = 0;
  let number = asked.firstLine;
  // Bounded by the text, since a wrong gap may claim any range.
  const take = (until: number): void => {
    for (; number < Math.min(until, end); number += 1, at += 1) kept.push({ number, line: shown[at] ?? '' });
  };
  for (const gap of answer.gaps) {
    take(gap.startLine);
    if (asked.includeMarkers) markers.push(shown[at++] ?? '');
    number = gap.endLine + 1;
  }
  take(end);
  return { kept, markers, surplus: shown.length - at };
}

import { type JeevesScorer, pruneCase } from './jeeves.ts';
import { mean } from './metrics.ts';
import type { Suite } from './suites.ts';

/** What a reader gets when every option is left alone. */
export interface OperatingPoint {
  readonly cases: number;
  readonly keptShare: number;
  /** Share of gold lines kept, over the cases that have any; NaN when none has. */
  readonly goldKept: number;
  readonly criticalLines: number;
  readonly criticalMisses: number;
  readonly errorLines: number;
  readonly errorLinesLost: number;
  readonly violations: number;
}

/** A line that any reader of a log would call an error; written without a look at how the engine tells one. */
const ERROR_LINE =
  /(?:^|[\s[|"=])(?:ERROR|FATAL|CRITICAL|PANIC|SEVERE)\b|\berror(?:\[|:| TS\d)|##\[error\]|"level":"(?:error|fatal)"|\blevel=(?:error|fatal)\b|^Traceback |\bpanic: |^\s*not ok \d|^FAIL: |Exception: |^[A-Za-z]*Error: /;

export async function measureOperatingPoint(suite: Suite, { backend }: JeevesScorer): Promise<OperatingPoint> {
  const keptShares: number[] = [];
  const goldKept: number[] = [];
  let [criticalLines, criticalMisses, errorLines, errorLinesLost, violations] = [0, 0, 0, 0, 0];
  for (const benchCase of suite.cases) {
    const pruned = await pruneCase(backend, benchCase);
    const lost = (lines: readonly number[]): number => lines.filter((line) => !pruned.keptLines.has(line)).length;
    const errors = benchCase.source === 'logs' ? errorLinesOf(benchCase.lines) : [];
    keptShares.push(pruned.keptShare);
    if (benchCase.gold.length > 0) goldKept.push(1 - lost(benchCase.gold) / benchCase.gold.length);
    criticalLines += benchCase.mustSurvive.length;
    criticalMisses += lost(benchCase.mustSurvive);
    errorLines += errors.length;
    errorLinesLost += lost(errors);
    violations += pruned.violations;
  }
  const counts = { criticalLines, criticalMisses, errorLines, errorLinesLost, violations };
  return { cases: suite.cases.length, keptShare: mean(keptShares), goldKept: mean(goldKept), ...counts };
}

function errorLinesOf(lines: readonly string[]): number[] {
  return lines.flatMap((line, index) => (ERROR_LINE.test(line) ? [index + 1] : []));
}

import type { Measurement } from './measure.ts';

export interface Check {
  readonly name: string;
  readonly measured: string;
  readonly limit: string;
  readonly held: boolean;
}

export function checkLimits({
  rows,
  memory,
  singleLineMs,
}: {
  rows: readonly Measurement[];
  memory: number;
  singleLineMs: number;
}): Check[] {
  const find = (source: string, lines: number) => rows.find((row) => row.source === source && row.lines === lines);
  const checks: Check[] = [atMost('2,000 lines of code, p95', find('code', 2_000)?.p95, 15, 'ms')];
  for (const source of ['code', 'logs', 'docs']) {
    const small = find(source, 1_000);
    const large = find(source, 100_000);
    const growth =
      large === undefined || small === undefined ? undefined : large.p50 / large.lines / (small.p50 / small.lines);
    checks.push(atMost(`${source}: time per line at 100,000 over 1,000`, growth, 1.5, '×'));
    const slowest = Math.max(...rows.filter((row) => row.source === source).map((row) => row.p50 / row.bare));
    checks.push(atMost(`${source}: over the bare pass`, slowest, 25, '×'));
  }
  checks.push(atMost('memory beyond the text, 100,000 lines', memory, 10, '×'));
  checks.push(atMost('10 MB on one line', singleLineMs, 1_000, 'ms'));
  return checks;
}

function atMost(name: string, measured: number | undefined, limit: number, unit: string): Check {
  const shown = measured === undefined ? 'not measured' : `${measured.toFixed(2)} ${unit}`;
  return { name, measured: shown, limit: `≤ ${limit} ${unit}`, held: measured !== undefined && measured <= limit };
}

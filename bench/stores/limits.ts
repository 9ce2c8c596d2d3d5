import type { Measurement } from './measure.ts';

export interface Check {
  readonly what: string;
  readonly limitMs: number;
  readonly measuredMs: number;
  readonly held: boolean;
}

/** At the largest size. The tools on top of a store have 200 ms for usage and 1 s for an analysis: a store has less. */
export function checkLimits(rows: readonly Measurement[]): Check[] {
  const largest = Math.max(...rows.map(({ segments }) => segments));
  return rows
    .filter(({ segments }) => segments === largest)
    .flatMap(({ store, totals, list, search, searchStashed }) => [
      check(`${store}: totals, p95`, 100, totals.p95),
      check(`${store}: all metadata, p50`, 800, list.p50),
      check(`${store}: search, p95`, 50, search.p95),
      check(`${store}: search of the stash, p95`, 50, searchStashed.p95),
    ]);
}

function check(what: string, limitMs: number, measuredMs: number): Check {
  return { what, limitMs, measuredMs, held: measuredMs <= limitMs };
}

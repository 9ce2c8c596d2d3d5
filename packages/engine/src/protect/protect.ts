import type { SourceType } from '../backends/backend.ts';
import type { Lines } from '../split.ts';
import { protectCode } from './code.ts';
import { protectDirectives } from './directives.ts';
import { protectDocs } from './docs.ts';
import { protectLogs } from './logs.ts';

/** What must stay, whatever the goal and the limits. */
export interface Protection {
  /** 1 for each line that stays. */
  readonly lines: Uint8Array;
  /** Blocks `[first, end)` that stay or go as a whole. */
  readonly whole: readonly (readonly [first: number, end: number])[];
  readonly warnings: readonly string[];
}

/** NO_PRUNE blocks always; and what shows a text's structure, for a caller that names the source. */
export function protect(lines: Lines, source: SourceType | undefined): Protection {
  const keep = new Uint8Array(lines.length);
  const whole: (readonly [number, number])[] = [];
  if (source === 'code') protectCode(lines, keep);
  else if (source === 'logs') protectLogs(lines, keep);
  else if (source === 'docs') protectDocs(lines, keep, whole);
  const warnings = protectDirectives(lines, keep);
  return { lines: keep, whole, warnings };
}

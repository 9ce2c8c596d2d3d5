import { Buffer } from 'node:buffer';
import type { Gap, PruneResult } from '@jeeves/engine';
import { formatClosing } from '@jeeves/engine/marker';
import type { Answer } from '../pruner.ts';
import type { PrunerCall } from './call.ts';
import { PrunerFailure } from './failure.ts';

/** Below this saving the closing line is weighed in tokens too; above it cannot matter. */
const CLEAR_SAVING_BYTES = 1024;

/** Prunes in this process. */
export async function askEngine({ output, goal, timeoutMs, options }: PrunerCall): Promise<Answer> {
  const engine = await import('@jeeves/engine');
  const { text, source, firstLine = 1 } = output;
  const result = await engine.prune(
    { text, goal, source, firstLine, timeoutMs },
    {
      backend: options.backend ?? engine.createEmbeddedBackend(),
      store: options.store,
      newId: () => engine.newPruneId(options.randomBytes),
      now: options.now,
      // Nobody reads this number, so nobody pays for it.
      countTokens: () => ({ tokens: 0, method: 'estimate' }),
    },
  );
  if (result.stats.usedFallback) throw failureOf(result);
  const closing = formatClosing(result.pruneId);
  // That nothing is worth cutting is an answer like any other: applied, as large as raw, and without a closing line.
  if (result.gaps.length === 0 || !pays(text, `${result.text}\n${closing}`, engine.estimateTokens)) {
    return { text, structuredText: text, pruneId: result.pruneId };
  }
  return {
    text: result.text,
    structuredText: result.text,
    closing,
    kept: keptFlags(result.stats.originalLines, result.gaps, firstLine),
    pruneId: result.pruneId,
  };
}

/** A pruned output must never cost more than the raw one, closing line included. */
function pays(raw: string, pruned: string, estimateTokens: (text: string) => number): boolean {
  const saved = Buffer.byteLength(raw) - Buffer.byteLength(pruned);
  if (saved < 0) return false;
  return saved >= CLEAR_SAVING_BYTES || estimateTokens(pruned) < estimateTokens(raw);
}

function failureOf({ warnings }: PruneResult): PrunerFailure {
  if (warnings.includes('timeout')) return new PrunerFailure('timeout', 'The embedded engine ran out of time.');
  if (warnings.includes('store_failed')) {
    return new PrunerFailure('invalid_response', 'The output could not be stored for recovery, so it is whole.');
  }
  return new PrunerFailure('invalid_response', 'The embedded engine failed.');
}

function keptFlags(lineCount: number, gaps: readonly Gap[], firstLine: number): Uint8Array {
  const kept = new Uint8Array(lineCount).fill(1);
  for (const { startLine, endLine } of gaps) kept.fill(0, startLine - firstLine, endLine - firstLine + 1);
  return kept;
}

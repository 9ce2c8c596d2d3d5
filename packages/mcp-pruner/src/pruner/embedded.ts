import { Buffer } from 'node:buffer';
import type { Gap, PruneResult } from '@jeeves/engine';
import { formatClosing } from '@jeeves/engine/marker';
import type { Answer } from '../pruner.ts';
import type { PrunerCall } from './call.ts';
import { PrunerFailure } from './failure.ts';

/** The closing line of a pruned output, in tokens. */
const CLOSING_TOKENS = 48;

/** Below this saving the closing line is weighed in tokens too; above it cannot matter. */
const CLEAR_SAVING_BYTES = 1024;

/** Prunes in this process, within what the reader wants to spend. */
export async function askEngine({ output, goal, timeoutMs, options }: PrunerCall): Promise<Answer> {
  const engine = await import('@jeeves/engine');
  const { raw, source, budget, strip = false, firstLine = 1 } = output;
  const result = await engine.pruneCapture(
    {
      raw,
      strip,
      goal,
      source,
      firstLine,
      timeoutMs,
      limits: { maxTokens: budget.maxTokens },
      aroundTokens: budget.aroundTokens + CLOSING_TOKENS,
    },
    {
      backend: options.backend ?? engine.createLexicalBackend(),
      store: options.store,
      newId: () => engine.newPruneId(options.randomBytes),
      now: options.now,
      // Token counts are not shown here, so they are not taken.
      countTokens: () => ({ tokens: 0, method: 'estimate' }),
    },
  );
  if (result.stats.usedFallback) throw failureOf(result);
  const { pruneId, text, gaps } = result;
  const about = { pruneId, ...(result.stripped && { stripped: true as const }) };
  // That nothing is worth cutting is an answer like any other: applied, and without a closing line.
  if (gaps.length === 0) return { text, structuredText: text, ...about };
  const closing = formatClosing(pruneId);
  const original = typeof raw === 'string' ? raw : smallText(raw);
  if (original !== undefined) {
    const shown = strip ? engine.stripControls(original) : original;
    const fits = engine.estimateTokens(shown) + budget.aroundTokens <= budget.maxTokens;
    if (fits && !pays(shown, `${text}\n${closing}`, engine.estimateTokens)) {
      return { text: shown, structuredText: shown, ...about };
    }
  }
  return {
    text,
    structuredText: text,
    closing,
    ...(output.onlySentLines === true && { kept: keptFlags(result.stats.originalLines, gaps, firstLine) }),
    ...about,
  };
}

/** Only a text that is not much larger than a reply can be cheaper whole. */
function smallText(raw: Uint8Array): string | undefined {
  return raw.length > SMALL_BYTES ? undefined : Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).toString('utf8');
}

const SMALL_BYTES = 256 * 1024;

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

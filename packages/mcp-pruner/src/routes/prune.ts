import type { PruneResult, PruneStats } from '@jeeves/engine';
import { type SwePruneRequest, type SwePruneResponse, toPruneTextResult } from '@jeeves/protocol';
import { jsonReply, type Route } from '../host/http/route.ts';
import type { TextService } from '../tools/text/service.ts';
import { readPruneBody } from './prune/body.ts';
import { type Filtered, filtered } from './prune/filtered.ts';

/** `POST /prune`: the contract of the swe-pruner service, answered by the embedded engine. */
export function createPruneRoute(text: TextService): Route {
  return {
    method: 'POST',
    path: '/prune',
    async handle({ body }) {
      const read = readPruneBody(body);
      return read.ok ? jsonReply(200, await pruned(read.request, text)) : jsonReply(422, { detail: read.detail });
    },
  };
}

async function pruned(request: SwePruneRequest, service: TextService): Promise<SwePruneResponse> {
  const { query, code, threshold, max_tokens: maxTokens } = request;
  const { estimateTokens, split } = await import('@jeeves/engine');
  const lines = split(code);
  const keepFirst = request.always_keep_first_frags;
  // The contract has markers and a threshold of its own: what a gap is worth beside ours must not overrule them.
  const result = await service.pruneEmbedded({
    text: code,
    goal: query,
    threshold,
    worthwhileGaps: false,
    ...(maxTokens !== undefined && { limits: { maxTokens } }),
    ...(keepFirst && lines.length > 0 && { aroundTokens: estimateTokens(lines.raw(0)) }),
  });
  const { scores } = result;
  const { text, kept } = filtered(lines, result.gaps, { keepFirst, strict: maxTokens !== undefined });
  const stats = shownStats(result, { text, kept }, service);
  service.tally.add(toPruneTextResult({ ...result, stats }));
  const judged = scores !== undefined && scores.length > 0;
  return {
    score: judged ? scores.reduce((best, score) => Math.max(best, score), 0) : 0,
    pruned_code: text,
    token_scores: [],
    kept_frags: kept,
    origin_token_cnt: stats.tokensBefore,
    left_token_cnt: stats.tokensAfter,
    model_input_token_cnt: judged ? stats.tokensBefore : 0,
    error_msg: stats.usedFallback ? (result.warnings.at(-1) ?? 'internal_error') : null,
  };
}

/** The engine counted with markers of its own, and before lines were put back. */
function shownStats({ stats, gaps }: PruneResult, { text, kept }: Filtered, { countTokens }: TextService): PruneStats {
  if (gaps.length === 0) return stats;
  const prunedLines = stats.originalLines - kept.length;
  return {
    ...stats,
    keptLines: kept.length,
    prunedLines,
    prunedRatio: prunedLines / stats.originalLines,
    tokensAfter: prunedLines === 0 ? stats.tokensBefore : (countTokens?.(text).tokens ?? stats.tokensAfter),
  };
}

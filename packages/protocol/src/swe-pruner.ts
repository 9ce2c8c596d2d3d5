import * as z from 'zod';
import { MAX_TOKENS } from './tools/fields.ts';

/** Body of `POST /prune`: the swe-pruner contract, which `query` and `code` alone satisfy. */
export interface SwePruneRequest {
  /** The goal. */
  readonly query: string;
  /** The raw text. */
  readonly code: string;
  /** Keep a line whose score reaches this; 0.5 when left out. */
  readonly threshold: number;
  /** Keep the first line whatever its score; false when left out. */
  readonly always_keep_first_frags: boolean;
  /** Without effect here: texts are judged in one piece. */
  readonly chunk_overlap_tokens: number;
  /** The most tokens (o200k) that `pruned_code` may take; the engine's own budget when left out. */
  readonly max_tokens?: number | undefined;
}

export interface SwePruneResponse {
  /** How relevant the text is as a whole, 0..1. */
  readonly score: number;
  readonly pruned_code: string;
  /** Always empty here: one pair per token would outweigh what pruning saves. */
  readonly token_scores: readonly (readonly [string, number])[];
  /** Numbers of the kept lines, from 1. */
  readonly kept_frags: readonly number[];
  readonly origin_token_cnt: number;
  readonly left_token_cnt: number;
  readonly model_input_token_cnt: number;
  readonly error_msg: string | null;
}

/** Other swe-pruner clients send fields of their own, which are ignored. */
export const SWE_PRUNE_REQUEST: z.ZodType<SwePruneRequest> = z.object({
  query: z.string(),
  code: z.string(),
  threshold: z.number().default(0.5),
  always_keep_first_frags: z.boolean().default(false),
  chunk_overlap_tokens: z.int().min(0).default(50),
  max_tokens: MAX_TOKENS,
});

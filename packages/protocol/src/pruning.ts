import * as z from 'zod';

/** Why a tool's output came back whole. */
export type PruningReason =
  | 'disabled_or_unconfigured'
  | 'no_focus_question'
  | 'too_large'
  | 'output_empty'
  | 'pruner_error';

/** How the pruner failed. */
export type PruningErrorCode = 'timeout' | 'http_error' | 'invalid_response';

/** What happened to a tool's output on its way to the agent. Accompanies every result of `read`, `bash` and `grep`. */
export interface PruningMetadata {
  /** The pruner was asked. */
  readonly attempted: boolean;
  /** Its answer stands in the result. */
  readonly applied: boolean;
  /** It was asked and failed, so the raw output stands in the result. */
  readonly fallback: boolean;
  /** Set whenever `applied` is false. */
  readonly reason?: PruningReason | undefined;
  /** Bytes that were eligible for pruning, after any cut to `max_output_bytes`. */
  readonly raw_bytes: number;
  /** Only when `applied`. */
  readonly pruned_bytes?: number | undefined;
  readonly pruner_duration_ms?: number | undefined;
  /** Only with the reason `pruner_error`. */
  readonly error?: { readonly code: PruningErrorCode; readonly message: string } | undefined;
  /** Gives the raw output back through `recover_text`. */
  readonly prune_id?: string | undefined;
  /** Who was asked: a service, or the engine in this process. */
  readonly backend?: 'http' | 'embedded' | undefined;
  /** False when a service's answer could not be matched to the lines that were sent. */
  readonly aligned?: boolean | undefined;
  /** True when colour and cursor codes of a command were left out; the raw output has them still. */
  readonly stripped?: true | undefined;
  /** Of `bash` when both streams were cut: the id of stderr, while `prune_id` is that of stdout. */
  readonly stderr_prune_id?: string | undefined;
  /** `marker_in_input`: lines of the output only look like markers of ours. */
  readonly warnings?: readonly string[] | undefined;
}

const COUNT = z.number().min(0);

/** For readers of results and event files. Fields of later versions are dropped, never an error. */
export const PRUNING_METADATA: z.ZodType<PruningMetadata> = z.object({
  attempted: z.boolean(),
  applied: z.boolean(),
  fallback: z.boolean(),
  reason: z
    .enum(['disabled_or_unconfigured', 'no_focus_question', 'too_large', 'output_empty', 'pruner_error'])
    .optional(),
  raw_bytes: COUNT,
  pruned_bytes: COUNT.optional(),
  pruner_duration_ms: COUNT.optional(),
  error: z.object({ code: z.enum(['timeout', 'http_error', 'invalid_response']), message: z.string() }).optional(),
  prune_id: z.string().optional(),
  backend: z.enum(['http', 'embedded']).optional(),
  aligned: z.boolean().optional(),
  stripped: z.literal(true).optional(),
  stderr_prune_id: z.string().optional(),
  warnings: z.array(z.string()).max(20).optional(),
});

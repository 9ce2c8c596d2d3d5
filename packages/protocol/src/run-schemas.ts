import * as z from 'zod';
import type { Ledger, LedgerCall, LedgerFigure, LedgerTotal, RunFile, SdkOutput } from './run-record.ts';
import type { JsonSchema } from './tools/listing.ts';

// For readers of records. Fields of later versions are dropped, never an error.

const COUNT = z.number().min(0);
const BASIS = z.enum(['measured', 'estimated']);
const STATUS = z.enum(['running', 'succeeded', 'failed', 'cancelled', 'timed_out']);
const TIME = z.iso.datetime();

const TOTAL = { tokens: z.number(), processed_tokens: z.number(), cost_usd: z.number(), basis: BASIS };
const LEDGER_TOTAL: z.ZodType<LedgerTotal> = z.object(TOTAL);
const FIGURE: z.ZodType<LedgerFigure> = z.object({ ...TOTAL, count: COUNT });

const SIMULATED = z.literal(true).optional();

const LEDGER_CALL: z.ZodType<LedgerCall> = z.object({
  tool_use_id: z.string(),
  tool: z.string(),
  own_tokens: COUNT,
  shown_tokens: COUNT,
  saved_tokens: z.number(),
  limit: z
    .enum([
      'claude_bash_persisted',
      'claude_bash_failed',
      'claude_read_size',
      'claude_read_tokens',
      'claude_grep_lines',
      'claude_grep_persisted',
      'codex_output',
    ])
    .optional(),
  basis: BASIS,
});

const LEDGER: z.ZodType<Ledger> = z.object({
  schema: z.literal('jeeves.ledger.v1'),
  simulated: SIMULATED,
  reader: z.enum(['claude', 'codex', 'limitless']),
  counter: z.enum(['o200k', 'estimate']),
  requests: z.object({ count: COUNT, basis: BASIS }),
  prices: z.object({
    input: COUNT,
    output: COUNT,
    cache_write: COUNT,
    cache_read: COUNT,
    basis: z.enum(['given', 'assumed']),
  }),
  calls: z.object({ pruner: COUNT, pruned: COUNT, other: COUNT }),
  per_call: z.array(LEDGER_CALL),
  removed: FIGURE,
  spent: z.object({
    overshown: FIGURE,
    recovered: FIGURE,
    reread: FIGURE,
    markers: FIGURE,
    schemas: FIGURE,
    questions: FIGURE,
    extra_requests: FIGURE,
  }),
  gross: LEDGER_TOTAL,
  net: LEDGER_TOTAL,
});

/** `run.json` */
export const RUN_FILE: z.ZodType<RunFile> = z.object({
  schema: z.literal('jeeves.run.v1'),
  run_id: z.string(),
  provider: z.string(),
  model: z.string().nullable(),
  cwd: z.string(),
  pid: COUNT,
  started_at: TIME,
  ended_at: TIME.nullable(),
  status: STATUS,
  simulated: SIMULATED,
  states: z.array(
    z.enum([
      'run:init',
      'run:mcp_pruner_disabled',
      'run:mcp_pruner_starting',
      'run:mcp_pruner_running',
      'run:mcp_pruner_degraded',
      'run:shutdown',
    ]),
  ),
  error: z.string().optional(),
  error_type: z.string().optional(),
  ledger: LEDGER.optional(),
  workflow: z.string().optional(),
  phases: z
    .array(z.object({ phase: z.string(), directory: z.string(), status: STATUS, next: z.string().nullable() }))
    .optional(),
});

const COMPRESSION = z.object({
  mode: z.enum(['none', 'truncated_preview', 'extractive_summary']),
  raw_char_count: COUNT,
  summary_char_count: COUNT,
  truncation_reason: z.literal('max_chars').optional(),
  structured_summary: z.record(z.string(), z.unknown()).optional(),
});

const RETRIEVAL = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('available'),
    handle: z.string(),
    artifact_paths: z.array(z.string()),
    mime: z.literal('text/plain; charset=utf-8'),
    chunk_count: COUNT,
  }),
  z.object({ status: z.literal('not_applicable'), not_applicable_reason: z.string() }),
]);

/** `sdk-output.json` */
export const SDK_OUTPUT: z.ZodType<SdkOutput> = z.object({
  schema: z.literal('jeeves.sdk.v1'),
  session_id: z.string().nullable(),
  started_at: TIME,
  ended_at: TIME.nullable(),
  success: z.boolean().nullable(),
  messages: z.array(
    z.object({
      type: z.enum(['system', 'user', 'assistant', 'result']),
      content: z.string(),
      subtype: z.string().optional(),
      timestamp: TIME,
    }),
  ),
  tool_calls: z.array(
    z.object({
      name: z.string(),
      input: z.record(z.string(), z.unknown()),
      tool_use_id: z.string(),
      timestamp: TIME,
      duration_ms: COUNT.nullable(),
      is_error: z.boolean().nullable(),
      response_text: z.string().nullable(),
      response_truncated: z.boolean(),
      response_compression: COMPRESSION.nullable(),
      response_retrieval: RETRIEVAL.nullable(),
    }),
  ),
  stats: z.object({
    message_count: COUNT,
    tool_call_count: COUNT,
    duration_seconds: COUNT,
    input_tokens: COUNT.nullable(),
    output_tokens: COUNT.nullable(),
    cache_read_input_tokens: COUNT.nullable(),
    cache_creation_input_tokens: COUNT.nullable(),
    total_cost_usd: COUNT.nullable(),
    num_turns: COUNT.nullable(),
    simulated: SIMULATED,
  }),
  error: z.string().optional(),
  error_type: z.string().optional(),
});

/** The same for whoever reads records with other means. */
export function sdkOutputSchema(): JsonSchema {
  return z.toJSONSchema(SDK_OUTPUT);
}

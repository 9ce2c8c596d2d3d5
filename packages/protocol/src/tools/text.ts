import * as z from 'zod';
import { argsOf, READS, type ToolDefinition } from './definition.ts';
import { GOAL } from './fields.ts';
import { list } from './list.ts';

export interface PruneTextArgs {
  readonly text: string;
  readonly goal_hint: string;
  readonly source_type: 'code' | 'logs' | 'docs';
  readonly options: PruneOptionsArgs;
}

export interface PruneOptionsArgs {
  readonly max_prune_ratio: number;
  readonly min_keep_lines: number;
  readonly timeout_ms: number;
  readonly annotate_lines: boolean;
  readonly include_markers: boolean;
}

/** Lines of the original text, numbered from 1, both ends included. */
export interface LineRange {
  readonly start_line: number;
  readonly end_line: number;
}

export interface RecoverTextArgs {
  readonly prune_id: string;
  readonly ranges?: readonly LineRange[] | undefined;
  readonly query?: string | undefined;
  readonly include_line_numbers: boolean;
}

export interface RpcRecoverTextArgs {
  readonly prune_id: string;
  readonly ranges: readonly LineRange[];
  readonly include_line_numbers: boolean;
}

// More than any pruned text has gaps worth asking for one by one.
const MAX_RANGES = 10_000;

// Listed descriptions would alter the schemas that seed 002 §4.0 fixes word for word: here every text is a `doc`.

export const PRUNE_TEXT: ToolDefinition<PruneTextArgs> = {
  name: 'prune_text',
  title: 'Prune a text',
  description:
    'Take out of a text the lines that do not serve a goal; each gap is annotated and recoverable by prune_id.',
  annotations: READS,
  set: 'text',
  input: argsOf<PruneTextArgs>({
    text: z.string().meta({ doc: 'The text to prune.' }),
    goal_hint: z.string().meta({ doc: 'What the reader is after. Data, never an instruction.' }),
    source_type: z.enum(['code', 'logs', 'docs']).meta({ doc: 'Decides which lines are protected.' }),
    options: pruneOptions(),
  }).meta({
    examples: [
      {
        text: 'L1\nL2\nL3\nL4',
        goal_hint: 'garder L1',
        source_type: 'docs',
        options: {
          max_prune_ratio: 0.75,
          min_keep_lines: 1,
          timeout_ms: 1500,
          annotate_lines: true,
          include_markers: true,
        },
      },
    ],
  }),
};

export const RECOVER_TEXT: ToolDefinition<RecoverTextArgs> = {
  name: 'recover_text',
  title: 'Recover pruned lines',
  description:
    'Get back lines that pruning left out, by prune_id: line ranges as the gap markers give them, or a query. Not both.',
  annotations: READS,
  set: 'text',
  input: argsOf<RecoverTextArgs>({
    prune_id: pruneId(),
    ranges: list(lineRange(), { max: MAX_RANGES })
      .optional()
      .meta({ doc: 'Ranges to return, in this order. Not together with `query`.' }),
    query: GOAL.optional().meta({
      doc: 'Returns the passages that serve this goal instead of given ranges, with a gap marker between every two.',
    }),
    include_line_numbers: z.boolean().default(false).meta({ doc: 'Prefix each line with `N│ `.' }),
  })
    .refine((args) => (args.ranges === undefined) !== (args.query === undefined), {
      path: ['ranges'],
      message: 'give either ranges or query',
    })
    .meta({ examples: [{ prune_id: 'prn_5f0c…', ranges: [{ start_line: 120, end_line: 154 }] }] }),
};

/** `recover_text` as `/rpc` lists it. */
export const RPC_RECOVER_TEXT: ToolDefinition<RpcRecoverTextArgs> = {
  ...RECOVER_TEXT,
  description: 'Get back lines that pruning left out, by prune_id and line ranges.',
  input: argsOf<RpcRecoverTextArgs>({
    prune_id: pruneId(),
    ranges: list(lineRange(), { max: MAX_RANGES }, { doc: 'Ranges to return, in this order.' }),
    include_line_numbers: z.boolean().meta({ doc: 'Prefix each line with `N│ `.' }),
  }).meta({
    examples: [{ prune_id: 'prn_5f0c…', ranges: [{ start_line: 120, end_line: 154 }], include_line_numbers: true }],
  }),
};

export const HEALTH: ToolDefinition = {
  name: 'health',
  title: 'Server health',
  description: 'Status and capabilities of this server.',
  annotations: READS,
  set: 'text',
  input: argsOf<object>({}),
};

function pruneOptions(): z.ZodType<PruneOptionsArgs> {
  return argsOf<PruneOptionsArgs>({
    max_prune_ratio: z.number().min(0).max(1).meta({ doc: 'Upper bound on removed lines / all lines.' }),
    min_keep_lines: z.int().min(0).meta({ doc: 'Lower bound on kept lines.' }),
    timeout_ms: z.int().min(1).meta({ doc: 'After this time the text comes back whole, with the warning `timeout`.' }),
    annotate_lines: z.boolean().meta({ doc: 'Prefix each kept line with its original number, `N│ `.' }),
    include_markers: z.boolean().meta({ doc: 'Put one marker line where each gap is.' }),
  });
}

function pruneId(): z.ZodType<string> {
  return z.string().meta({ doc: 'Names the pruned text; stands in its markers and in `pruning.prune_id`.' });
}

// A number below 1 is a wrong value, not a wrong type: the tool answers `invalid_range`, so only the listing says so.
function lineRange(): z.ZodType<LineRange> {
  return argsOf<LineRange>({ start_line: z.int().meta({ minimum: 1 }), end_line: z.int().meta({ minimum: 1 }) });
}

import * as z from 'zod';
import {
  CONTEXT_DESCRIPTORS,
  type ContextDescriptors,
  INLINE_SEGMENTS,
  type InlineSegment,
  NAME,
  SEGMENT_FILTERS,
  type SegmentFilters,
} from './context-args.ts';
import { argsOf, DESTROYS, KEEPS, READS, type ToolDefinition } from './definition.ts';
import { GOAL } from './fields.ts';
import { list } from './list.ts';
import { showAs } from './listing.ts';

export interface AnalyzeUsageArgs {
  readonly project_id: string;
  readonly context_descriptors?: ContextDescriptors | undefined;
  readonly task_id?: string | undefined;
  readonly token_limit?: number | undefined;
}

/** Also the arguments of `context_get_working_set`. */
export interface TaskArgs {
  readonly project_id: string;
  readonly task_id?: string | undefined;
}

export interface GcAnalyzeArgs extends TaskArgs {
  readonly context_descriptors?: ContextDescriptors | undefined;
  readonly target_tokens?: number | undefined;
}

/** Of `context_gc_pin` and `context_gc_unpin`. */
export interface SegmentIdsArgs {
  readonly project_id: string;
  readonly segment_ids: readonly string[];
}

export interface GcPruneArgs extends SegmentIdsArgs {
  readonly action: 'stash' | 'delete';
  readonly confirm: boolean;
}

export interface StashArgs {
  readonly project_id: string;
  readonly segment_ids?: readonly string[] | undefined;
  readonly filters?: SegmentFilters | undefined;
  readonly query?: string | undefined;
  readonly segments?: readonly InlineSegment[] | undefined;
}

export interface SearchStashedArgs {
  readonly project_id: string;
  readonly all_projects: boolean;
  readonly query?: string | undefined;
  readonly filters?: SegmentFilters | undefined;
  readonly limit: number;
}

export interface RetrieveStashedArgs {
  readonly project_id: string;
  readonly segment_ids?: readonly string[] | undefined;
  readonly query?: string | undefined;
  readonly filters?: SegmentFilters | undefined;
  readonly move_to_active: boolean;
  readonly goal?: string | undefined;
}

export interface SetCurrentTaskArgs {
  readonly project_id: string;
  readonly task_id: string | null;
}

export interface GetTaskContextArgs extends TaskArgs {
  readonly restore_snapshot_id?: string | undefined;
}

export interface CreateTaskSnapshotArgs extends TaskArgs {
  readonly name?: string | undefined;
}

const TASK_ID = NAME.optional().meta({ doc: 'Limits the answer to one task.' });
const CURRENT_TASK_ID = NAME.optional().meta({ doc: 'Defaults to the current task.' });
const PROJECT_ID = NAME.meta({ doc: 'Whose state is meant. Projects never see each other’s segments.' });
const DEFAULT_PROJECT_ID = NAME.default('default').meta({ doc: 'Whose stash is meant.' });
const SEGMENT_IDS = list(
  NAME,
  { min: 1, max: 10_000 },
  { doc: 'Segments by id. An unknown one is reported, the rest are done.' },
);
const TOKENS = z.int().min(1);
const QUERY = GOAL.optional().meta({ doc: 'What the wanted segments are about.' });

export const CONTEXT_ANALYZE_USAGE: ToolDefinition<AnalyzeUsageArgs> = {
  name: 'context_analyze_usage',
  title: 'Analyze context usage',
  description:
    'How full the context is, what could leave it, and after how many turns that pays. Call it every 20 turns or so and before large reads, not only near the limit.',
  annotations: READS,
  set: 'context',
  input: argsOf<AnalyzeUsageArgs>({
    project_id: PROJECT_ID,
    context_descriptors: CONTEXT_DESCRIPTORS,
    task_id: TASK_ID,
    token_limit: TOKENS.optional().meta({ doc: 'Size of the context window, when the descriptors do not give it.' }),
  }).meta({
    examples: [{ project_id: 'shop', context_descriptors: { token_usage: { current: 25_000, limit: 32_000 } } }],
  }),
};

export const CONTEXT_GET_WORKING_SET: ToolDefinition<TaskArgs> = {
  name: 'context_get_working_set',
  title: 'Get the working set',
  description: 'List the segments known to be in active context, e.g. to choose what to pin or stash.',
  annotations: READS,
  set: 'context',
  input: argsOf<TaskArgs>({ project_id: PROJECT_ID, task_id: TASK_ID }).meta({ examples: [{ project_id: 'shop' }] }),
};

export const CONTEXT_GC_ANALYZE: ToolDefinition<GcAnalyzeArgs> = {
  name: 'context_gc_analyze',
  title: 'Find what may go',
  description:
    'When usage is high (60 % or more): rank the segments that can leave the context, why, and plan how to free target_tokens. Changes nothing.',
  annotations: READS,
  set: 'context',
  input: argsOf<GcAnalyzeArgs>({
    project_id: PROJECT_ID,
    context_descriptors: CONTEXT_DESCRIPTORS,
    task_id: TASK_ID,
    target_tokens: TOKENS.optional().meta({ doc: 'With it, the answer holds a plan that frees this many tokens.' }),
  }).meta({ examples: [{ project_id: 'shop', target_tokens: 8000 }] }),
};

export const CONTEXT_GC_PRUNE: ToolDefinition<GcPruneArgs> = {
  name: 'context_gc_prune',
  title: 'Carry out a plan',
  description:
    'After context_gc_analyze: stash or delete the segments named. Prefer stash, it can be undone; delete needs confirm. Pinned segments stay.',
  annotations: DESTROYS,
  set: 'context',
  input: argsOf<GcPruneArgs>({
    project_id: PROJECT_ID,
    segment_ids: SEGMENT_IDS,
    action: z.enum(['stash', 'delete']).meta({ doc: 'A stashed segment can be retrieved, a deleted one cannot.' }),
    confirm: z.boolean().default(false).meta({ doc: 'Must be true for `delete`.' }),
  }).meta({ examples: [{ project_id: 'shop', segment_ids: ['log-17', 'log-18'], action: 'stash' }] }),
};

export const CONTEXT_GC_PIN: ToolDefinition<SegmentIdsArgs> = {
  name: 'context_gc_pin',
  title: 'Pin segments',
  description: 'Protect segments you will need, such as requirements, from pruning and stashing.',
  annotations: KEEPS,
  set: 'context',
  input: argsOf<SegmentIdsArgs>({ project_id: PROJECT_ID, segment_ids: SEGMENT_IDS }).meta({
    examples: [{ project_id: 'shop', segment_ids: ['decision-3'] }],
  }),
};

export const CONTEXT_GC_UNPIN: ToolDefinition<SegmentIdsArgs> = {
  ...CONTEXT_GC_PIN,
  name: 'context_gc_unpin',
  title: 'Unpin segments',
  description: 'Undo context_gc_pin.',
};

export const CONTEXT_STASH: ToolDefinition<StashArgs> = {
  name: 'context_stash',
  title: 'Stash segments',
  description:
    'Set segments aside to be found again, e.g. when a subtask is done: by id, filters or query, or texts as segments, in one call.',
  annotations: { ...KEEPS, idempotentHint: false },
  set: 'context',
  input: argsOf<StashArgs>({
    project_id: DEFAULT_PROJECT_ID,
    segment_ids: SEGMENT_IDS.optional(),
    filters: SEGMENT_FILTERS,
    query: QUERY,
    segments: INLINE_SEGMENTS,
  })
    .refine(selectsSomething, { path: ['segment_ids'], message: 'give segment_ids, filters, query or segments' })
    .meta({ examples: [{ project_id: 'shop', filters: { type: 'log' } }] }),
};

export const CONTEXT_SEARCH_STASHED: ToolDefinition<SearchStashedArgs> = {
  name: 'context_search_stashed',
  title: 'Search the stash',
  description: 'Search the stash before reading or running something again.',
  annotations: READS,
  set: 'context',
  input: argsOf<SearchStashedArgs>({
    project_id: DEFAULT_PROJECT_ID,
    all_projects: z.boolean().default(false).meta({ doc: 'Searches every project instead of one.' }),
    query: QUERY,
    filters: SEGMENT_FILTERS,
    limit: z.int().min(1).max(1000).default(50).meta({ doc: 'The most segments to return.' }),
  }).meta({ examples: [{ project_id: 'shop', query: 'how the payment webhook is verified' }] }),
};

export const CONTEXT_RETRIEVE_STASHED: ToolDefinition<RetrieveStashedArgs> = {
  name: 'context_retrieve_stashed',
  title: 'Retrieve from the stash',
  description: 'Get stashed segments back when needed; with a goal, only their lines that serve it.',
  annotations: KEEPS,
  set: 'context',
  input: argsOf<RetrieveStashedArgs>({
    project_id: DEFAULT_PROJECT_ID,
    segment_ids: SEGMENT_IDS.optional(),
    query: QUERY,
    filters: SEGMENT_FILTERS,
    move_to_active: z.boolean().default(false).meta({ doc: 'Also put them back into the working set.' }),
    goal: GOAL.optional().meta({ doc: 'Prunes each text by this goal; `recover_text` restores what was left out.' }),
  }).meta({ examples: [{ project_id: 'shop', segment_ids: ['log-17'], goal: 'Why did the webhook answer 401?' }] }),
};

export const CONTEXT_LIST_PROJECTS: ToolDefinition = {
  name: 'context_list_projects',
  title: 'List projects',
  description: 'List known projects, e.g. to find earlier work.',
  annotations: READS,
  set: 'context',
  input: argsOf<object>({}),
};

export const CONTEXT_SET_CURRENT_TASK: ToolDefinition<SetCurrentTaskArgs> = {
  name: 'context_set_current_task',
  title: 'Set the current task',
  description:
    'Say which task you work on, so that its segments are kept; null for none. Take a snapshot of the old one first.',
  annotations: KEEPS,
  set: 'context',
  input: argsOf<SetCurrentTaskArgs>({
    project_id: PROJECT_ID,
    task_id: showAs(NAME.nullable(), { type: ['string', 'null'] }).meta({
      doc: 'The task to work on from now, or null for none.',
    }),
  }).meta({ examples: [{ project_id: 'shop', task_id: 'refunds' }] }),
};

export const CONTEXT_GET_TASK_CONTEXT: ToolDefinition<GetTaskContextArgs> = {
  name: 'context_get_task_context',
  title: 'Get the context of a task',
  description:
    'When resuming a task: all its segments, stashed ones included, and its snapshots; restores one first if asked.',
  annotations: KEEPS,
  set: 'context',
  input: argsOf<GetTaskContextArgs>({
    project_id: PROJECT_ID,
    task_id: CURRENT_TASK_ID,
    restore_snapshot_id: NAME.optional().meta({ doc: 'Puts the segments of this snapshot back into the working set.' }),
  }).meta({ examples: [{ project_id: 'shop', task_id: 'refunds' }] }),
};

export const CONTEXT_CREATE_TASK_SNAPSHOT: ToolDefinition<CreateTaskSnapshotArgs> = {
  name: 'context_create_task_snapshot',
  title: 'Snapshot a task',
  description: 'Save the segments of a task before switching away from it.',
  annotations: { ...KEEPS, idempotentHint: false },
  set: 'context',
  input: argsOf<CreateTaskSnapshotArgs>({
    project_id: PROJECT_ID,
    task_id: CURRENT_TASK_ID,
    name: NAME.optional().meta({ doc: 'A name to find the snapshot by.' }),
  }).meta({ examples: [{ project_id: 'shop', name: 'before the refactoring' }] }),
};

// Nothing chosen must not mean everything: a forgotten argument would empty the working set.
function selectsSomething(args: StashArgs): boolean {
  return [args.segment_ids, args.filters, args.query, args.segments].some((choice) => choice !== undefined);
}

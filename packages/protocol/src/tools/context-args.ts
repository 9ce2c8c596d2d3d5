import * as z from 'zod';
import { shapeProblem } from '../shape.ts';
import { argsOf } from './definition.ts';
import { PATH } from './fields.ts';
import { list } from './list.ts';
import { showAs } from './listing.ts';

/** What a piece of a conversation is; decides how soon it may go. */
export type SegmentType = 'message' | 'code' | 'log' | 'note' | 'decision' | 'summary';

/** What the platform says about its own context; the server only advises and never touches it. */
export interface ContextDescriptors {
  /** Empty when left out. */
  readonly recent_messages: readonly DescribedMessage[];
  readonly current_file?: DescribedFile | null | undefined;
  readonly token_usage: DescribedUsage;
  /** Empty when left out. */
  readonly segment_summaries: readonly DescribedSegment[];
  readonly task_info?: DescribedTask | null | undefined;
}

export interface DescribedMessage {
  /** The platform's own name for it. Left out, its contents name it: `msg_…`, the same however often it is sent. */
  readonly segment_id?: string | undefined;
  readonly role: 'user' | 'assistant' | 'system';
  readonly content: string;
  /** As the platform counts them; estimated when left out. */
  readonly tokens?: number | undefined;
  readonly timestamp?: string | undefined;
}

export interface DescribedFile {
  readonly path: string;
  readonly name?: string | undefined;
  readonly extension?: string | undefined;
  readonly line_count?: number | undefined;
  readonly current_line?: number | undefined;
}

export interface DescribedUsage {
  readonly current: number;
  readonly limit: number;
  /** Computed when left out. */
  readonly usage_percent?: number | undefined;
}

export interface DescribedSegment {
  readonly segment_id: string;
  readonly type: SegmentType;
  readonly preview: string;
  readonly tokens: number;
  readonly created_at?: string | undefined;
  /** The task it belongs to. Left out, it is the one that was current when the segment was first described. */
  readonly task_id?: string | undefined;
  /** The file it shows: a later read of the same file supersedes it. */
  readonly file_path?: string | undefined;
  /** Segments of one topic hold each other. */
  readonly topic_id?: string | undefined;
  /** `ref:<segment_id>` refers to another segment, `command:<command>` says what was run. Empty when left out. */
  readonly tags: readonly string[];
}

export interface DescribedTask {
  /** Left out, the task that `context_set_current_task` set counts. */
  readonly task_id?: string | undefined;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly created_at?: string | undefined;
}

/** Selects stashed or working segments; all given conditions must hold, and `{}` selects every one. */
export interface SegmentFilters {
  readonly file_path?: string | undefined;
  readonly task_id?: string | undefined;
  readonly type?: SegmentType | undefined;
  /** All of them. */
  readonly tags?: readonly string[] | undefined;
  /** ISO 8601, inclusive; UTC when it names no zone. */
  readonly created_after?: string | undefined;
  readonly created_before?: string | undefined;
}

/** A text handed over for stashing. */
export interface InlineSegment {
  /** A segment known by this id gets its whole text. Left out, the contents name it: sent twice, it is there once. */
  readonly segment_id?: string | undefined;
  readonly text: string;
  /** As the platform counts them. Left out, the count it gave before stands, else they are estimated. */
  readonly tokens?: number | undefined;
  /** `note` when left out. */
  readonly type: SegmentType;
  readonly task_id?: string | undefined;
  readonly file_path?: string | undefined;
  readonly topic_id?: string | undefined;
  /** Empty when left out. */
  readonly tags: readonly string[];
}

/** Name of a project, task, segment or snapshot. Any text will do: it is data, never a path. */
export const NAME: z.ZodString = z.string().min(1).max(16_384);

const COUNT = z.int().min(0);
const TEXT = z.string().optional();
const SEGMENT_TYPE = z.enum(['message', 'code', 'log', 'note', 'decision', 'summary']);
const TAGS = list(NAME, { max: 100 });

const ISO_TIME = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?$/;
const TIME = z
  .string()
  .refine((value) => toUtc(value) !== undefined, 'not an ISO 8601 time')
  .overwrite((value) => toUtc(value) ?? value)
  .optional();

/** Descriptors come as an object or as its JSON text, and may hold fields this version does not know. */
export const CONTEXT_DESCRIPTORS: z.ZodType<ContextDescriptors | undefined> = showAs(
  objectOrJson(
    z.object({
      recent_messages: list(describedMessage(), { max: 10_000 }).default([]),
      current_file: describedFile().nullish(),
      token_usage: z.object({ current: COUNT, limit: z.int().min(1), usage_percent: z.number().min(0).optional() }),
      segment_summaries: list(describedSegment(), { max: 10_000 }).default([]),
      task_info: z.object({ task_id: NAME.optional(), name: TEXT, description: TEXT, created_at: TIME }).nullish(),
    }),
  ),
  {
    type: ['object', 'string'],
    description:
      'token_usage {current, limit}, recent_messages [{role, content}], segment_summaries [{segment_id, type, preview, tokens}], current_file {path}, task_info {task_id}',
  },
)
  .optional()
  .meta({ doc: 'What the platform knows of its context: an object, or its JSON text. See `ContextDescriptors`.' });

export const SEGMENT_FILTERS: z.ZodType<SegmentFilters | undefined> = showAs(
  objectOrJson(
    argsOf<SegmentFilters>({
      file_path: PATH.optional(),
      task_id: NAME.optional(),
      type: SEGMENT_TYPE.optional(),
      tags: TAGS.optional(),
      created_after: TIME,
      created_before: TIME,
    }),
  ),
  { type: ['object', 'string'], description: 'file_path, task_id, type, tags, created_after, created_before' },
)
  .optional()
  .meta({ doc: 'Conditions that must all hold; `{}` selects everything. See `SegmentFilters`.' });

export const INLINE_SEGMENTS: z.ZodType<readonly InlineSegment[] | undefined> = list(
  showAs(z.preprocess(asSegment, inlineSegment()), {
    type: ['string', 'object'],
    description: 'text, or {text, type, segment_id, task_id, file_path, tags}',
  }),
  { min: 1, max: 1000 },
)
  .optional()
  .meta({ doc: 'Texts to stash as they are: strings, or objects that add a type, file or tags. See `InlineSegment`.' });

function inlineSegment(): z.ZodType<InlineSegment> {
  return argsOf<InlineSegment>({
    segment_id: NAME.optional(),
    text: z.string().min(1),
    tokens: COUNT.optional(),
    type: SEGMENT_TYPE.default('note'),
    task_id: NAME.optional(),
    file_path: PATH.optional(),
    topic_id: NAME.optional(),
    tags: TAGS.default([]),
  });
}

function describedMessage(): z.ZodType<DescribedMessage> {
  return z.object({
    segment_id: NAME.optional(),
    role: z.enum(['user', 'assistant', 'system']),
    content: z.string(),
    tokens: COUNT.optional(),
    timestamp: TIME,
  });
}

function describedFile(): z.ZodType<DescribedFile> {
  const line = COUNT.optional();
  return z.object({ path: PATH, name: TEXT, extension: TEXT, line_count: line, current_line: line });
}

function describedSegment(): z.ZodType<DescribedSegment> {
  return z.object({
    segment_id: NAME,
    type: SEGMENT_TYPE,
    preview: z.string(),
    tokens: COUNT,
    created_at: TIME,
    task_id: NAME.optional(),
    file_path: PATH.optional(),
    topic_id: NAME.optional(),
    tags: TAGS.default([]),
  });
}

// All times become UTC, those without a zone too: two timestamps are never incomparable.
function toUtc(value: string): string | undefined {
  const match = ISO_TIME.exec(value);
  if (match === null) return undefined;
  const dateOnly = value.length === 10;
  const time = Date.parse(dateOnly || match[1] !== undefined ? value : `${value}Z`);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

// Some agents write a nested object as a string of JSON; what is not JSON stays a string and fails as one.
function objectOrJson<Output>(schema: z.ZodType<Output>): z.ZodType<Output> {
  return z.preprocess((value) => (typeof value === 'string' ? parsedJson(value) : value), schema);
}

function parsedJson(text: string): unknown {
  // As a string it is one value of its message, whatever it holds: it is judged like a message of its own.
  if (!/^\s{0,100}\{/.test(text) || shapeProblem(text) !== undefined) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function asSegment(value: unknown): unknown {
  return typeof value === 'string' ? { text: value } : value;
}

import * as z from 'zod';
import { argsOf, DESTROYS, READS, type ToolDefinition } from './definition.ts';
import {
  CWD,
  FOCUS_QUESTION,
  MAX_OUTPUT_BYTES,
  MAX_TOKENS,
  NUL_FREE,
  PATH,
  processText,
  TIMEOUT_MS,
} from './fields.ts';
import { list, record } from './list.ts';
import { showAs } from './listing.ts';

export interface ReadArgs {
  readonly file_path: string;
  readonly start_line?: number | undefined;
  readonly end_line?: number | undefined;
  readonly encoding: 'utf-8';
  readonly max_output_bytes?: number | undefined;
  readonly max_tokens?: number | undefined;
  readonly context_focus_question?: string | undefined;
}

export interface BashArgs {
  readonly command: string;
  readonly cwd?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly timeout_ms: number;
  readonly max_output_bytes?: number | undefined;
  readonly max_tokens?: number | undefined;
  readonly context_focus_question?: string | undefined;
}

export interface GrepArgs {
  readonly pattern: string;
  readonly path?: string | undefined;
  readonly paths?: readonly string[] | undefined;
  readonly cwd?: string | undefined;
  readonly fixed_string: boolean;
  readonly case_sensitive: boolean;
  readonly context_lines: number;
  readonly max_matches: number;
  readonly timeout_ms: number;
  readonly max_output_bytes?: number | undefined;
  readonly max_tokens?: number | undefined;
  readonly context_focus_question?: string | undefined;
}

const ENV_NAME = /^[A-Z_][A-Z0-9_]*$/;
const MAX_ENV_ENTRIES = 200;

// With one of these a caller could load code into every program the command starts, and into the shell itself.
const REFUSED_ENV_NAME = /^(?:LD_|DYLD_|BASH_ENV$|NODE_OPTIONS$)/;

export const READ: ToolDefinition<ReadArgs> = {
  name: 'read',
  title: 'Read a file',
  description:
    'Read a text file: a large one whole with a context_focus_question, then line ranges without one for detail.',
  annotations: READS,
  set: 'files',
  input: argsOf<ReadArgs>({
    file_path: PATH.meta({ doc: 'File to read, relative to the root or absolute inside it.' }),
    start_line: lineNumber().meta({
      doc: 'First line to read. Markers and recovery keep the line numbers of the file.',
    }),
    end_line: lineNumber().meta({ doc: 'Last line to read, included.' }),
    encoding: showAs(z.literal('utf-8').default('utf-8'), { const: 'utf-8' }).meta({
      doc: 'The only encoding; other bytes become U+FFFD.',
    }),
    max_output_bytes: MAX_OUTPUT_BYTES,
    max_tokens: MAX_TOKENS,
    context_focus_question: FOCUS_QUESTION,
  })
    .refine(endsAfterStart, { path: ['end_line'], message: 'end_line is before start_line' })
    .meta({
      examples: [
        { file_path: 'src/server.ts', context_focus_question: 'Where is the request timeout set, and to what?' },
      ],
    }),
};

export const BASH: ToolDefinition<BashArgs> = {
  name: 'bash',
  title: 'Run a shell command',
  description:
    'Run a shell command. Builds, tests and logs are worth a context_focus_question; failing ones are pruned too.',
  annotations: { ...DESTROYS, openWorldHint: true },
  set: 'files',
  input: argsOf<BashArgs>({
    command: processText(50_000).meta({ doc: 'Run by `bash -lc`, or by `bash -c` with `MCP_PRUNER_SHELL_LOGIN=0`.' }),
    cwd: CWD,
    env: envOverrides(),
    timeout_ms: TIMEOUT_MS,
    max_output_bytes: MAX_OUTPUT_BYTES,
    max_tokens: MAX_TOKENS,
    context_focus_question: FOCUS_QUESTION,
  }).meta({
    examples: [{ command: 'npm test', context_focus_question: 'Which tests fail, and with which messages?' }],
  }),
};

export const GREP: ToolDefinition<GrepArgs> = {
  name: 'grep',
  title: 'Search file contents',
  description: 'Search file contents by regular expression (ripgrep). Gives path:line:column:text.',
  annotations: READS,
  set: 'files',
  input: argsOf<GrepArgs>({
    pattern: processText(10_000).meta({ doc: 'A regular expression, or plain text with `fixed_string`.' }),
    path: PATH.optional().meta({
      default: '.',
      doc: 'File or directory to search, relative to `cwd` when given, else to the root. Not together with `paths`.',
    }),
    paths: list(PATH, { min: 1, max: 100 }).optional().meta({ doc: 'Several of them. Not together with `path`.' }),
    cwd: CWD.meta({ doc: 'Where relative paths start, inside the root. Defaults to the root.' }),
    fixed_string: z.boolean().default(false).meta({ doc: 'Take the pattern literally.' }),
    case_sensitive: z.boolean().default(true).meta({ doc: 'Tell upper case from lower case.' }),
    context_lines: z.int().min(0).max(50).default(0).meta({ doc: 'Lines to add before and after each match.' }),
    max_matches: z.int().min(1).max(5000).default(500).meta({ doc: 'The search stops at this many matches.' }),
    timeout_ms: TIMEOUT_MS.meta({
      doc: 'After this time the search is killed and the call fails with `timeout`; no matches are returned.',
    }),
    max_output_bytes: MAX_OUTPUT_BYTES,
    max_tokens: MAX_TOKENS,
    context_focus_question: FOCUS_QUESTION,
  })
    .refine((args) => args.path === undefined || args.paths === undefined, {
      path: ['paths'],
      message: 'give path or paths, not both',
    })
    .meta({ examples: [{ pattern: 'createServer\\(', path: 'src' }] }),
};

function endsAfterStart({ start_line, end_line }: ReadArgs): boolean {
  return start_line === undefined || end_line === undefined || end_line >= start_line;
}

function lineNumber(): z.ZodType<number | undefined> {
  return z.int().min(1).optional();
}

function envOverrides(): z.ZodType<Readonly<Record<string, string>> | undefined> {
  const name = z
    .string()
    .regex(ENV_NAME, 'a name is upper-case letters, digits and _, and does not begin with a digit')
    .refine((value) => !REFUSED_ENV_NAME.test(value), 'this variable is refused');
  return record([name, NUL_FREE.max(4000)], MAX_ENV_ENTRIES)
    .optional()
    .meta({
      doc: 'Variables set over what commands inherit of the server’s own environment. `LD_*`, `DYLD_*`, `BASH_ENV` and `NODE_OPTIONS` are refused; at most 200 entries.',
    });
}

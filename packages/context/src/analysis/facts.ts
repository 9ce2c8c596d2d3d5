import type { SegmentType, Subject } from './item.ts';

/** What is told from a text once, when it comes in: later analysis never loads texts. */
export interface Facts {
  readonly subject?: Subject | undefined;
  readonly failed: boolean;
  readonly file?: string | undefined;
}

export interface Described {
  readonly type: SegmentType;
  readonly text: string;
  readonly file?: string | undefined;
  readonly tags: readonly string[];
}

/** Recognises, without a model, what was read or run, and whether it failed. */
export function factsOf(segment: Described): Facts {
  // Only what a tool put out can be put out again.
  if (segment.type !== 'code' && segment.type !== 'log') return { failed: false, file: segment.file };
  const firstLine = segment.text.slice(0, MOST_FIRST_LINE).split('\n', 1)[0]?.trim() ?? '';
  const read = readFile(segment, firstLine);
  const command = read === undefined ? ranCommand(segment, firstLine) : undefined;
  return {
    subject: read ?? (command === undefined ? undefined : { key: `command:${command}` }),
    failed: hasFailed(segment),
    file: segment.file ?? read?.key.slice(FILE.length),
  };
}

const MOST_FIRST_LINE = 600;
const FILE = 'file:';

// `File: src/a.ts (lines 10-80)`, `Read src/a.ts:10-80`, `$ cat src/a.ts`: how agents head what they read.
const READ_LINE = /^(?:file|read|reading|\$ cat|❯ cat):? (\S+)( .*)?$/i;
const LINE_RANGE = /(?::|\blines? )(\d{1,9})(?:-|–| to )(\d{1,9})\b/i;

function readFile({ file, tags }: Described, firstLine: string): Subject | undefined {
  if (tags.some((tag) => tag.startsWith('command:'))) return undefined;
  const match = READ_LINE.exec(firstLine);
  const path = file ?? match?.[1];
  // A command whose file is known, such as a linter run on it, is that command.
  if (path === undefined || (match === null && COMMAND_LINE.test(firstLine))) return undefined;
  const range = LINE_RANGE.exec(firstLine);
  const key = FILE + withoutDot(range === null ? path : path.replace(`:${range[1]}-${range[2]}`, ''));
  return range === null ? { key } : { key, lines: [Number(range[1]), Number(range[2])] };
}

const COMMAND_LINE = /^(?:\$|❯|command:) (.+)$/i;

function ranCommand({ tags }: Described, firstLine: string): string | undefined {
  const tagged = tags.find((tag) => tag.startsWith('command:'))?.slice('command:'.length);
  return (tagged ?? COMMAND_LINE.exec(firstLine)?.[1])?.trim().replaceAll(/[ \t]+/g, ' ');
}

const FAILED_TAGS = new Set(['failed', 'error']);
const MOST_LOOKED_AT = 2000;
const SIGNS_OF_FAILURE: readonly RegExp[] = [
  /\bexit(?:ed)?(?: with)?(?: code| status)?:? [1-9]\d{0,9}\b/i,
  /: command not found$/m,
  /: No such file or directory$/m,
  /^(?:not_found|permission_denied|invalid_path|io_error|invalid_cwd|spawn_error|nonzero_exit|timeout|rg_error): /,
  /^npm (?:ERR!|error) /m,
  /^(?:error|fatal)(?::|\[)/im,
  /^Traceback \(most recent call last\):/m,
  /^FAILED \(/m,
];

/** By the ends of the text: a call says there how it went. */
function hasFailed({ type, text, tags }: Described): boolean {
  if (tags.some((tag) => FAILED_TAGS.has(tag))) return true;
  if (type !== 'log') return false;
  const ends =
    text.length <= 2 * MOST_LOOKED_AT ? [text] : [text.slice(0, MOST_LOOKED_AT), text.slice(-MOST_LOOKED_AT)];
  return ends.some((end) => SIGNS_OF_FAILURE.some((sign) => sign.test(end)));
}

/** `./src/a.ts` and `src/a.ts` are one file. */
export function withoutDot(path: string): string {
  return path.startsWith('./') ? path.slice(2) : path;
}

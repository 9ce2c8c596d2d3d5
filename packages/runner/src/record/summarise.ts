import type { ResponseCompression } from '@jeeves/protocol';

/** A tool's output as logs and the viewer show it. The agent itself got all of it. */
export interface Summary {
  readonly text: string;
  readonly truncated: boolean;
  readonly compression: ResponseCompression;
}

const MAX_CHARS = 2000;
const MAX_QUIET_LINES = 20;
const MAX_HIGHLIGHTS = 24;
const MAX_NAMED = 12;
/** A giant output is looked at from its start only: this is for people. */
const MAX_LOOKED_AT = 200_000;

const ERROR_WORD = /error|exception|failed|fatal|traceback|assert|cannot|unable to|not found/i;
const PATH = /(?:^|[\s"'(:])((?:\.{0,2}\/)?[\w.@-]{1,80}(?:\/[\w.@-]{1,80}){0,12}\.[A-Za-z]\w{0,7})(?::(\d{1,7}))?/;

export interface Summarised {
  readonly content: string;
  readonly isError: boolean;
  readonly command?: string | undefined;
}

/** Short outputs stay as they are; long ones become the lines that name errors and files. */
export function summarise({ content, isError, command }: Summarised): Summary {
  const lines = content
    .slice(0, MAX_LOOKED_AT)
    .split('\n')
    .filter((line) => line.trim() !== '');
  const noisy = content.length > MAX_CHARS || lines.length > MAX_QUIET_LINES;
  if (!noisy && !isError) return quiet(content);
  const structured = findings(lines, command);
  const heading = Object.entries(structured).map(([key, value]) => `${key}: ${[value].flat().join(', ')}`);
  const text = [...heading, ...highlights(lines)].join('\n');
  const shown = noisy ? text.slice(0, MAX_CHARS) : content;
  return {
    text: shown,
    truncated: noisy,
    compression: {
      mode: noisy ? 'extractive_summary' : 'none',
      raw_char_count: content.length,
      summary_char_count: shown.length,
      ...(noisy && text.length > MAX_CHARS && { truncation_reason: 'max_chars' }),
      structured_summary: structured,
    },
  };
}

function quiet(content: string): Summary {
  const length = content.length;
  return {
    text: content,
    truncated: false,
    compression: { mode: 'none', raw_char_count: length, summary_char_count: length },
  };
}

function findings(lines: readonly string[], command: string | undefined): Record<string, string | string[]> {
  const error = lines.find((line) => ERROR_WORD.test(line));
  const places = lines.map((line) => PATH.exec(line)).filter((match) => match !== null);
  const paths = [...new Set(places.map((match) => match[1] ?? ''))].slice(0, MAX_NAMED);
  const numbers = [...new Set(places.flatMap((match) => match[2] ?? []))].slice(0, MAX_NAMED);
  return {
    ...(command !== undefined && { command }),
    ...(error !== undefined && { error_signature: error.trim().slice(0, 300) }),
    ...(paths.length > 0 && { file_paths: paths }),
    ...(numbers.length > 0 && { line_numbers: numbers }),
  };
}

function highlights(lines: readonly string[]): readonly string[] {
  const telling = lines.filter((line) => ERROR_WORD.test(line) || PATH.test(line));
  return (telling.length > 0 ? telling : lines).slice(0, MAX_HIGHLIGHTS).map((line) => line.slice(0, 300));
}

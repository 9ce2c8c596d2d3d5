import { Buffer } from 'node:buffer';
import type { CountTokens } from '../tokens.ts';
import { cutMiddle } from './cut.ts';
import type { Output, OwnTools, Shown } from './own.ts';

// Seen in what Claude Code 2.1.325 sends to its model. Characters are UTF-16 units, as it counts them.
const BASH_CHARACTERS = 30_000;
const FAILED_CHARACTERS = 10_000;
const READ_BYTES = 262_144;
const READ_TOKENS = 25_000;
const GREP_LINES = 250;
const GREP_CHARACTERS = 20_000;
const PREVIEW_CHARACTERS = 2000;

/** Claude Code: a command's output beyond 30,000 characters goes to a file, of which the model gets a preview. */
export function claudeTools(): OwnTools {
  return {
    reader: 'claude',
    show: (output, countTokens) => {
      if (output.kind === 'file') return shownFile(output, countTokens);
      return output.kind === 'command' ? shownCommand(output) : shownMatches(output.raw);
    },
    // What its events hold of a reply is what the model got.
    passOn: (reply) => reply,
  };
}

function shownCommand({ raw, failed }: Output): Shown {
  if (!failed) return raw.length <= BASH_CHARACTERS ? { text: raw } : preview(raw, 'claude_bash_persisted');
  if (raw.length <= FAILED_CHARACTERS) return { text: raw };
  // Of a failing command it keeps the beginning, and shows both ends of that.
  const text = cutMiddle(raw.slice(0, BASH_CHARACTERS), FAILED_CHARACTERS, (cut) => {
    return `\n\n... [${cut} characters truncated] ...\n\n`;
  });
  return { text, limit: 'claude_bash_failed' };
}

function shownFile({ raw, partial }: Output, countTokens: CountTokens): Shown {
  const bytes = Buffer.byteLength(raw);
  if (!partial && bytes > READ_BYTES) {
    return { text: refusal(`${(bytes / 1024).toFixed(1)}KB`, 'size (256KB)'), limit: 'claude_read_size' };
  }
  // No token is shorter than a byte, so that small files need no counting.
  const tokens = bytes > READ_TOKENS ? countTokens(raw).tokens : 0;
  if (tokens <= READ_TOKENS) return { text: raw };
  return { text: refusal(`${tokens} tokens`, 'tokens (25000)'), limit: 'claude_read_tokens' };
}

function refusal(size: string, most: string): string {
  return [
    `File content (${size}) exceeds maximum allowed ${most}. Use offset and limit parameters to read specific portions`,
    'of the file, or search for specific content instead of reading the whole file. To read it anyway, up to what still',
    'fits in your context, call Read again with allow_large: true.',
  ].join(' ');
}

function shownMatches(raw: string): Shown {
  const lines = raw.split('\n');
  const text = lines.slice(0, GREP_LINES).map(withoutColumn).join('\n');
  if (text.length > GREP_CHARACTERS) return preview(text, 'claude_grep_persisted');
  if (lines.length <= GREP_LINES) return { text };
  return { text: `${text}\n\n[Showing results with pagination = limit: ${GREP_LINES}]`, limit: 'claude_grep_lines' };
}

/** Its search does not say in which column a match stands. */
function withoutColumn(line: string): string {
  return line.replace(/^(.*?:\d+):\d+:/, '$1:');
}

function preview(raw: string, limit: NonNullable<Shown['limit']>): Shown {
  const head = raw.slice(0, PREVIEW_CHARACTERS);
  const lineEnd = head.lastIndexOf('\n');
  const first = lineEnd > PREVIEW_CHARACTERS / 2 ? head.slice(0, lineEnd) : head;
  const size = `${(Buffer.byteLength(raw) / 1024).toFixed(1)}KB`;
  const lines = [
    '<persisted-output>',
    `Output too large (${size}). Full output saved to: /home/user/.claude/projects/project/session/tool-results/output.txt`,
    '',
    'Preview (first 2KB):',
    first,
    '...',
    '</persisted-output>',
  ];
  return { text: lines.join('\n'), limit };
}

import { Buffer } from 'node:buffer';
import type { JsonObject } from '../upstream/upstream.ts';

const ESCAPE = '\\u{1b}';
const BELL = '\\u{7}';

// A terminal acts on these; a reader sees nothing of them: sequences, titles and links, and the short forms.
const ANSI = new RegExp(
  `${ESCAPE}(?:\\[[0-?]*[ -/]*[@-~]|\\][^${BELL}${ESCAPE}]*(?:${BELL}|${ESCAPE}\\\\)?|[@-Z\\\\^_])`,
  'gu',
);

/** What no person sees and a model reads all the same. */
const HIDDEN_RANGES: readonly (readonly [first: number, last: number])[] = [
  // Controls, apart from tab and line breaks.
  [0x00, 0x08],
  [0x0b, 0x0c],
  [0x0e, 0x1f],
  [0x7f, 0x9f],
  // Fillers and joiners without a width.
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x3164, 0x3164],
  [0xffa0, 0xffa0],
  // Zero-width characters and marks of direction.
  [0x61c, 0x61c],
  [0x200b, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x206f],
  [0xfeff, 0xfeff],
  [0xfff9, 0xfffb],
  // Formats of shorthand and music.
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  // Tags and selectors that can spell a text of their own.
  [0xe0000, 0xe0fff],
];

const HIDDEN = new RegExp(`[${HIDDEN_RANGES.map(([first, last]) => `${point(first)}-${point(last)}`).join('')}]`, 'gu');

function point(code: number): string {
  return `\\u{${code.toString(16)}}`;
}

/** What is written for people and models to read; other values mean something to the server. */
const PROSE = new Set(['description', 'title', 'markdownDescription', '$comment']);

/** The text without what is hidden in it. */
export function stripHidden(text: string): string {
  return text.replace(ANSI, '').replace(HIDDEN, '');
}

/**
 * A definition with every title and description stripped, in its schemas too, and cut where it is longer than a
 * description has any need to be. Nothing else is touched.
 */
export function cleanDefinition(definition: JsonObject): JsonObject {
  return withProse(definition, (text) => cut(stripHidden(text)));
}

/** More is no description of a tool but a text of its own. */
export const MAX_PROSE_BYTES = 4096;

function cut(text: string): string {
  if (text.length * 3 <= MAX_PROSE_BYTES || Buffer.byteLength(text) <= MAX_PROSE_BYTES) return text;
  const bytes = Buffer.from(text);
  let end = MAX_PROSE_BYTES - Buffer.byteLength(ELLIPSIS);
  // Not in the middle of a character.
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return `${bytes.toString('utf8', 0, end)}${ELLIPSIS}`;
}

const ELLIPSIS = '…';

/** Whether anything is hidden in a definition's prose. */
export function hasHidden(definition: JsonObject): boolean {
  return JSON.stringify(withProse(definition, stripHidden)) !== JSON.stringify(definition);
}

function withProse(definition: JsonObject, change: (text: string) => string): JsonObject {
  const inside = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inside);
    return typeof value === 'object' && value !== null ? withProse(value as JsonObject, change) : value;
  };
  return Object.fromEntries(
    Object.entries(definition).map(([key, value]) => [
      key,
      PROSE.has(key) && typeof value === 'string' ? change(value) : inside(value),
    ]),
  );
}

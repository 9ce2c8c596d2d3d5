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

/** The text without what is hidden in it. */
export function stripHidden(text: string): string {
  return text.replace(ANSI, '').replace(HIDDEN, '');
}

/**
 * A definition without hidden characters, in any of its texts and keys. Values lose them too: a model reads an `enum` as
 * it reads a description. Of two keys that are the same without them, the first stays.
 */
export function cleanDefinition(definition: JsonObject): JsonObject {
  const cleaned: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(definition)) {
    const plain = stripHidden(key);
    if (!Object.hasOwn(cleaned, plain)) cleaned[plain] = cleanValue(value);
  }
  return cleaned;
}

function cleanValue(value: unknown): unknown {
  if (typeof value === 'string') return stripHidden(value);
  if (Array.isArray(value)) return value.map(cleanValue);
  return typeof value === 'object' && value !== null ? cleanDefinition(value as JsonObject) : value;
}

/** Whether anything is hidden in a definition. */
export function hasHidden(definition: JsonObject): boolean {
  return JSON.stringify(cleanDefinition(definition)) !== JSON.stringify(definition);
}

import { Buffer } from 'node:buffer';
import type { JsonObject } from '../upstream/upstream.ts';

/** More is no description of a tool but a text of its own. */
export const MAX_TEXT_BYTES = 4096;
/** No parameter needs a longer name. */
export const MAX_KEY_BYTES = 256;

const ELLIPSIS = '…';

/** What is written to be read: it may end anywhere. Any other text means something to the server, as a whole. */
const PROSE = new Set(['description', 'title', 'markdownDescription', '$comment']);

/** Keywords that a schema is valid without, if a little more permissive. */
const DROPPED_WHOLE = new Set([
  'enum',
  'const',
  'default',
  'examples',
  'example',
  'pattern',
  'format',
  '_meta',
  'icons',
]);

/**
 * The definition with no text and no key longer than a reader has use for. Prose is cut; what cannot be cut without
 * meaning something else is left out together with its keyword, so that the schema stays valid. Returns the same object
 * when nothing is too long.
 */
export function shortenDefinition(definition: JsonObject): JsonObject {
  return isTooLong(definition) ? shortenObject(definition) : definition;
}

function shortenObject(value: JsonObject): JsonObject {
  const kept: [string, unknown][] = [];
  for (const [key, part] of Object.entries(value)) {
    if (isOver(key, MAX_KEY_BYTES)) continue;
    if (PROSE.has(key) && typeof part === 'string') kept.push([key, cut(part)]);
    else if (!(DROPPED_WHOLE.has(key) && isTooLong(part))) kept.push([key, shortenPart(key, part)]);
  }
  return Object.fromEntries(kept);
}

function shortenPart(key: string, part: unknown): unknown {
  if (typeof part === 'string') return cut(part);
  if (!Array.isArray(part)) return typeof part === 'object' && part !== null ? shortenObject(part as JsonObject) : part;
  // A property that was left out for its name must not be required either.
  const items =
    key === 'required' ? part.filter((name) => !(typeof name === 'string' && isOver(name, MAX_KEY_BYTES))) : part;
  return items.map((item: unknown) => shortenPart('', item));
}

function isTooLong(value: unknown): boolean {
  if (typeof value === 'string') return isOver(value, MAX_TEXT_BYTES);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, part]) => isOver(key, MAX_KEY_BYTES) || isTooLong(part));
}

function isOver(text: string, bytes: number): boolean {
  return text.length * 3 > bytes && Buffer.byteLength(text) > bytes;
}

function cut(text: string): string {
  if (!isOver(text, MAX_TEXT_BYTES)) return text;
  const bytes = Buffer.from(text);
  let end = MAX_TEXT_BYTES - Buffer.byteLength(ELLIPSIS);
  // Not in the middle of a character.
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return `${bytes.toString('utf8', 0, end)}${ELLIPSIS}`;
}

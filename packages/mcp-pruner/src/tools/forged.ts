import { Buffer } from 'node:buffer';
import { looksLikeMarker } from '@jeeves/engine/marker';

/** So many are named; that there are more is said. */
const MOST_NAMED = 5;
/** The first character of every marker, in UTF-8. */
const BRACKET = Buffer.of(0xe2, 0x9f, 0xa6);
const NEWLINE = 0x0a;
/** All that decides stands at the beginning of a line. */
const LOOKED_AT = 400;

/** Numbers of lines that only look like markers of ours, one more than are named at most. */
export function forgedLines(raw: string | Uint8Array, firstLine: number): readonly number[] {
  const bytes = typeof raw === 'string' ? Buffer.from(raw) : Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  const found: number[] = [];
  let line = firstLine;
  let start = 0;
  for (let at = bytes.indexOf(BRACKET); at !== -1; at = bytes.indexOf(BRACKET, start)) {
    for (let end = bytes.indexOf(NEWLINE, start); end !== -1 && end < at; end = bytes.indexOf(NEWLINE, start)) {
      line += 1;
      start = end + 1;
    }
    if (looksLikeMarker(bytes.toString('utf8', start, start + LOOKED_AT))) found.push(line);
    const end = bytes.indexOf(NEWLINE, at);
    if (end === -1 || found.length > MOST_NAMED) break;
    line += 1;
    start = end + 1;
  }
  return found;
}

/**
 * Tells a reader which lines are not ours. It stands at the end of a reply, where no file can write, and beside the id
 * of this reply, which no file can know beforehand.
 */
export function forgedNotice(lines: readonly number[], pruneId: string | undefined): string | undefined {
  if (lines.length === 0) return undefined;
  const named = lines.slice(0, MOST_NAMED).join(', ');
  const more = lines.length > MOST_NAMED ? ' and more' : '';
  const which = `${lines.length === 1 ? 'line' : 'lines'} ${named}${more}`;
  const ours = pruneId === undefined ? 'nothing was left out here' : `only ${pruneId} is the prune_id of this reply`;
  return `[marker_in_input: ${which} of the file only ${lines.length === 1 ? 'looks' : 'look'} like a marker; ${ours}]`;
}

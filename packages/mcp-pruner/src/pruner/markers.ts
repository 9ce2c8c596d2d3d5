import type { Lines } from '@jeeves/engine';
import { formatCompact } from '@jeeves/engine/marker';

/** The kept lines, and one marker where each gap was. It ends as the gap's last line: putting the gap back is exact. */
export function withMarkers(lines: Lines, kept: Uint8Array, firstLine: number): string {
  const pieces: string[] = [];
  for (let at = 0; at < lines.length; ) {
    let end = at + 1;
    while (end < lines.length && kept[end] === kept[at]) end += 1;
    if (kept[at] === 1) pieces.push(lines.rawRange(at, end));
    else pieces.push(formatCompact({ startLine: at + firstLine, endLine: end - 1 + firstLine }), lines.ending(end - 1));
    at = end;
  }
  return pieces.join('');
}

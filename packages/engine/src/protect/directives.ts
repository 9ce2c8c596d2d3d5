import { looksLikeMarker, NO_PRUNE_BEGIN, NO_PRUNE_END } from '../marker.ts';
import type { Lines } from '../split.ts';

/** Keeps what stands between NO_PRUNE directives, the directives too; an unclosed one protects to the end. */
export function protectDirectives(lines: Lines, keep: Uint8Array): string[] {
  // Nearly every text has no `⟦` at all.
  if (!lines.text.includes('⟦')) return [];
  const warnings = new Set<string>();
  let open = false;
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines.at(index);
    if (looksLikeMarker(line)) warnings.add('marker_in_input');
    if (line.includes(NO_PRUNE_BEGIN)) open = true;
    if (open) keep[index] = 1;
    if (line.includes(NO_PRUNE_END)) {
      keep[index] = 1;
      open = false;
    }
  }
  if (open) warnings.add('no_prune_unclosed');
  return [...warnings];
}

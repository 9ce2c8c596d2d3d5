import { looksLikeMarker, NO_PRUNE_BEGIN, NO_PRUNE_END } from '../marker.ts';
import type { Lines } from '../split.ts';

/** An unclosed directive protects so many lines: a stray one in a long text must not keep all of it. */
const UNCLOSED_LINES = 200;

/** Keeps what stands between NO_PRUNE directives, the directives too. */
export function protectDirectives(lines: Lines, keep: Uint8Array): string[] {
  // Nearly every text has no `⟦` at all.
  if (!lines.text.includes('⟦')) return [];
  const warnings = new Set<string>();
  let open = -1;
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines.at(index);
    if (looksLikeMarker(line)) warnings.add('marker_in_input');
    if (open === -1 && line.includes(NO_PRUNE_BEGIN)) open = index;
    if (!line.includes(NO_PRUNE_END)) continue;
    keep.fill(1, open === -1 ? index : open, index + 1);
    open = -1;
  }
  if (open !== -1) {
    warnings.add('no_prune_unclosed');
    keep.fill(1, open, Math.min(lines.length, open + UNCLOSED_LINES));
  }
  return [...warnings];
}

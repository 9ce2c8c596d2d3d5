/** The text apart from what pruning put into it. */
export function withoutMarkers(text: string): string {
  return linesOf(text)
    .filter((line) => !isMarker(line))
    .join('');
}

/** What pruning put into a text: the markers of its gaps and the closing line. */
export function markersIn(text: string): string {
  return linesOf(text).filter(isMarker).join('');
}

function linesOf(text: string): readonly string[] {
  return text.split(/(?<=\n)/);
}

function isMarker(line: string): boolean {
  return (line.startsWith('⟦pruned ') || line.startsWith('⟦prune_id=')) && line.trimEnd().endsWith('⟧');
}

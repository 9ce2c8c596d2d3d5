import type { Gap, PruneResult } from '@jeeves/engine';

export interface Shape {
  readonly markers?: 'compact' | 'canonical';
  readonly includeMarkers?: boolean;
  readonly annotateLines?: boolean;
  readonly firstLine?: number;
}

/** What pruning should answer when these lines go: written by hand, so that no test depends on how lines are judged. */
export function answer(
  raw: string,
  cut: readonly (readonly [first: number, last: number])[],
  shape: Shape = {},
): PruneResult {
  const { markers = 'compact', includeMarkers = true, annotateLines = false, firstLine = 1 } = shape;
  const lines = raw.split(/(?<=\n)/);
  const gaps = cut.map(([startLine, endLine]): Gap => {
    const lineCount = endLine - startLine + 1;
    const marker =
      markers === 'canonical'
        ? `⟦PRUNÉ: prune_id=prn_1 lignes ${startLine}-${endLine} (${lineCount}) raison=hors focus⟧`
        : `⟦pruned ${startLine}-${endLine} (${lineCount} ${lineCount === 1 ? 'line' : 'lines'})⟧`;
    return { startLine, endLine, lineCount, reason: 'off_goal', marker };
  });
  const shown = lines.map((line, index) => {
    const number = index + firstLine;
    const gap = gaps.find(({ startLine, endLine }) => startLine <= number && number <= endLine);
    if (gap === undefined) return annotateLines ? `${number}│ ${line}` : line;
    return includeMarkers && number === gap.endLine ? gap.marker + (/\r?\n$/.exec(line)?.[0] ?? '') : '';
  });
  const prunedLines = gaps.reduce((sum, { lineCount }) => sum + lineCount, 0);
  return {
    pruneId: 'prn_1',
    text: shown.join(''),
    gaps,
    source: 'logs',
    stats: {
      originalLines: lines.length,
      keptLines: lines.length - prunedLines,
      prunedLines,
      prunedRatio: prunedLines / lines.length,
      tokensBefore: 1000,
      tokensAfter: 200,
      tokensMethod: 'o200k',
      elapsedMs: 0,
      usedFallback: false,
      backend: 'embedded',
      facts: {},
    },
    warnings: [],
  };
}

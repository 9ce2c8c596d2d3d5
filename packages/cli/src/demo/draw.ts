import { Buffer } from 'node:buffer';
import type { PruneResult } from '@jeeves/engine';
import { change, counted, grouped } from '../output/numbers.ts';
import type { Style } from '../output/style.ts';
import { shorten } from './fit.ts';
import { panels, REASONS } from './panels.ts';
import type { Played } from './play.ts';

/** A scene as it is shown: goal, sizes, an excerpt before and after, what went and why, and one gap given back. */
export function drawScene(played: Played, number: number, width: number, style: Style): string {
  const { scene, result } = played;
  const title = `── ${number}. ${scene.title} `;
  return [
    style.bold(style.cyan(title + '─'.repeat(Math.max(0, width - title.length)))),
    `${label('goal', style)}${shorten(scene.goal, width - LABEL_WIDTH)}`,
    '',
    ...sizes(result, width, style),
    `${label('kept', style)}${strip(played, width - LABEL_WIDTH, style)}`,
    '',
    ...panels(played, width, style),
    '',
    `${label('cut', style)}${reasons(result)}`,
    `${label('back', style)}${proof(played, style)}`,
    '',
    '',
  ].join('\n');
}

/** Room for the words at the left edge. */
const LABEL_WIDTH = 8;

function label(text: string, style: Style): string {
  return style.bold(text.padEnd(LABEL_WIDTH));
}

/** Two bars in the proportion of the tokens, which is what an agent pays for. */
function sizes({ stats }: PruneResult, width: number, style: Style): string[] {
  const before = figures(stats.originalLines, stats.tokensBefore);
  const after = figures(stats.keptLines, stats.tokensAfter);
  const saved = change(stats.tokensBefore, stats.tokensAfter);
  const room = width - LABEL_WIDTH - before.length - saved.length - 1;
  const share = stats.tokensAfter / Math.max(1, stats.tokensBefore);
  const length = Math.max(1, Math.min(room, Math.round(room * share)));
  const bar = style.green('█'.repeat(length)) + ' '.repeat(room - length);
  return [
    `${label('before', style)}${style.dim('█'.repeat(room))}${before}`,
    `${label('after', style)}${bar}${after} ${style.bold(saved)}`,
  ];
}

function figures(lines: number, tokens: number): string {
  return `${grouped(lines).padStart(6)} lines ${grouped(tokens).padStart(7)} tokens`;
}

/** The whole text as a strip: where lines were kept, from its first to its last. */
function strip({ result }: Played, width: number, style: Style): string {
  const { gaps, stats } = result;
  const cells = Math.min(width, stats.originalLines);
  const cut = new Uint8Array(stats.originalLines);
  for (const { startLine, endLine } of gaps) cut.fill(1, startLine - 1, endLine);
  const marks = Array.from({ length: cells }, (_, cell) => {
    const part = cut.subarray((cell * cut.length) / cells, ((cell + 1) * cut.length) / cells);
    return part.includes(0) ? style.green('▀') : style.dim('·');
  });
  return marks.join('');
}

function reasons({ gaps, stats }: PruneResult): string {
  const lines = new Map<string, number>();
  for (const { reason, lineCount } of gaps) lines.set(REASONS[reason], (lines.get(REASONS[reason]) ?? 0) + lineCount);
  const [first, ...others] = lines;
  const parts = [...lines].map(([reason, count]) => `${grouped(count)} ${reason}`).join(', ');
  const why = others.length === 0 ? `all ${first?.[0] ?? ''}` : parts;
  return `${counted(stats.prunedLines, 'line')} in ${counted(gaps.length, 'gap')}: ${why}`;
}

function proof({ recovered }: Played, style: Style): string {
  if (recovered === undefined) return 'nothing was cut';
  const { gap, text, identical } = recovered;
  const verdict = identical ? style.bold(style.green('identical')) : style.bold(style.red('NOT IDENTICAL'));
  const bytes = counted(Buffer.byteLength(text), 'byte');
  return `lines ${gap.startLine}–${gap.endLine} recovered and compared: ${bytes}, ${verdict}`;
}

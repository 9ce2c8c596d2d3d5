import { type PruneResult, printable } from '@jeeves/engine';
import { formatShellClosing } from '@jeeves/engine/marker';
import { type Context, write } from '../context.ts';
import { change, counted, grouped } from './numbers.ts';
import { rowsOf } from './rows.ts';
import { styleFor } from './style.ts';

interface Shown {
  readonly lineNumbers?: boolean;
  readonly markers?: 'compact' | 'canonical' | false;
}

/** For a program or a file: the text alone, and behind a cut one the line that says how to get any of it back. */
export async function writePiped(raw: string, result: PruneResult, shown: Shown, context: Context): Promise<void> {
  if (result.gaps.length === 0 || shown.markers === false) {
    await write(context.stdout, result.text);
    if (result.gaps.length > 0) await write(context.stderr, `${summary(result)}\n`);
    else await sayWhyWhole(result, context);
    return;
  }
  const text = closed(result);
  // The closing line may eat up what a small gap saved; a result is never larger than its text.
  const pointless = text.length >= raw.length && shown.lineNumbers !== true;
  await write(context.stdout, pointless ? raw : text);
  if (pointless) await write(context.stderr, 'returned whole: the gaps save less than the line that names them\n');
}

/** A cut text with its closing line. */
export function closed({ text, pruneId, gaps }: PruneResult): string {
  const largest = largestOf(gaps);
  if (largest === undefined) return text;
  return `${text}${text.endsWith('\n') ? '' : '\n'}${formatShellClosing(pruneId, largest)}\n`;
}

/** Why nothing was cut. Where something failed the warnings have said so already. */
export async function sayWhyWhole({ stats, text }: PruneResult, context: Context): Promise<void> {
  if (stats.usedFallback) return;
  const why = text === '' ? 'the text is empty' : 'leaving lines out would save too little';
  await write(context.stderr, `returned whole: ${why}\n`);
}

/** For a person: gaps in colour, and what happened in the last line, on stderr. Nothing in the text can command the terminal. */
export async function writeToTerminal(raw: string, result: PruneResult, shown: Shown, context: Context): Promise<void> {
  const { cyan, dim } = styleFor(context.stdout, context.config);
  const pieces = rowsOf(raw, result.gaps).map((row) => {
    if (row.kind === 'gap') return shown.markers === false ? '' : `${cyan(row.gap.marker)}${row.ending}`;
    const line = printable(row.raw);
    return shown.lineNumbers === true ? `${dim(`${row.number}│`)} ${line}` : line;
  });
  const text = pieces.join('');
  await write(context.stdout, text === '' || text.endsWith('\n') ? text : `${text}\n`);
  const style = styleFor(context.stderr, context.config);
  await write(context.stderr, `${style.bold(summary(result))}\n${style.dim(howToRecover(result))}`);
}

function summary({ stats, pruneId, gaps }: PruneResult): string {
  if (gaps.length === 0) return `nothing cut: all ${counted(stats.originalLines, 'line')} kept`;
  const tokens = `${grouped(stats.tokensBefore)} → ${grouped(stats.tokensAfter)} tokens`;
  const about = stats.tokensMethod === 'estimate' ? 'about ' : '';
  return [
    `kept ${grouped(stats.keptLines)} of ${counted(stats.originalLines, 'line')}`,
    `${about}${tokens} (${change(stats.tokensBefore, stats.tokensAfter)})`,
    pruneId,
  ].join(' · ');
}

function howToRecover({ gaps, pruneId }: PruneResult): string {
  const largest = largestOf(gaps);
  if (largest === undefined) return '';
  return `get any of it back: jeeves recover ${pruneId} --lines ${largest.startLine}-${largest.endLine}\n`;
}

type Gap = PruneResult['gaps'][number];

function largestOf(gaps: readonly Gap[]): Gap | undefined {
  return gaps.reduce<Gap | undefined>(
    (best, gap) => (best === undefined || gap.lineCount > best.lineCount ? gap : best),
    undefined,
  );
}

import { createEmbeddedBackend } from '@jeeves/engine';
import { type Command, Option } from 'commander';
import { type Means, SHARES } from '../bench/measure.ts';
import { type Scored, scoreCases } from '../bench/score.ts';
import { tellRows } from '../bench/tell.ts';
import { type Context, write } from '../context.ts';
import { UsageError } from '../failure.ts';
import { grouped } from '../output/numbers.ts';

interface ScoreFlags {
  readonly cases: string;
  readonly out: string;
  readonly backend: 'lexical' | 'learned';
}

const EXAMPLE = `
Example:
  jeeves bench score --cases cases.jsonl --out scores.jsonl

A row of cases:   {"id": "1", "query": "where is the retry limit", "text": "…", "gold": [12, 13], "kind": "code"}
A row of scores:  {"id": "1", "scores": [0.02, 0.91, …]}   one score per line of the text
"gold" (line numbers, from 1) and "kind" (code, logs or docs) may be left out. Where gold lines are
given, recall at 10, 30 and 50 % of the lines and the area under the ROC curve are printed.`;

/** `jeeves bench score`: what a backend makes of each line, before anything is chosen. */
export function addBenchScore(bench: Command, context: Context): void {
  bench
    .command('score')
    .summary('score the lines of cases in a JSONL file')
    .description('Scores every line of the texts in a file of cases, and measures the scores against gold lines.')
    .requiredOption('--cases <file>', 'the cases, one JSON object per line')
    .requiredOption('--out <file>', 'where the scores go')
    .addOption(
      new Option('--backend <name>', 'who judges the lines').choices(['lexical', 'learned']).default('lexical'),
    )
    .addHelpText('after', EXAMPLE)
    .action(async (flags: ScoreFlags) => runScore(flags, context));
}

async function runScore(flags: ScoreFlags, context: Context): Promise<void> {
  if (flags.backend === 'learned') {
    throw new UsageError('--backend learned: not available yet in this version; use --backend lexical');
  }
  const files = { casesFile: flags.cases, outFile: flags.out };
  const scored = await tellRows<Scored>(context, { ...files, verb: 'scored' }, async (tell) =>
    scoreCases({ ...files, ...tell, backend: createEmbeddedBackend() }),
  );
  await write(context.stdout, table(scored));
}

function table({ means }: Scored): string {
  if (means.size === 0) return '';
  const head = ['kind', 'cases', ...SHARES.map((share) => `recall@${share * 100}%`), 'AUC'];
  const rows = [...means].map(([name, mean]) => cells(name, mean));
  return [head, ...rows]
    .map((row) => `${row.map((cell, at) => (at === 0 ? cell.padEnd(6) : cell.padStart(11))).join('')}\n`)
    .join('');
}

function cells(name: string, mean: Means): string[] {
  return [name, grouped(mean.cases), ...mean.recall.map((value) => value.toFixed(3)), mean.auc?.toFixed(3) ?? '–'];
}

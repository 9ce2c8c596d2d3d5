import { createLexicalBackend } from '@jeeves/engine';
import { type Command, Option } from 'commander';
import { type Means, SHARES } from '../bench/measure.ts';
import { type Scored, scoreCases } from '../bench/score.ts';
import { type Context, write } from '../context.ts';
import { EXIT, UsageError } from '../failure.ts';
import { counted, grouped } from '../output/numbers.ts';
import { progressOn } from '../output/progress.ts';
import { addBenchCatalogue } from './bench-catalogue.ts';

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

/** Malformed rows beyond these are only counted. */
const MAX_NAMED = 20;

/** `jeeves bench score`: anyone can bring cases of their own. */
export function addBench(program: Command, context: Context): void {
  const bench = program.command('bench').summary('measure how well lines and tools are judged, on your own cases');
  bench.description('Measures how well lines and tools are judged.');
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
  addBenchCatalogue(bench, context);
}

async function runScore(flags: ScoreFlags, context: Context): Promise<void> {
  if (flags.backend === 'learned') {
    throw new UsageError('--backend learned: not available yet in this version; use --backend lexical');
  }
  const progress = progressOn(context, 'rows scored');
  const started = context.now();
  let named = 0;
  const scored = await scoreCases({
    casesFile: flags.cases,
    outFile: flags.out,
    backend: createLexicalBackend(),
    onProgress: progress.show,
    onMalformed(line, problem) {
      progress.clear();
      if (named++ < MAX_NAMED) void context.stderr.write(`error: ${flags.cases}:${line}: ${problem}\n`, () => {});
    },
  });
  progress.clear();
  const seconds = ((context.now() - started) / 1000).toFixed(1);
  await write(context.stderr, `${counted(scored.rows, 'row')} scored in ${seconds} s → ${flags.out}\n`);
  await write(context.stdout, table(scored));
  if (scored.malformed === 0) return;
  await write(
    context.stderr,
    `error: ${counted(scored.malformed, 'malformed row')} left out; mend them and run again\n`,
  );
  context.setExitCode(EXIT.usage);
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

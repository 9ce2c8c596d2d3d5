import { newPruneId } from '@jeeves/engine';
import { type Command, Option } from 'commander';
import { chooseBackend } from '../backends.ts';
import {
  type Budget,
  gapsPerThousand,
  isOverBudget,
  type PrunedRow,
  type PruneTools,
  pruneRow,
  shareOfTokens,
} from '../bench/prune.ts';
import { answerRows } from '../bench/rows.ts';
import { tellRows } from '../bench/tell.ts';
import { type Context, write } from '../context.ts';
import { parsePositive, parseShare } from '../input/arguments.ts';
import { grouped } from '../output/numbers.ts';

interface PruneFlags extends Budget {
  readonly cases: string;
  readonly out: string;
}

const EXAMPLE = `
Example:
  jeeves bench prune --cases cases.jsonl --out kept.jsonl --share 0.3

A row of cases:   {"id": "1", "query": "where is the retry limit", "text": "…", "gold": [12, 13], "kind": "code"}
A row of results: {"id": "1", "kept": [[9, 24]], "tokens_before": 812, "tokens_after": 197, "gaps": 2, "warnings": []}
"gold" (line numbers, from 1) and "kind" (code, logs or docs) may be left out. Texts are pruned as the tools
prune them; tokens are counted with the o200k vocabulary, markers included. What share of the gold lines is
kept, of the tokens, and how many gaps there are in 1,000 lines is printed.`;

/** `jeeves bench prune`: what a reader would get. */
export function addBenchPrune(bench: Command, context: Context): void {
  bench
    .command('prune')
    .summary('prune the texts of cases in a JSONL file')
    .description('Prunes the texts in a file of cases, and says which lines are kept and what they cost.')
    .requiredOption('--cases <file>', 'the cases, one JSON object per line')
    .requiredOption('--out <file>', 'where the kept lines go')
    .option('--max-tokens <count>', 'a budget for each result, in tokens', parsePositive)
    .addOption(
      new Option('--share <share>', 'a budget for each result, as a share of the tokens of its text, up to 1')
        .argParser(parseShare)
        .conflicts('maxTokens'),
    )
    .addHelpText('after', EXAMPLE)
    .action(async (flags: PruneFlags) => runPrune(flags, context));
}

async function runPrune(flags: PruneFlags, context: Context): Promise<void> {
  // The tokenizer's tables take a while to load: most commands never need them.
  const { exactCounter } = await import('../bench/count.ts');
  const tools: PruneTools = {
    backend: await chooseBackend('heuristic', context),
    newId: () => newPruneId(context.randomBytes),
    now: context.now,
    count: await exactCounter(),
  };
  const byKind = new Map<string, PrunedRow[]>();
  const files = { casesFile: flags.cases, outFile: flags.out };
  await tellRows(context, { ...files, verb: 'pruned' }, async (tell) =>
    answerRows({ ...files, ...tell }, async (row) => {
      const pruned = await pruneRow(row, flags, tools);
      for (const kind of ['all', row.source ?? 'auto']) rowsOf(byKind, kind).push(pruned);
      const { kept, tokensBefore, tokensAfter, gaps, warnings } = pruned;
      return { id: row.id, kept, tokens_before: tokensBefore, tokens_after: tokensAfter, gaps, warnings };
    }),
  );
  await write(context.stdout, table(byKind));
}

function rowsOf(byKind: Map<string, PrunedRow[]>, kind: string): PrunedRow[] {
  const known = byKind.get(kind) ?? [];
  byKind.set(kind, known);
  return known;
}

function table(byKind: ReadonlyMap<string, readonly PrunedRow[]>): string {
  if (byKind.size === 0) return '';
  const head = ['kind', 'cases', 'recall', 'all gold', 'tokens', 'gaps/1,000', 'in budget'];
  return [head, ...[...byKind].map(([kind, rows]) => cells(kind, rows))]
    .map((row) => `${row.map((cell, at) => (at === 0 ? cell.padEnd(6) : cell.padStart(11))).join('')}\n`)
    .join('');
}

function cells(kind: string, rows: readonly PrunedRow[]): string[] {
  const recalls = rows.flatMap(({ recall }) => recall ?? []);
  const met = rows.filter((row) => !isOverBudget(row));
  return [
    kind,
    grouped(rows.length),
    mean(recalls)?.toFixed(3) ?? '–',
    mean(recalls.map((recall) => (recall === 1 ? 1 : 0)))?.toFixed(3) ?? '–',
    `${(100 * (mean(rows.map(shareOfTokens)) ?? 1)).toFixed(1)} %`,
    gapsPerThousand(rows).toFixed(1),
    rows[0]?.maxTokens === undefined ? '–' : `${met.length}/${rows.length}`,
  ];
}

function mean(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;
}

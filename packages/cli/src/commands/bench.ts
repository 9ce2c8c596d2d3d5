import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { addBenchCatalogue } from './bench-catalogue.ts';
import { addBenchPrune } from './bench-prune.ts';
import { addBenchScore } from './bench-score.ts';

/** `jeeves bench`: anyone can bring cases of their own. */
export function addBench(program: Command, context: Context): void {
  const bench = program.command('bench').summary('measure pruning and judging on your own cases');
  bench.description('Measures what is kept, and how well lines and tools are judged.');
  for (const add of [addBenchPrune, addBenchScore, addBenchCatalogue]) add(bench, context);
}

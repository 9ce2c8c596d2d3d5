// What is kept of texts within budgets of tokens, and how much of it was needed, beside plain baselines in the same tokens.
// `npm run bench:quality`; exit code 1 when a budget is broken. `--only` and `--sample` are for a quick look.
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { isOverBudget } from '../packages/cli/src/bench/prune.ts';
import { type CaseResult, createMeasure, type Measure } from './quality/measure.ts';
import { toMarkdown } from './quality/report.ts';
import { loadSuites, type Suite } from './quality/suites.ts';
import type { Measured } from './quality/tables.ts';

const ROOT = new URL('../', import.meta.url);
const RESULTS = new URL('bench/results/', ROOT);

await main();

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      cases: { type: 'string', default: fileURLToPath(new URL('.cache/cases', ROOT)) },
      only: { type: 'string' },
      sample: { type: 'string' },
    },
  });
  const limit = Number(values.sample ?? Number.POSITIVE_INFINITY);
  if (!(limit >= 1)) throw new Error('--sample: give a number of cases, 1 or more');
  const suites = await loadSuites(values.cases);
  if (suites.every(({ name }) => isCorpus(name))) {
    process.stderr.write(
      `no case files in ${values.cases}, only the corpus is measured; training/mine.ts writes some\n`,
    );
  }
  const wanted = suites.filter(({ name }) => name.includes(values.only ?? ''));
  if (wanted.length === 0) throw new Error(`--only: there is ${suites.map(({ name }) => name).join('; ')}`);
  const measured: Measured[] = [];
  const measure = await createMeasure();
  for (const suite of wanted) {
    measured.push({ name: suite.name, results: await measureAll(suite.name, evenly(suite.cases, limit), measure) });
  }
  const page = toMarkdown([...measured, ...allLogs(measured)]);
  process.stdout.write(page);
  const broken = measured.flatMap(({ results }) => results.flatMap(({ ours }) => ours.filter(isOverBudget))).length;
  if (broken > 0) process.stderr.write(`error: ${broken} budgets broken\n`);
  process.exitCode = broken > 0 ? 1 : 0;
  // A part of the cases says something to who asked, and nothing to who reads the page.
  if (values.only !== undefined || values.sample !== undefined) return;
  await mkdir(RESULTS, { recursive: true });
  await writeFile(new URL('quality.md', RESULTS), page);
}

async function measureAll(name: string, cases: Suite['cases'], measure: Measure): Promise<CaseResult[]> {
  const results: CaseResult[] = [];
  const onTerminal = process.stderr.isTTY;
  if (!onTerminal) process.stderr.write(`${name}: ${cases.length} cases …\n`);
  for (const benchCase of cases) {
    results.push(await measure(benchCase));
    if (onTerminal) process.stderr.write(`\r\u001B[2K${name}: ${results.length} of ${cases.length}`);
  }
  if (onTerminal) process.stderr.write('\r\u001B[2K');
  return results;
}

/** All kinds of logs together, our own corpus apart: it was in view when the engine was made. */
function allLogs(suites: readonly Measured[]): Measured[] {
  const logs = suites.filter(({ name, results }) => results[0]?.source === 'logs' && !isCorpus(name));
  return logs.length < 2 ? [] : [{ name: 'all kinds of logs', results: logs.flatMap(({ results }) => results) }];
}

function isCorpus(name: string): boolean {
  return name.startsWith('corpus ');
}

/** At most `limit` items from all over the list: cases lie sorted by where they come from. */
function evenly<T>(items: readonly T[], limit: number): T[] {
  const step = Math.max(1, items.length / limit);
  return items.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
}

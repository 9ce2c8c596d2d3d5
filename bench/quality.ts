import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { measureSuite, type SuiteResult } from './quality/measure.ts';
import { toMarkdown, toTerminal } from './quality/report.ts';
import { loadSuites } from './quality/suites.ts';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const RESULTS = join(ROOT, 'bench/results/quality.md');

await main();

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      json: { type: 'boolean', default: false },
      cases: { type: 'string', default: join(ROOT, '.cache/cases') },
      suite: { type: 'string' },
      limit: { type: 'string' },
    },
  });
  const { suites, absent } = await loadSuites(values.cases);
  const limit = values.limit === undefined ? Number.POSITIVE_INFINITY : Number(values.limit);
  const results: SuiteResult[] = [];
  for (const { name, cases } of suites) {
    if (values.suite === undefined || name.includes(values.suite)) {
      results.push(await measureSuite({ name, cases: evenly(cases, limit) }));
    }
  }
  process.stdout.write(
    values.json ? `${JSON.stringify({ suites: results, absent }, undefined, 2)}\n` : toTerminal(results, absent),
  );
  // A part of the cases says something to who asked, and nothing to who reads the page.
  if (values.suite !== undefined || values.limit !== undefined) return;
  await mkdir(dirname(RESULTS), { recursive: true });
  await writeFile(RESULTS, toMarkdown(results, absent));
}

/** At most `limit` items from all over the list: cases lie sorted by where they come from. */
function evenly<T>(items: readonly T[], limit: number): T[] {
  const step = Math.max(1, items.length / limit);
  return items.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
}

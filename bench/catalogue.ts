import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { collect } from './catalogue/collect.ts';
import { type LabelledGoal, measureCatalogue } from './catalogue/measure.ts';
import { measureReplies } from './catalogue/replies.ts';
import { toMarkdown, toTerminal } from './catalogue/report.ts';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const RESULTS = join(ROOT, 'bench/results/catalogue.md');

await main();

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      json: { type: 'boolean', default: false },
      /** Shows the goals of the tuned half that are not answered at once; the other half is never looked at. */
      misses: { type: 'boolean', default: false },
    },
  });
  const collected = await collect(join(ROOT, 'node_modules/.cache/catalogue'), say);
  const goals = await readGoals(join(ROOT, 'bench/catalogue/queries.jsonl'));
  const ofAgents = await readGoals(join(ROOT, 'bench/catalogue/agent-queries.jsonl'));
  const unserved = await readGoals(join(ROOT, 'bench/catalogue/unserved.jsonl'));
  const replies = [
    { name: 'in an agent’s words', replies: await measureReplies(collected.tools, ofAgents, unserved) },
    { name: 'in a user’s words', replies: await measureReplies(collected.tools, goals, unserved) },
  ];
  const result = await measureCatalogue(collected.tools, goals);
  for (const line of values.misses ? result.misses : []) say(line);
  process.stdout.write(
    values.json
      ? `${JSON.stringify({ ...result, replies, servers: collected.servers, absent: collected.absent })}\n`
      : toTerminal(result, replies),
  );
  // Figures of a part of the catalogue would not be those that the page names.
  if (collected.absent.length > 0) for (const line of collected.absent) say(`absent: ${line}`);
  else {
    await mkdir(dirname(RESULTS), { recursive: true });
    await writeFile(RESULTS, toMarkdown(result, replies, collected.servers));
  }
}

async function readGoals(file: string): Promise<LabelledGoal[]> {
  const rows = (await readFile(file, 'utf8')).trimEnd().split('\n');
  return rows.map((row) => JSON.parse(row) as LabelledGoal);
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

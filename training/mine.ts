import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { mineBuildLogs } from './mine/build-logs.ts';
import { type MinedCase, SPLITS, type Split, TASKS, type Task } from './mine/case.ts';
import { mineCommits } from './mine/commit-cases.ts';
import { mineDocs } from './mine/doc-cases.ts';
import { makeLogCases } from './mine/log-cases.ts';
import { makeNegatives } from './mine/negatives.ts';
import { toQuestion } from './mine/questions.ts';
import { seededRandom } from './mine/random.ts';
import { type Mirror, splitOf } from './mine/rules.ts';
import { mineSections } from './mine/section-cases.ts';
import { makeTables } from './mine/tables.ts';

const NEGATIVES: Readonly<Record<Split, number>> = { train: 300, test: 150 };
/** Every second case is also asked as a question. */
const QUESTION_SHARE = 0.5;
const TEST_CASES_PER_FILE = 3;

type CaseTable = Record<Task, Record<Split, MinedCase[]>>;

await main();

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      mirrors: { type: 'string' },
      'build-logs': { type: 'string' },
      out: { type: 'string', default: '.cache/cases' },
      exclude: { type: 'string', default: '' },
      'per-file': { type: 'string', default: '3' },
    },
  });
  if (values.mirrors === undefined) {
    throw new Error(
      'usage: mine.ts --mirrors DIR [--build-logs DIR] [--out DIR] [--exclude owner/name,…] [--per-file N]',
    );
  }
  const excluded = new Set(values.exclude.split(','));
  const table = emptyTable();
  for (const mirror of await mirrorsIn(values.mirrors, Number(values['per-file']))) {
    if (!excluded.has(mirror.repo)) await mineRepository(mirror, table);
  }
  for (const split of SPLITS) {
    const code = [...table.commit[split], ...table.doc[split]];
    table.negative[split] = makeNegatives(code, NEGATIVES[split], seededRandom(`negative ${split}`));
    const sections = makeNegatives(table.section[split], NEGATIVES[split], seededRandom(`section negative ${split}`));
    table['section-negative'][split] = sections;
    table.table[split] = makeTables(split);
  }
  table.logs = makeLogCases();
  if (values['build-logs'] !== undefined) addBuildLogs(values['build-logs'], table);
  await writeTable(table, values.out);
}

function addBuildLogs(folder: string, table: CaseTable): void {
  const found = mineBuildLogs(folder);
  for (const split of SPLITS) for (const row of found[split]) table[row.task][split].push(row);
}

async function mineRepository(mirror: Mirror, table: CaseTable): Promise<void> {
  const { repo, split } = mirror;
  const commits = await mineCommits(mirror, seededRandom(`commit ${repo}`));
  const docs = await mineDocs(mirror, seededRandom(`doc ${repo}`));
  const sections = await mineSections(mirror, seededRandom(`section ${repo}`));
  const random = seededRandom(`question ${repo}`);
  const questions = [...commits, ...docs]
    .filter(() => random.next() < QUESTION_SHARE)
    .map((source) => toQuestion(source, random))
    .filter((question) => question !== undefined);
  table.commit[split].push(...commits);
  table.doc[split].push(...docs);
  table.question[split].push(...questions);
  table.section[split].push(...sections);
  const counts = `${commits.length} commits, ${docs.length} docs, ${questions.length} questions, ${sections.length} sections`;
  console.log(`${split.padEnd(5)} ${repo.padEnd(28)} ${counts}`);
}

/** A mirror is a folder `owner+name` with a bare repository inside, as `repo` or as the folder itself. */
async function mirrorsIn(folder: string, perFile: number): Promise<Mirror[]> {
  const mirrors: Mirror[] = [];
  for (const entry of (await readdir(folder)).sort()) {
    const repo = entry.replace('+', '/');
    const split = splitOf(repo);
    const gitDir = [join(folder, entry, 'repo'), join(folder, entry)].find((path) => existsSync(join(path, 'objects')));
    if (split === undefined || gitDir === undefined) continue;
    mirrors.push({ repo, gitDir, split, perFile: split === 'test' ? TEST_CASES_PER_FILE : perFile });
  }
  return mirrors;
}

/** Every file appears whole: a reader never sees half a suite. */
async function writeTable(table: CaseTable, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const counts: string[] = [];
  for (const task of TASKS) {
    for (const split of SPLITS) {
      const rows = table[task][split];
      const path = join(folder, `${task}.${split}.jsonl`);
      await writeFile(`${path}.part`, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
      await rename(`${path}.part`, path);
      counts.push(`${task}.${split} ${rows.length}`);
    }
  }
  await writeFile(join(folder, 'READY'), `${counts.join('\n')}\n`);
  console.log(counts.join('\n'));
}

function emptyTable(): CaseTable {
  const entries = TASKS.map((task) => [task, { train: [], test: [] }] as const);
  return Object.fromEntries(entries) as unknown as CaseTable;
}

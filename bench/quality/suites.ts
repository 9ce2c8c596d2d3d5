import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { detectSource, type SourceType, split } from '@jeeves/engine';
import { linesOf } from '../../packages/cli/src/bench/lines.ts';
import { readRow } from '../../packages/cli/src/bench/row.ts';
import { type CorpusCase, loadCorpus, loadStretch } from '../../test/corpus/corpus.ts';
import type { MinedCase } from '../../training/mine/case.ts';

export interface BenchCase {
  readonly goal: string;
  readonly text: string;
  readonly source: SourceType;
  /** 1-based lines that serve the goal, blank ones left out; none for a foreign goal, which the text does not answer. */
  readonly gold: readonly number[];
}

export interface Suite {
  readonly name: string;
  readonly cases: readonly BenchCase[];
}

/** What a row may say beyond the case itself: enough to tell which suite it belongs to. */
type Labels = Partial<Pick<MinedCase, 'task' | 'repo'>> & { readonly suite?: string };

const ENDING = '.test.jsonl';

/** The case files of a folder by what they ask for, then our own corpus by what its texts are. */
export async function loadSuites(folder: string): Promise<Suite[]> {
  const suites = new Map<string, BenchCase[]>();
  const add = (name: string, benchCase: BenchCase): void => {
    suites.set(name, suites.get(name) ?? []);
    suites.get(name)?.push(benchCase);
  };
  const names = existsSync(folder) ? readdirSync(folder).sort() : [];
  for (const name of names.filter((name) => name.endsWith(ENDING))) await readCases(join(folder, name), add);
  for (const entry of [...loadCorpus(), ...loadStretch()]) add(`corpus ${entry.source}`, corpusCase(entry));
  return [...suites].map(([name, cases]) => ({ name, cases }));
}

async function readCases(file: string, add: (name: string, benchCase: BenchCase) => void): Promise<void> {
  let at = 0;
  for await (const bytes of linesOf(file)) {
    at += 1;
    const row = readRow(bytes);
    if (typeof row === 'string') throw new Error(`${file}:${at}: ${row}`);
    const { goal, text, gold = [] } = row;
    const lines = split(text);
    if (gold.some((line) => line > lines.length)) throw new Error(`${file}:${at}: "gold" names lines beyond the text`);
    const labels = JSON.parse(Buffer.from(bytes).toString('utf8')) as Labels;
    const source = row.source ?? detectSource(lines);
    const said = gold.filter((line) => lines.at(line - 1).trim() !== '');
    // With nothing but blank lines to find it is no case, and no foreign goal either.
    if (said.length > 0 || gold.length === 0) {
      add(suiteOf({ ...labels, file }, source, gold), { goal, text, source, gold: said });
    }
  }
}

/** Kinds of logs differ more than tasks do, so each stands alone. */
function suiteOf(
  { suite, task, repo, file }: Labels & { file: string },
  source: string,
  gold: readonly number[],
): string {
  if (suite !== undefined) return suite;
  if (gold.length === 0) return `foreign goals, ${source}`;
  const name = task ?? basename(file, ENDING);
  return source === 'logs' && repo !== undefined ? `${name}: ${repo}` : name;
}

function corpusCase({ goal, text, source, mustSurvive }: CorpusCase): BenchCase {
  const lines = split(text);
  const all = mustSurvive.flatMap(([start, end]) => Array.from({ length: end - start + 1 }, (_, at) => start + at));
  return { goal, text, source, gold: all.filter((line) => lines.at(line - 1).trim() !== '') };
}

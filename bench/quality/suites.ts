import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SourceType } from '@jeeves/engine';
import { type CorpusCase, loadCorpus, loadStretch } from '../../test/corpus/corpus.ts';
import { type MinedCase, TASKS } from '../../training/mine/case.ts';
import { linesOf } from '../../training/mine/rules.ts';

export interface BenchCase {
  readonly id: string;
  readonly goal: string;
  readonly text: string;
  readonly lines: readonly string[];
  readonly source: SourceType;
  /** 1-based lines that serve the goal; none for a goal that the text does not answer. */
  readonly gold: readonly number[];
  /** 1-based lines whose loss is a critical miss. */
  readonly mustSurvive: readonly number[];
}

export interface Suite {
  readonly name: string;
  readonly cases: readonly BenchCase[];
}

interface Suites {
  readonly suites: readonly Suite[];
  /** What could not be measured, in sentences for the reader. */
  readonly absent: readonly string[];
}

/** The committed corpus, then whatever mined suites of held-back repositories lie in `casesFolder`. */
export async function loadSuites(casesFolder: string): Promise<Suites> {
  const absent: string[] = [];
  const suites: Suite[] = corpusSuites();
  for (const task of TASKS) {
    const path = join(casesFolder, `${task}.test.jsonl`);
    if (existsSync(path)) suites.push({ name: `mined ${task}`, cases: await minedCases(path) });
    else absent.push(`No mined ${task} cases (${task}.test.jsonl): run training/mine.ts to measure them.`);
  }
  return { suites, absent };
}

/** The whole corpus, its parts, and the cases it does not hold yet. */
function corpusSuites(): Suite[] {
  const cases = loadCorpus().map(toBenchCase);
  const sources = [...new Set(cases.map(({ source }) => source))];
  return [
    { name: 'corpus', cases },
    ...sources.map((source) => ({ name: `corpus ${source}`, cases: cases.filter((entry) => entry.source === source) })),
    { name: 'corpus stretch', cases: loadStretch().map(toBenchCase) },
  ];
}

function toBenchCase({ id, goal, text, source, mustSurvive }: CorpusCase): BenchCase {
  const gold = mustSurvive.flatMap(([start, end]) => Array.from({ length: end - start + 1 }, (_, at) => start + at));
  return { id, goal, text, lines: linesOf(text), source, gold, mustSurvive: gold };
}

async function minedCases(path: string): Promise<BenchCase[]> {
  const rows = linesOf(await readFile(path, 'utf8')).map((row) => JSON.parse(row) as MinedCase);
  return rows.map(({ id, query, text, kind, gold }) => {
    return { id, goal: query, text, lines: linesOf(text), source: kind, gold, mustSurvive: [] };
  });
}

import { rename, rm, writeFile } from 'node:fs/promises';
import type { Ranker } from '@jeeves/gateway/rank';
import { reasonOf, UsageError } from '../failure.ts';
import { type BroughtTool, type CatalogueQuery, readQuery, readTools } from './catalogue-input.ts';
import { linesOf } from './lines.ts';

/** What to rank, and whom to tell. */
export interface CatalogueRanking {
  readonly toolsFile: string;
  readonly queriesFile: string;
  readonly outFile: string;
  readonly ranker: Ranker;
  readonly onProgress: (done: number) => void;
  /** Called with the line number of a row that cannot be used. */
  readonly onMalformed: (line: number, problem: string) => void;
}

/** What came of it. Recall and rank are of the rows that say what they expect. */
export interface CatalogueRanked {
  readonly tools: number;
  readonly rows: number;
  readonly malformed: number;
  readonly expecting: number;
  readonly recallAt5: number | undefined;
  readonly meanReciprocalRank: number | undefined;
}

const TOP = 5;

/** Ranks all tools for each row. The output appears under its name only when it is complete. */
export async function rankCatalogue(ranking: CatalogueRanking): Promise<CatalogueRanked> {
  const tools = await readTools(ranking.toolsFile);
  const lines: string[] = [];
  const measured: Measured[] = [];
  let malformed = 0;
  let at = 0;
  for await (const bytes of linesOf(ranking.queriesFile, '--queries')) {
    at += 1;
    if (bytes.length === 0 || (bytes.length === 1 && bytes[0] === 13)) continue;
    const row = readQuery(bytes);
    if (typeof row === 'string') {
      malformed += 1;
      ranking.onMalformed(at, row);
      continue;
    }
    const ranked = (await ranking.ranker.rank(tools, row.goal)).map(({ tool }) => tool);
    lines.push(`${JSON.stringify({ id: row.id, names: namesOf(ranked) })}\n`);
    if (row.expected.length > 0) measured.push(measure(ranked, row));
    ranking.onProgress(lines.length);
  }
  await writeWhole(ranking.outFile, lines.join(''));
  const mean = (value: (one: Measured) => number): number | undefined =>
    measured.length === 0 ? undefined : measured.reduce((sum, one) => sum + value(one), 0) / measured.length;
  return {
    tools: tools.length,
    rows: lines.length,
    malformed,
    expecting: measured.length,
    recallAt5: mean(({ recall }) => recall),
    meanReciprocalRank: mean(({ reciprocal }) => reciprocal),
  };
}

/** Best first, each name once: two servers may have a tool of the same name. */
function namesOf(tools: readonly BroughtTool[]): string[] {
  return [...new Set(tools.map(({ name }) => name))];
}

interface Measured {
  readonly recall: number;
  readonly reciprocal: number;
}

/** An expected tool may be named by itself or as `server__tool`. */
function measure(ranked: readonly BroughtTool[], { expected }: CatalogueQuery): Measured {
  const places = expected.map((wanted) =>
    ranked.findIndex(({ name, server }) => wanted === name || wanted === `${server}__${name}`),
  );
  const found = places.filter((place) => place !== -1);
  return {
    recall: found.filter((place) => place < TOP).length / Math.min(TOP, expected.length),
    reciprocal: found.length === 0 ? 0 : 1 / (1 + Math.min(...found)),
  };
}

async function writeWhole(file: string, text: string): Promise<void> {
  const unfinished = `${file}.part`;
  try {
    await writeFile(unfinished, text);
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => {});
    throw new UsageError(`--out ${file}: cannot be written: ${reasonOf(error)}`);
  }
}

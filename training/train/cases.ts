import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asksForTrouble } from '../../packages/engine/src/backends/embedded/trouble.ts';
import type { MinedCase, Split } from '../mine/case.ts';
import type { Recipe } from './models.ts';

export interface WeighedCase extends MinedCase {
  readonly weight: number;
}

/** The cases that teach, or test, one model. */
export function casesFor({ suites }: Recipe, folder: string, split: Split): WeighedCase[] {
  return suites.flatMap(({ task, most, trouble, weight = 1 }) => {
    const rows = read(join(folder, `${task}.${split}.jsonl`));
    const wanted = trouble === undefined ? rows : rows.filter(({ query }) => asksForTrouble(query) === trouble);
    return evenly(wanted, most).map((one) => Object.assign(one, { weight }));
  });
}

function read(file: string): MinedCase[] {
  if (!existsSync(file)) throw new RangeError(`${file} is missing: run training/mine.ts first`);
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as MinedCase);
}

function evenly<T>(items: readonly T[], most: number): T[] {
  const count = Math.min(most, items.length);
  return Array.from({ length: count }, (_, at) => items[Math.floor((at * items.length) / count)] as T);
}

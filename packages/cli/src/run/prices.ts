import { InvalidArgumentError } from 'commander';

export interface Prices {
  readonly input: number;
  readonly output: number;
  readonly cache_write: number;
  readonly cache_read: number;
}

/** `3,15,3.75,0.3`: USD per million tokens of input, output, cache writes and cache reads. */
export function parsePrices(value: string): Prices {
  const [input, output, cache_write, cache_read, ...rest] = value
    .split(',')
    .map((part) => (/^\d{1,6}(?:\.\d{1,6})?$/.test(part.trim()) ? Number(part) : Number.NaN));
  const all = [input, output, cache_write, cache_read];
  if (rest.length > 0 || all.some((price) => price === undefined || Number.isNaN(price))) {
    throw new InvalidArgumentError('Give USD per million tokens: input,output,cache write,cache read (3,15,3.75,0.3).');
  }
  return { input: input ?? 0, output: output ?? 0, cache_write: cache_write ?? 0, cache_read: cache_read ?? 0 };
}

import type { LineRange } from '@jeeves/engine';
import { InvalidArgumentError } from 'commander';

// Commander puts the option and its value before these messages and ends with exit code 2.

/** A share from 0 to 1, in plain decimals: `Number` would also take `1e-1`, `0x1` and nothing at all. */
export function parseRatio(value: string): number {
  const ratio = /^\d*\.?\d+$/.test(value) ? Number(value) : Number.NaN;
  if (ratio >= 0 && ratio <= 1) return ratio;
  throw new InvalidArgumentError('Give a number from 0 (cut nothing) to 1, such as 0.6.');
}

/** A whole number from 0. */
export function parseCount(value: string): number {
  return parseWhole(value, 0);
}

/** A whole number from 1. */
export function parsePositive(value: string): number {
  return parseWhole(value, 1);
}

/** A budget in tokens, as the tools take it. */
export function parseMaxTokens(value: string): number {
  const tokens = /^\d{1,6}$/.test(value) ? Number(value) : Number.NaN;
  if (tokens >= 100 && tokens <= 20_000) return tokens;
  throw new InvalidArgumentError('Give a whole number from 100 to 20000.');
}

function parseWhole(value: string, least: number): number {
  const number = /^\d{1,12}$/.test(value) ? Number(value) : Number.NaN;
  if (number >= least) return number;
  throw new InvalidArgumentError(`Give a whole number, ${least} or more.`);
}

/** `10-40,50-60,77`: line ranges, both ends included, given back in this order. */
export function parseRanges(value: string): readonly LineRange[] {
  return value.split(',').map((part) => {
    const [, start, end = start] = /^\s*(\d{1,12})(?:\s*-\s*(\d{1,12}))?\s*$/.exec(part) ?? [];
    if (start === undefined || end === undefined) {
      throw new InvalidArgumentError(`"${part.slice(0, 40)}" is no range. Write 10-40, or several: 10-40,50-60.`);
    }
    const range = { startLine: Number(start), endLine: Number(end) };
    if (range.startLine < 1) throw new InvalidArgumentError('Lines count from 1.');
    if (range.startLine > range.endLine) {
      throw new InvalidArgumentError(`"${part.trim()}" ends before it starts. Write ${end}-${start}.`);
    }
    return range;
  });
}

/** Text that says something: a blank goal would keep or cut at random. */
export function parseGoal(value: string): string {
  if (value.trim() !== '') return value;
  throw new InvalidArgumentError('It is empty. Say what you want to know, such as "why does the build fail".');
}

import type { SourceType } from '@jeeves/engine';
import { decode } from '../input/decode.ts';

/** One case: which lines of a text serve a goal. */
export interface BenchRow {
  readonly id: string | number;
  readonly goal: string;
  readonly text: string;
  /** Numbers of the lines that serve the goal, from 1; absent when nobody said. */
  readonly gold?: readonly number[];
  /** Absent when it is to be told from the text. */
  readonly source?: SourceType;
}

/** Reads a row, or says what is wrong with it. */
export function readRow(bytes: Uint8Array): BenchRow | string {
  const decoded = decode(bytes);
  if (!('text' in decoded)) return 'not a UTF-8 text';
  let json: unknown;
  try {
    json = JSON.parse(decoded.text.replace(/^\uFEFF/, ''));
  } catch {
    return 'not JSON';
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return 'not a JSON object';
  const { id, query, text, gold = null, kind = null } = json as Readonly<Record<string, unknown>>;
  if (typeof id !== 'string' && typeof id !== 'number') return '"id" must be a string or a number';
  if (typeof query !== 'string') return '"query" must be a string';
  if (typeof text !== 'string') return '"text" must be a string';
  if (kind !== null && !isSource(kind)) return '"kind" must be "code", "logs" or "docs"';
  if (gold !== null && !isLineNumbers(gold)) return '"gold" must be a list of line numbers, from 1';
  return {
    id,
    goal: query,
    text,
    ...(gold === null ? {} : { gold }),
    ...(kind === null ? {} : { source: kind }),
  };
}

function isSource(value: unknown): value is SourceType {
  return value === 'code' || value === 'logs' || value === 'docs';
}

function isLineNumbers(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every((entry) => Number.isSafeInteger(entry) && entry >= 1);
}

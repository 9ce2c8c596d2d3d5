import { readFile } from 'node:fs/promises';
import { reasonOf, UsageError } from '../failure.ts';
import { decode } from '../input/decode.ts';

type Json = Readonly<Record<string, unknown>>;

/** A tool of a catalogue that somebody brought. */
export interface BroughtTool {
  readonly server: string;
  readonly name: string;
  readonly definition: Json;
}

/** A goal, and the tools that serve it where somebody said so. */
export interface CatalogueQuery {
  readonly id: string | number;
  readonly goal: string;
  readonly expected: readonly string[];
}

/** Reads the tools, or names the first field that is wrong. */
export async function readTools(file: string): Promise<BroughtTool[]> {
  const fail = (problem: string): never => {
    throw new UsageError(`--tools ${file}: ${problem}`);
  };
  const bytes = await readFile(file).catch((error: unknown) => fail(`cannot be read: ${reasonOf(error)}`));
  const json = jsonOf(bytes) ?? fail('not JSON');
  const list = isObject(json) && Array.isArray(json['tools']) ? json['tools'] : json;
  if (!Array.isArray(list)) return fail('must be a list of tools');
  if (list.length === 0) return fail('holds no tool');
  return list.map((entry: unknown, at) => {
    const tool = toolOf(entry);
    return typeof tool === 'string' ? fail(`[${at}]${tool}`) : tool;
  });
}

/** The tool, or what is wrong with it. */
function toolOf(entry: unknown): BroughtTool | string {
  if (!isObject(entry)) return ' must be an object';
  const { name, server = '', description = '', inputSchema = {} } = entry;
  if (typeof name !== 'string' || name === '') return '.name must be a string that is not empty';
  if (typeof server !== 'string') return '.server must be a string';
  if (typeof description !== 'string' && description !== null) return '.description must be a string';
  if (!isObject(inputSchema) && inputSchema !== null) return '.inputSchema must be an object';
  return { server, name, definition: entry };
}

/** Reads a row, or says what is wrong with it. */
export function readQuery(bytes: Uint8Array): CatalogueQuery | string {
  const json = jsonOf(bytes);
  if (json === undefined) return 'not JSON';
  if (!isObject(json)) return 'not a JSON object';
  const { id, query, expect = [] } = json;
  if (typeof id !== 'string' && typeof id !== 'number') return '"id" must be a string or a number';
  if (typeof query !== 'string') return '"query" must be a string';
  if (!Array.isArray(expect) || !expect.every((name) => typeof name === 'string')) {
    return '"expect" must be a list of tool names';
  }
  return { id, goal: query, expected: expect };
}

function jsonOf(bytes: Uint8Array): unknown {
  const decoded = decode(bytes);
  if (!('text' in decoded)) return undefined;
  try {
    return JSON.parse(decoded.text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

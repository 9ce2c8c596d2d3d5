import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parse } from 'yaml';
import { RunnerError } from '../errors.ts';
import { type FakeScript, toScript } from '../providers/fake/script.ts';

/** What an agent is given to do, and how to tell whether it did. */
export interface Task {
  readonly name: string;
  readonly prompt: string;
  /** Absolute; copied afresh for every run. Without it a run starts in an empty directory. */
  readonly directory?: string | undefined;
  /** Shell commands, run in the copy. */
  readonly setup?: string | undefined;
  /** Exit code 0 means that the task was done. */
  readonly check?: string | undefined;
  readonly model?: string | undefined;
  readonly maxTurns?: number | undefined;
  readonly timeoutMs?: number | undefined;
  /** What the fake provider does. */
  readonly script?: FakeScript | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

const FIELDS = ['name', 'prompt', 'directory', 'setup', 'check', 'model', 'max_turns', 'timeout', 'script'];

/** Reads a task; what it names by a relative path lies beside it. */
export function readTask(file: string): Task {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw wrong(file, error instanceof Error ? error.message : String(error));
  }
  const task = parseTask(text, file);
  if (task.directory === undefined || isDirectory(task.directory)) return task;
  throw wrong(file, `"directory" is not a directory: ${task.directory}`);
}

export function parseTask(text: string, file: string): Task {
  const fields = fieldsOf(text, file);
  const unknown = Object.keys(fields).filter((name) => !FIELDS.includes(name));
  if (unknown.length > 0) throw wrong(file, `unknown: ${unknown.join(', ')}; a task has ${FIELDS.join(', ')}`);
  const optional = (name: string): string | undefined =>
    fields[name] === undefined ? undefined : textOf(fields, name, file);
  const directory = optional('directory');
  const seconds = countOf(fields, 'timeout', file);
  return {
    name: optional('name') ?? file,
    prompt: textOf(fields, 'prompt', file),
    directory: directory === undefined ? undefined : resolve(dirname(resolve(file)), directory),
    setup: optional('setup'),
    check: optional('check'),
    model: optional('model'),
    maxTurns: countOf(fields, 'max_turns', file),
    timeoutMs: seconds === undefined ? undefined : seconds * 1000,
    script: fields['script'] === undefined ? undefined : toScript(fields['script']),
  };
}

function fieldsOf(text: string, file: string): Fields {
  let value: unknown;
  try {
    value = parse(text, { maxAliasCount: 0 });
  } catch (error) {
    throw wrong(file, `it is not YAML: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw wrong(file, 'it is not a mapping');
}

function textOf(fields: Fields, name: string, file: string): string {
  const value = fields[name];
  if (typeof value === 'string' && value !== '') return value;
  throw wrong(file, `"${name}" is not a text`);
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function countOf(fields: Fields, name: string, file: string): number | undefined {
  const value = fields[name];
  if (value === undefined) return undefined;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value;
  throw wrong(file, `"${name}" is not a whole number above 0`);
}

function wrong(file: string, problem: string): RunnerError {
  return new RunnerError('invalid_task', `${file}: ${problem}`);
}

import type { ConfigProblem } from './server.ts';

type Json = Readonly<Record<string, unknown>>;

/** Reads the fields of one entry, and collects what is wrong with them. */
export interface Fields {
  readonly string: (name: string) => string | undefined;
  readonly strings: (name: string) => readonly string[] | undefined;
  /** An object whose values are strings; numbers and booleans are taken as they are written. */
  readonly record: (name: string) => Readonly<Record<string, string>>;
  readonly integer: (name: string, bounds: { readonly min: number; readonly max: number }) => number | undefined;
  readonly boolean: (name: string) => boolean;
  /** Whether the field is there, whatever it holds. */
  readonly isGiven: (name: string) => boolean;
  /** A problem of the field that was read last, or of a part of it. */
  readonly report: (message: string, part?: string) => void;
  /** A problem of the entry itself. */
  readonly reportEntry: (message: string) => void;
}

/** `path` stands before every field's name in a problem. */
export function fieldsOf(entry: Json, path: string, problems: ConfigProblem[]): Fields {
  let last = '';

  function read<Value>(name: string, is: (value: unknown) => value is Value, what: string): Value | undefined {
    last = name;
    const value = entry[name];
    if (value === undefined || value === null) return undefined;
    if (is(value)) return value;
    report(`must be ${what}`);
    return undefined;
  }

  function report(message: string, part?: string): void {
    const field = [path, last, part].filter((piece) => piece !== undefined && piece !== '').join('.');
    problems.push({ field, message });
  }

  return {
    string: (name) => read(name, isString, 'a string'),
    strings: (name) => read(name, isStrings, 'a list of strings'),
    record: (name) => {
      const found = Object.entries(read(name, isObject, 'an object') ?? {});
      for (const [key, value] of found) if (!isScalar(value)) report('must be a string', key);
      return Object.fromEntries(found.map(([key, value]) => [key, String(value)]));
    },
    integer: (name, { min, max }) =>
      read(name, (value) => isWithin(value, min, max), `a whole number from ${min} to ${max}`),
    boolean: (name) => read(name, (value) => typeof value === 'boolean', 'true or false') ?? false,
    isGiven: (name) => read(name, (value): value is unknown => value !== undefined, 'something') !== undefined,
    report,
    reportEntry: (message) => void problems.push({ field: path, message }),
  };
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}

function isStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isString);
}

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function isWithin(value: unknown, min: number, max: number): value is number {
  return Number.isInteger(value) && Number(value) >= min && Number(value) <= max;
}

import { validate } from '@cfworker/json-schema';
import type { JsonObject } from '../upstream/upstream.ts';
import { type ReadableSchema, readSchema } from './read-schema.ts';
import { OutOfTime, withinTime } from './time-limit.ts';
import { describeViolations } from './violations.ts';

export type Checked =
  | { readonly kind: 'valid' }
  | { readonly kind: 'invalid'; readonly why: string }
  /** The schema is at fault: too deep, too large, or it leads outside itself. */
  | { readonly kind: 'unusable'; readonly why: string };

/** Checks the arguments of a call against the tool's own schema. Bounded in time, and never asks the network. */
export interface ArgumentValidator {
  readonly check: (definition: JsonObject, args: JsonObject) => Checked;
}

/** How long one check may hold up everything else. */
const DEADLINE_MS = 50;
/** Arguments up to this size need no watching unless their schema does. */
const MAX_PLAIN_VALUES = 2000;
const MAX_PLAIN_TEXT = 1024;

const VALID: Checked = { kind: 'valid' };

type Reading = ReadableSchema | { readonly unusable: string } | 'unchecked';

export function createArgumentValidator(deadlineMs: number = DEADLINE_MS): ArgumentValidator {
  const readings = new WeakMap<JsonObject, Reading>();

  function check(definition: JsonObject, args: JsonObject): Checked {
    if (definition['inputSchema'] === undefined) return VALID;
    const reading = readings.get(definition) ?? read(definition['inputSchema'], true);
    readings.set(definition, reading);
    if (reading === 'unchecked') return VALID;
    if ('unusable' in reading) return { kind: 'unusable', why: reading.unusable };
    try {
      return judge(reading, args, deadlineMs);
    } catch (cause) {
      if (!(cause instanceof OutOfTime)) return { kind: 'unusable', why: reasonOf(cause) };
      // Its upstream will look at the arguments as well; a check that holds up every other call is worth less than none.
      readings.set(definition, reading.hasPatterns ? read(definition['inputSchema'], false) : 'unchecked');
      return check(definition, args);
    }
  }

  return { check };
}

function read(inputSchema: unknown, patterns: boolean): Reading {
  try {
    return readSchema(inputSchema, patterns);
  } catch (cause) {
    return { unusable: reasonOf(cause) };
  }
}

function judge(reading: ReadableSchema, args: JsonObject, deadlineMs: number): Checked {
  const { schema, draft, lookup, risky, hasPatterns } = reading;
  const work = (): ReturnType<typeof validate> => validate(args, schema, draft, lookup, false);
  const watched = risky || !isSmall(args, hasPatterns ? MAX_PLAIN_TEXT : Number.POSITIVE_INFINITY);
  const { valid, errors } = watched ? withinTime(deadlineMs, work) : work();
  return valid ? VALID : { kind: 'invalid', why: describeViolations(errors) };
}

/** Whether there are few values and no text among them is longer than `longest`. */
function isSmall(args: JsonObject, longest: number): boolean {
  const open: unknown[] = [args];
  for (let seen = 0; open.length > 0; seen += 1) {
    const value = open.pop();
    if (seen > MAX_PLAIN_VALUES || (typeof value === 'string' && value.length > longest)) return false;
    if (typeof value === 'object' && value !== null) {
      const parts = Object.values(value);
      if (parts.length > MAX_PLAIN_VALUES) return false;
      open.push(...parts);
    }
  }
  return true;
}

function reasonOf(cause: unknown): string {
  if (cause instanceof RangeError) return 'it refers to itself without end';
  return cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause);
}

import type { JsonObject } from '../upstream/upstream.ts';

/** Arguments as their schema wants them, and what was changed to get there. */
export interface Coerced {
  readonly args: JsonObject;
  /** One sentence each, for the agent. */
  readonly notes: readonly string[];
}

const MAX_DEPTH = 8;

/**
 * Changes what can only be meant one way: `null` for an optional argument is none, `"2"` is 2 where a number belongs, a
 * text of JSON is the list or object that belongs there. Anything else stays, for the schema to refuse.
 */
export function coerceArguments(inputSchema: unknown, args: JsonObject): Coerced {
  const notes: string[] = [];
  return { args: coerceObject(inputSchema, args, { path: '', depth: 0, notes }), notes };
}

interface Place {
  readonly path: string;
  readonly depth: number;
  readonly notes: string[];
}

function coerceObject(schema: unknown, value: JsonObject, place: Place): JsonObject {
  const { properties, required } = objectOf(schema);
  const known = objectOf(properties);
  const needed = new Set(Array.isArray(required) ? required : []);
  if (place.depth > MAX_DEPTH) return value;
  const entries = Object.entries(value).flatMap(([name, part]): [string, unknown][] => {
    const path = place.path === '' ? name : `${place.path}.${name}`;
    const wanted = Object.hasOwn(known, name) ? known[name] : undefined;
    if (part === null && wanted !== undefined && !needed.has(name) && !typesOf(wanted).includes('null')) {
      place.notes.push(`${path} was null and is left out`);
      return [];
    }
    return [[name, coerce(wanted, part, { ...place, path, depth: place.depth + 1 })]];
  });
  return Object.fromEntries(entries);
}

function coerce(schema: unknown, value: unknown, place: Place): unknown {
  const types = typesOf(schema);
  if (isObject(value)) return coerceObject(schema, value, place);
  if (Array.isArray(value)) {
    const { items } = objectOf(schema);
    return value.map((item: unknown, at) => coerce(items, item, { ...place, path: `${place.path}.${at}` }));
  }
  // Whatever is allowed as it stands is meant as it stands.
  if (types.length === 0 || types.includes(typeof value)) return value;
  if (typeof value !== 'string') return value;
  const read = readAs(types, value);
  return read === undefined ? value : noted(read, value, place);
}

function readAs(types: readonly string[], text: string): unknown {
  const trimmed = text.trim();
  const isNumber = /^-?\d{1,15}(?:\.\d{1,15})?$/.test(trimmed);
  if (isNumber && (types.includes('number') || (types.includes('integer') && !trimmed.includes('.')))) {
    return Number(trimmed);
  }
  if (types.includes('boolean') && (trimmed === 'true' || trimmed === 'false')) return trimmed === 'true';
  if (!/^[[{]/.test(trimmed)) return undefined;
  try {
    const value: unknown = JSON.parse(trimmed);
    return types.includes(Array.isArray(value) ? 'array' : 'object') ? value : undefined;
  } catch {
    return undefined;
  }
}

function noted<Value>(read: Value, sent: unknown, { path, notes }: Place): Value {
  const kind = Array.isArray(read) ? 'a list' : isObject(read) ? 'an object' : `the ${typeof read} ${String(read)}`;
  notes.push(`${path} was sent as a ${typeof sent} and is taken as ${kind}`);
  return read;
}

function typesOf(schema: unknown): readonly string[] {
  const { type } = objectOf(schema);
  if (typeof type === 'string') return [type];
  return Array.isArray(type) ? type.filter((one): one is string => typeof one === 'string') : [];
}

function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

import * as z from 'zod';

/**
 * A value without the nulls that stand for "left out". Some clients fill every argument of a schema and write null for
 * those they do not mean, so null in an optional place is dropped. In a required place, or where the schema has a
 * meaning for it, it stays: there the schema decides.
 */
export function withoutNulls(schema: z.ZodType, value: unknown): unknown {
  const inner = unwrapped(schema);
  if (inner instanceof z.ZodArray && Array.isArray(value)) {
    const { maximum = Number.POSITIVE_INFINITY } = inner._zod.bag;
    // It will be refused as it is.
    if (value.length > Number(maximum)) return value;
    return value.map((item: unknown) => withoutNulls(inner.element as z.ZodType, item));
  }
  if (!(inner instanceof z.ZodObject) || !isRecord(value)) return value;
  const shape = inner.shape as Readonly<Record<string, z.ZodType>>;
  const kept = Object.entries(value).flatMap(([name, field]): [string, unknown][] => {
    const expected = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (expected === undefined) return [[name, field]];
    if (field === null && isOptional(expected)) return [];
    return [[name, withoutNulls(expected, field)]];
  });
  return Object.fromEntries(kept);
}

function unwrapped(schema: z.ZodType): z.ZodType {
  let inner = schema;
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodDefault || inner instanceof z.ZodNullable) {
    inner = inner.unwrap() as z.ZodType;
  }
  return inner;
}

const optional = new WeakMap<z.ZodType, boolean>();

/** Whether null stands for nothing here. A schema is asked once: a hostile call can hold a null a thousand times. */
function isOptional(schema: z.ZodType): boolean {
  const known = optional.get(schema) ?? (accepts(schema, undefined) && !accepts(schema, null));
  optional.set(schema, known);
  return known;
}

function accepts(schema: z.ZodType, value: undefined | null): boolean {
  return schema.safeParse(value).success;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

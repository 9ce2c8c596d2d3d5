import * as z from 'zod';

/** So many mistakes are named. Looking for more would let a hostile call cost as much as it has mistakes. */
export const MAX_ISSUES = 20;

export interface ListLimits {
  readonly min?: number;
  readonly max: number;
}

/**
 * A list with a maximum. Zod checks every item before it looks at the number of them and goes on after any number of
 * mistakes; this one looks at the number first and stops at the last mistake that anybody is told of. Further methods
 * of the schema would copy it without that, so the documentation is given here.
 */
export function list<Item extends z.ZodType>(
  item: Item,
  { min = 0, max }: ListLimits,
  meta: { readonly doc?: string } = {},
): z.ZodArray<Item> {
  const bounded = z.array(item).max(max);
  const schema = (min > 0 ? bounded.min(min) : bounded).meta(meta);
  const parse = schema._zod.parse.bind(schema._zod);
  schema._zod.parse = (payload, context) => {
    const { value, issues } = payload;
    if (!Array.isArray(value)) return parse(payload, context);
    // Left as it is: the check that comes next refuses it.
    if (value.length > max) return payload;
    const items: z.core.output<Item>[] = [];
    for (const [at, each] of value.entries()) {
      const done = item._zod.run({ value: each, issues: [] }, context);
      if (done instanceof Promise) throw new z.core.$ZodAsyncError();
      issues.push(...z.core.util.prefixIssues(at, done.issues));
      items.push(done.value as z.core.output<Item>);
      if (issues.length >= MAX_ISSUES) break;
    }
    return Object.assign(payload, { value: items });
  };
  return schema;
}

/** The same for a record of values by name. */
export function record<Key extends z.ZodString, Value extends z.ZodType>(
  [key, value]: readonly [Key, Value],
  maximum: number,
): z.ZodRecord<Key, Value> {
  const schema = z.record(key, value).superRefine((given, context) => {
    if (Object.keys(given).length <= maximum) return;
    context.addIssue({ code: 'too_big', origin: 'object', maximum, inclusive: true, input: given });
  });
  const parse = schema._zod.parse.bind(schema._zod);
  schema._zod.parse = (payload, context) => {
    const { value: given } = payload;
    const isMore = typeof given === 'object' && given !== null && Object.keys(given).length > maximum;
    return isMore ? payload : parse(payload, context);
  };
  return schema;
}

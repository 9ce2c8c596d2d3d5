import { TOOLS, withoutNulls } from '@jeeves/protocol';
import { expect, it } from 'vitest';
import * as z from 'zod';

const SCHEMA = z.strictObject({
  needed: z.string(),
  wished: z.string().optional(),
  filled: z.int().default(3),
  cleared: z.string().nullable().optional(),
  nested: z.strictObject({ inner: z.string().optional() }).optional(),
  list: z.array(z.strictObject({ inner: z.string().optional(), must: z.string() })).optional(),
});

it.each([
  ['an optional field', { needed: 'x', wished: null }, { needed: 'x' }],
  ['a field with a default', { needed: 'x', filled: null }, { needed: 'x' }],
  ['a field of an object', { needed: 'x', nested: { inner: null } }, { needed: 'x', nested: {} }],
  ['a whole object', { needed: 'x', nested: null }, { needed: 'x' }],
  ['a field of a list', { needed: 'x', list: [{ inner: null, must: 'y' }] }, { needed: 'x', list: [{ must: 'y' }] }],
])('null in %s is as good as nothing', (_, sent, kept) => {
  expect(withoutNulls(SCHEMA, sent)).toEqual(kept);
});

it.each([
  ['is required', { needed: null }],
  ['is not known', { needed: 'x', other: null }],
  ['has a meaning for it', { needed: 'x', cleared: null }],
  ['is required in a list', { needed: 'x', list: [{ must: null }] }],
])('null stays where the field %s', (_, sent) => {
  expect(withoutNulls(SCHEMA, sent)).toEqual(sent);
});

it('leaves what is no object alone', () => {
  for (const value of [null, 1, 'x', [null]]) expect(withoutNulls(SCHEMA, value)).toEqual(value);
  expect(Object.keys(withoutNulls(SCHEMA, JSON.parse('{"__proto__": null}')) as object)).toEqual(['__proto__']);
});

it.each(TOOLS.map((tool) => [tool.name, tool] as const))('%s takes null for every optional argument', (_, tool) => {
  const input = tool.input instanceof z.ZodPipe ? tool.input.out : tool.input;
  const { shape } = input as unknown as { shape: Record<string, z.ZodType> };
  const optional = Object.keys(shape).filter((name) => shape[name]?.safeParse(undefined).success === true);
  const nulls = Object.fromEntries(optional.map((name) => [name, null]));
  const [withNulls, without] = [withoutNulls(tool.input, nulls), {}].map((args) => tool.input.safeParse(args));
  expect(withNulls?.error?.issues).toEqual(without?.error?.issues);
  expect(withNulls?.data).toEqual(without?.data);
});

import { describe, expect, test } from 'vitest';
import { MAX_SUBSCHEMAS } from '../../src/validate/read-schema.ts';
import { createArgumentValidator } from '../../src/validate/validator.ts';

const { check } = createArgumentValidator();

function tool(inputSchema: unknown): Record<string, unknown> {
  return { name: 'server__tool', inputSchema };
}

const DRAFT_07 = 'http://json-schema.org/draft-07/schema#';

describe('arguments', () => {
  test.each<[string, object, object]>([
    ['nothing is asked for', { type: 'object' }, {}],
    ['a required field is there', { type: 'object', required: ['path'] }, { path: 'a' }],
    [
      'a tuple of 2020-12 fits',
      { properties: { at: { prefixItems: [{ type: 'number' }], items: false } } },
      { at: [1] },
    ],
    [
      'a tuple of draft-07 fits',
      { $schema: DRAFT_07, properties: { at: { items: [{ type: 'number' }], additionalItems: false } } },
      { at: [1] },
    ],
    [
      'a local reference fits',
      { $defs: { id: { type: 'string' } }, properties: { id: { $ref: '#/$defs/id' } } },
      { id: 'a' },
    ],
    [
      'an old local reference fits',
      { definitions: { id: { type: 'string' } }, properties: { id: { $ref: '#/definitions/id' } } },
      { id: 'a' },
    ],
    [
      'an embedded id fits',
      { $id: 'https://example.com/a', $defs: { b: { $id: 'b', type: 'string' } }, properties: { c: { $ref: 'b' } } },
      { c: 'x' },
    ],
    [
      'a dynamic reference fits',
      { $defs: { n: { $dynamicAnchor: 'n', type: 'number' } }, properties: { n: { $dynamicRef: '#n' } } },
      { n: 1 },
    ],
    ['a format is no rule', { properties: { at: { type: 'string', format: 'date-time' } } }, { at: 'tomorrow' }],
    ['a field is called format', { properties: { format: { enum: ['png'] } } }, { format: 'png' }],
    ['a pattern is written for another language', { properties: { a: { pattern: '(?i)x(' } } }, { a: 'y' }],
    ['a tree is as deep as it likes', TREE(), { child: { child: { child: {} } } }],
  ])('pass when %s', (_, schema, args) => {
    expect(check(tool(schema), args as Record<string, unknown>)).toEqual({ kind: 'valid' });
  });

  test.each<[string, object, object, string]>([
    ['a field is missing', { type: 'object', required: ['path'] }, {}, '"path" is required'],
    ['a type is wrong', { properties: { n: { type: 'integer' } } }, { n: 'x' }, 'n must be "integer", not "string"'],
    [
      'a value is not on the list',
      { properties: { s: { enum: ['a', 'b'] } } },
      { s: 'c' },
      's must be one of ["a","b"]',
    ],
    ['a field is one too many', { properties: {}, additionalProperties: false }, { extra: 1 }, 'extra is not allowed'],
    ['an item is wrong', { properties: { l: { items: { required: ['k'] } } } }, { l: [{}] }, 'l.0 lacks "k"'],
    ['a text breaks a pattern', { properties: { d: { pattern: '^\\d{4}-\\d{2}$' } } }, { d: 'May' }, 'd'],
    [
      'a tuple of 2020-12 is too long',
      { properties: { at: { prefixItems: [{}], items: false } } },
      { at: [1, 2] },
      'at',
    ],
    [
      'a tuple of draft-07 is too long',
      { $schema: DRAFT_07, properties: { at: { items: [{}], additionalItems: false } } },
      { at: [1, 2] },
      'at',
    ],
    [
      'draft-07 ignores what stands beside a reference',
      {
        $schema: DRAFT_07,
        definitions: { s: { type: 'string' } },
        properties: { a: { $ref: '#/definitions/s', type: 'number' } },
      },
      { a: 1 },
      'a must be "string"',
    ],
    [
      'a referenced part is broken',
      { $defs: { id: { type: 'string' } }, properties: { id: { $ref: '#/$defs/id' } } },
      { id: 1 },
      'id must be "string"',
    ],
    ['a tree is broken far down', TREE(), { child: { child: { child: 3 } } }, 'child.child.child'],
    ['a name is inherited by every object', { required: ['toString', '__proto__'] }, {}, '"toString" is required'],
  ])('are refused when %s', (_, schema, args, words) => {
    const checked = check(tool(schema), args as Record<string, unknown>);
    expect(checked).toMatchObject({ kind: 'invalid', why: expect.stringContaining(words) });
  });

  test.each<[string, object, object, string]>([
    ['a field too many', { additionalProperties: false }, { extra: 1 }, 'extra is not allowed'],
    [
      'an item too many',
      { properties: { l: { prefixItems: [{}], items: false } } },
      { l: [1, 2] },
      'l.1 is not allowed',
    ],
    ['a number below the least', { properties: { n: { minimum: 3 } } }, { n: 1 }, 'n must be at least 3'],
    ['a number at the limit', { properties: { n: { exclusiveMinimum: 0 } } }, { n: 0 }, 'n must be more than 0'],
    ['a number above the most', { properties: { n: { maximum: 3 } } }, { n: 4 }, 'n must be at most 3'],
    ['a number at the upper limit', { properties: { n: { exclusiveMaximum: 3 } } }, { n: 3 }, 'n must be less than 3'],
  ])('are told of %s once, in words that say what is right', (_, schema, args, why) => {
    expect(check(tool(schema), args as Record<string, unknown>)).toEqual({ kind: 'invalid', why });
  });

  test('are not looked at when the tool has no schema', () => {
    expect(check({ name: 'a' }, { anything: 1 })).toEqual({ kind: 'valid' });
  });

  test('are told of many mistakes in short', () => {
    const required = Array.from({ length: 40 }, (_, at) => `field${at}`);
    const checked = check(tool({ required }), {});
    expect(checked).toMatchObject({
      kind: 'invalid',
      why: expect.stringMatching(/"field5" is required; and 34 more$/),
    });
  });
});

describe('a schema is refused', () => {
  test.each<[string, unknown, string]>([
    [
      'that leads to the network',
      { properties: { a: { $ref: 'https://example.com/schema.json' } } },
      'nothing is fetched',
    ],
    ['that leads to a file', { properties: { a: { $ref: 'file:///etc/passwd' } } }, 'nothing is fetched'],
    ['that leads to its own missing part', { properties: { a: { $ref: '#/$defs/none' } } }, 'nothing is fetched'],
    [
      'that leads to the network in a corner nobody reaches',
      { $defs: { b: { anyOf: [{ $ref: 'http://h/x' }] } } },
      'nothing is fetched',
    ],
    ['that is too deep', nested(40), 'deeper than 32'],
    [
      'that is too large',
      { allOf: Array.from({ length: MAX_SUBSCHEMAS }, () => ({})) },
      `more than ${MAX_SUBSCHEMAS} parts`,
    ],
    ['that is no schema', 'text', 'neither an object'],
    ['with a part that is none', { properties: { a: 3 } }, 'neither an object'],
    ['that leads back to itself at once', { $defs: { a: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' }, 'without end'],
  ])('%s', (_, schema, words) => {
    expect(check(tool(schema), {})).toMatchObject({ kind: 'unusable', why: expect.stringContaining(words) });
  });
});

describe('time', () => {
  test('is bounded for a pattern that goes back over its text without end; other rules still hold', () => {
    const definition = tool({
      required: ['count'],
      properties: { name: { type: 'string', pattern: '^(a+)+$' }, count: { type: 'number' } },
    });
    const name = `${'a'.repeat(60)}!`;
    const started = performance.now();
    expect(check(definition, { name, count: 1 })).toEqual({ kind: 'valid' });
    for (let time = 0; time < 50; time += 1) expect(check(definition, { name })).toMatchObject({ kind: 'invalid' });
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  test('is bounded for references that multiply', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [
        `d${at}`,
        { allOf: [{ $ref: `#/$defs/d${at + 1}` }, { $ref: `#/$defs/d${at + 1}` }] },
      ]),
    );
    const definition = tool({ $ref: '#/$defs/d0', $defs: { ...$defs, d40: { type: 'object' } } });
    const started = performance.now();
    for (let time = 0; time < 50; time += 1) expect(check(definition, {})).toEqual({ kind: 'valid' });
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  test('is bounded for large arguments', () => {
    const list = Array.from({ length: 60_000 }, (_, at) => ({ at }));
    const started = performance.now();
    expect(check(tool({ properties: { list: { uniqueItems: true } } }), { list })).toEqual({ kind: 'valid' });
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

function TREE(): object {
  return { $id: 'https://example.com/tree', type: 'object', properties: { child: { $ref: '#' } } };
}

function nested(depth: number): object {
  return depth === 0 ? {} : { properties: { a: nested(depth - 1) } };
}

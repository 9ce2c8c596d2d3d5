import { describe, expect, test } from 'vitest';
import { verifies } from '../../../../test/e2e/verifies.ts';
import { MAX_TEXT_BYTES, shortenDefinition } from '../../src/safety/size.ts';
import { createArgumentValidator } from '../../src/validate/validator.ts';

const LONG = 'x'.repeat(10_000);

describe('a description', () => {
  for (const character of ['x', 'é', '大', '😀']) {
    verifies('security.t19.description-cap', `of ${character} without end is cut at a whole character`, () => {
      const endless = {
        description: character.repeat(100_000),
        inputSchema: { description: character.repeat(100_000) },
      };
      const short = shortenDefinition(endless);
      const { description } = short as { description: string };
      expect(Buffer.byteLength(description)).toBeLessThanOrEqual(MAX_TEXT_BYTES);
      expect(Buffer.byteLength(description)).toBeGreaterThan(MAX_TEXT_BYTES - 8);
      expect(description.replaceAll(character, '')).toBe('…');
      expect(short['inputSchema']).toEqual({ description });
    });
  }

  test('that just fits stays whole', () => {
    const definition = { description: '大'.repeat(1365) };
    expect(shortenDefinition(definition)).toBe(definition);
  });
});

describe('a definition', () => {
  verifies('gateway.safety.size-cap', 'has no text and no key beyond the cap, and its schema stays usable', () => {
    const definition = {
      name: 'x',
      inputSchema: {
        type: 'object',
        properties: {
          mode: { type: 'string', enum: ['a', LONG], default: LONG, pattern: `^${LONG}$`, examples: [LONG] },
          deep: {
            type: 'array',
            items: { type: 'object', properties: { [LONG]: { type: 'string' } }, required: [LONG] },
          },
          [LONG]: { type: 'number' },
        },
        required: ['mode', LONG],
      },
      outputSchema: { const: LONG },
    };
    const short = shortenDefinition(definition);
    expect(short).toEqual({
      name: 'x',
      inputSchema: {
        type: 'object',
        properties: {
          mode: { type: 'string' },
          deep: { type: 'array', items: { type: 'object', properties: {}, required: [] } },
        },
        required: ['mode'],
      },
      outputSchema: {},
    });
    const { check } = createArgumentValidator();
    expect(check(short, { mode: 'b' }).kind).toBe('valid');
    expect(check(short, {}).kind).toBe('invalid');
  });
});

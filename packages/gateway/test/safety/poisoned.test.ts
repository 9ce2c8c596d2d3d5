import { describe, expect, test } from 'vitest';
import { EVERYTHING, FILESYSTEM, PLAYWRIGHT, script } from '../../../../test/e2e/scenarios/gateway/gateway.ts';
import { hasHidden } from '../../src/safety/hidden.ts';
import { until, world } from '../world.ts';

const HIDING = [
  '\u200B',
  '\u200C',
  '\u200D',
  '\u200E',
  '\u200F',
  '\u2060',
  '\u2063',
  '\uFEFF',
  '\u00AD',
  '\u180E',
  '\u202A',
  '\u202E',
  '\u2066',
  '\u2069',
  '\u061C',
  '\u3164',
  '\u{E0041}',
  '\u{E0100}',
  '\u001B[8m',
  '\u0007',
];

describe('poisoned definitions', () => {
  test.each(HIDING.map((hidden) => [JSON.stringify(hidden), hidden]))(
    'with %s are found, wherever it stands',
    (_, hidden) => {
      const places = [
        { title: `a${hidden}b` },
        { description: `a${hidden}b` },
        { annotations: { title: hidden } },
        { inputSchema: { properties: { x: { anyOf: [{ description: hidden }] } } } },
      ];
      expect(places.map(hasHidden)).toEqual([true, true, true, true]);
    },
  );

  test('are none of those that real servers have', async () => {
    const { tools, events } = world({
      everything: script(EVERYTHING),
      files: script(FILESYSTEM, ['/']),
      browser: script(PLAYWRIGHT, ['--headless']),
    });
    await until(async () => (await tools()).tools.length > 45, 'all of them are listed');
    expect((await tools()).tools.some(({ definition, changed }) => changed || hasHidden(definition))).toBe(false);
    expect(events.filter(({ event }) => event === 'gateway.tool_cleaned')).toEqual([]);
  });
});

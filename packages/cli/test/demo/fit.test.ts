import { describe, expect, test } from 'vitest';
import { fill, shorten } from '../../src/demo/fit.ts';

describe('fitting a line', () => {
  test.each([
    ['short', 10, 'short'],
    ['exactly ten', 11, 'exactly ten'],
    ['one too many', 11, 'one too ma…'],
    ['a\tb', 4, 'a  b'],
    ['\u001B[31mred\u001B[0m\r\n', 20, '[31mred[0m'],
    ['🧵🧵🧵', 2, '🧵…'],
  ])('%j in %i columns is %j', (text, width, expected) => {
    expect(shorten(text, width)).toBe(expected);
  });

  test('keeps the end of a log line', () => {
    expect(shorten('packages/engine/test/a.test.ts > fails', 20, 'middle')).toBe('package…t.ts > fails');
  });

  test('fills up by characters, not by code units', () => {
    expect(fill('🧵', 3)).toBe('🧵  ');
    expect(fill('long', 2)).toBe('long');
  });
});

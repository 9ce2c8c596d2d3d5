import { describe, expect, test } from 'vitest';
import { parseCount, parseGoal, parsePositive, parseRanges, parseRatio } from '../../src/input/arguments.ts';

describe('line ranges', () => {
  test.each([
    ['10-40', [{ startLine: 10, endLine: 40 }]],
    ['7', [{ startLine: 7, endLine: 7 }]],
    [
      '10-40,50-60',
      [
        { startLine: 10, endLine: 40 },
        { startLine: 50, endLine: 60 },
      ],
    ],
    [
      ' 3 - 4 , 1 ',
      [
        { startLine: 3, endLine: 4 },
        { startLine: 1, endLine: 1 },
      ],
    ],
  ])('%j is read', (text, ranges) => {
    expect(parseRanges(text)).toEqual(ranges);
  });

  test.each([
    ['', '"" is no range'],
    ['10-', '"10-" is no range'],
    ['-5', '"-5" is no range'],
    ['a-b', '"a-b" is no range'],
    ['1-2-3', '"1-2-3" is no range'],
    ['1,,2', '"" is no range'],
    ['1.5', '"1.5" is no range'],
    ['0-5', 'Lines count from 1'],
    ['40-10', '"40-10" ends before it starts. Write 10-40.'],
    ['9'.repeat(400), 'is no range'],
  ])('%j is refused with what to write', (text, message) => {
    expect(() => parseRanges(text)).toThrow(message);
  });
});

describe('numbers', () => {
  test.each([
    ['0', 0],
    ['1', 1],
    ['0.55', 0.55],
    ['.5', 0.5],
  ])('the ratio %s is read', (text, value) => {
    expect(parseRatio(text)).toBe(value);
  });

  test.each(['', '-0.1', '1.01', '50%', 'NaN', '1e-1', '0x1'])('the ratio %j is refused', (text) => {
    expect(() => parseRatio(text)).toThrow('from 0 (cut nothing) to 1');
  });

  test('a count may be 0, a positive number may not', () => {
    expect(parseCount('0')).toBe(0);
    expect(parsePositive('1')).toBe(1);
    expect(() => parsePositive('0')).toThrow('1 or more');
  });

  test.each(['', '-1', '1.5', '1e3', ' 1', 'ten'])('the count %j is refused', (text) => {
    expect(() => parseCount(text)).toThrow('Give a whole number, 0 or more.');
  });
});

describe('a goal', () => {
  test('is taken as it is', () => {
    expect(parseGoal('  why? ')).toBe('  why? ');
  });

  test.each(['', '  ', '\n'])('%j says nothing and is refused', (text) => {
    expect(() => parseGoal(text)).toThrow('Say what you want to know');
  });
});

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { increased, numbersFrom } from '../../src/analysis/numbers.ts';

const anyNumbers = fc.oneof(
  fc.array(fc.nat(255), { maxLength: 30 }),
  fc.array(fc.constantFrom(0, 1, 3), { maxLength: 30 }),
  fc.array(fc.constantFrom(0, 255, 256, 70_000, 2 ** 40, 0.5), { maxLength: 30 }),
);

it('numbers are increased exactly, however wide, and those given stay as they are', () => {
  fc.assert(
    fc.property(anyNumbers, fc.oneof(fc.nat(255), fc.constantFrom(1, 256, 70_000)), (given, by) => {
      const numbers = numbersFrom(given.length, (at) => given[at] as number);
      expect([...increased(numbers, by)]).toEqual(given.map((number) => number + by));
      expect([...numbers]).toEqual(given);
    }),
  );
});

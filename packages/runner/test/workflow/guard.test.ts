import { describe, expect, test } from 'vitest';
import { parseGuard } from '../../src/workflow/guard.ts';

const FACTS = {
  status: { approved: true, tests: 'green', count: 3, empty: '', note: 'a or b', missing: null },
  phase: { success: false, name: 'review' },
};

describe('a guard', () => {
  test.each([
    ['status.approved', true],
    ['phase.success', false],
    ['status.unheard.of', false],
    ['status.approved == true', true],
    ['status.approved == "true"', false],
    ['status.tests == green', true],
    ["status.tests == 'green'", true],
    ['status.tests != red', true],
    ['status.count == 3', true],
    ['status.count == "3"', false],
    ['status.unheard == null', true],
    ['status.missing == none', true],
    ['status.empty', false],
    ['status.note == "a or b"', true],
    ['status.approved and phase.success', false],
    ['status.approved or phase.success', true],
    // "and" binds tighter, on both sides.
    ['status.approved or status.approved and phase.success', true],
    ['phase.success and status.approved or status.approved', true],
    ['phase.success and status.approved or phase.success', false],
    ['phase.name==review', true],
  ])('%s is %s', (text, holds) => {
    expect(parseGuard(text)(FACTS)).toBe(holds);
  });

  test('does not look into what every object has', () => {
    expect(parseGuard('status.constructor')(FACTS)).toBe(false);
    expect(parseGuard('status.__proto__ == null')(FACTS)).toBe(true);
  });

  test.each(['', 'a b', 'a ==', '== 1', 'a == b == c', 'a === b', '(a or b)', 'a == "open', 'a and', '1 == a'])(
    '%j is refused',
    (text) => {
      expect(() => parseGuard(text)).toThrow(SyntaxError);
    },
  );
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { costOf, type Offer, optimum, select } from '../src/select.ts';

/** Small enough to try every choice. */
const MOST_UNITS = 9;

const units = fc.array(
  fc.record({
    lines: fc.integer({ min: 1, max: 3 }),
    need: fc.double({ min: 1e-3, max: 1, noNaN: true }),
    tokens: fc.integer({ min: 1, max: 40 }),
    reach: fc.integer({ min: 0, max: 4 }),
    forced: fc.integer({ min: 0, max: 9 }).map((dice) => dice === 0),
  }),
  { minLength: 1, maxLength: MOST_UNITS },
);
const offers = fc
  .tuple(units, fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 10 }))
  .map(([list, marker, pause]) => toOffer(list, marker, pause));
const values = fc.double({ min: 0, max: 300, noNaN: true });

type Unit = typeof units extends fc.Arbitrary<readonly (infer One)[]> ? One : never;

function toOffer(list: readonly Unit[], marker: number, pause: number): Offer {
  const starts = [0];
  for (const { lines } of list) starts.push((starts.at(-1) ?? 0) + lines);
  const scopeEnd = nested(list.map(({ reach }) => reach));
  const forced = list.map((unit) => (unit.forced ? 1 : 0));
  // What a forced unit needs is forced along with it.
  for (let unit = list.length - 1; unit >= 0; unit -= 1) {
    if (forced.slice(unit, scopeEnd[unit]).includes(1)) forced[unit] = 1;
  }
  return {
    units: Uint32Array.from(starts),
    scopeEnd: Uint32Array.from(scopeEnd),
    need: Float64Array.from(list, ({ need }) => need),
    tokens: Float64Array.from(list, ({ tokens }) => tokens),
    forced: Uint8Array.from(forced),
    marker,
    pause,
  };
}

/** Scopes never cross: one that opens within another ends within it. */
function nested(reaches: readonly number[]): number[] {
  const ends: number[] = [];
  const open: number[] = [];
  for (const [unit, reach] of reaches.entries()) {
    while (open.length > 0 && (open.at(-1) ?? 0) <= unit) open.pop();
    const end = Math.min(unit + 1 + reach, open.at(-1) ?? reaches.length, reaches.length);
    ends.push(end);
    open.push(end);
  }
  return ends;
}

function worthOf(offer: Offer, kept: readonly number[], value: number): number {
  let worth = 0;
  for (const [unit, mark] of kept.entries()) {
    if (mark === 1) worth += (offer.need[unit] ?? 0) * value - (offer.tokens[unit] ?? 0);
    else if (unit === 0 || kept[unit - 1] === 1) worth -= offer.marker + offer.pause;
  }
  return worth;
}

function isAllowed({ forced, scopeEnd }: Offer, kept: readonly number[]): boolean {
  return kept.every((mark, unit) => {
    if (mark === 1) return true;
    return forced[unit] === 0 && !kept.slice(unit, scopeEnd[unit]).includes(1);
  });
}

function* choices(count: number): Generator<number[]> {
  for (let bits = 0; bits < 2 ** count; bits += 1) yield Array.from({ length: count }, (_, at) => (bits >> at) & 1);
}

describe('the optimum', () => {
  it('is the best of all choices', () => {
    fc.assert(
      fc.property(offers, values, (offer, value) => {
        const kept = Array.from(optimum(offer, value));
        expect(isAllowed(offer, kept)).toBe(true);
        let best = Number.NEGATIVE_INFINITY;
        for (const choice of choices(kept.length)) {
          if (isAllowed(offer, choice)) best = Math.max(best, worthOf(offer, choice, value));
        }
        expect(worthOf(offer, kept, value)).toBeCloseTo(best, 6);
      }),
      { numRuns: 400 },
    );
  });

  it('keeps for a larger value whatever it keeps for a smaller one', () => {
    fc.assert(
      fc.property(offers, values, values, (offer, one, other) => {
        const [less, more] = [optimum(offer, Math.min(one, other)), optimum(offer, Math.max(one, other))];
        expect(Array.from(less).filter((mark, unit) => mark === 1 && more[unit] === 0)).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('a choice within bounds', () => {
  const any = { value: 1e9, fewest: 0, maxTokens: Number.POSITIVE_INFINITY };

  it('meets every budget that what must stay leaves room for', () => {
    fc.assert(
      fc.property(offers, fc.integer({ min: 0, max: 300 }), (offer, maxTokens) => {
        const least = costOf(offer, optimum(offer, 0));
        const kept = select(offer, { ...any, maxTokens });
        expect(costOf(offer, kept)).toBeLessThanOrEqual(Math.max(maxTokens, least));
      }),
      { numRuns: 1000 },
    );
  });

  it('breaks no scope when it fills a budget up', () => {
    fc.assert(
      fc.property(offers, fc.nat({ max: 200 }), (offer, maxTokens) => {
        expect(isAllowed(offer, Array.from(select(offer, { ...any, maxTokens })))).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it('fills a budget with units that are all alike', () => {
    const alike = Array.from({ length: 40 }, () => ({ lines: 1, need: 0.1, tokens: 10, reach: 0, forced: false }));
    const offer = toOffer(alike, 17, 8);
    const cost = costOf(offer, select(offer, { ...any, maxTokens: 200 }));
    expect(cost).toBeLessThanOrEqual(200);
    expect(cost).toBeGreaterThan(180);
  });

  it('keeps as many lines as the floor asks for, whatever the budget', () => {
    fc.assert(
      fc.property(offers, fc.nat({ max: 40 }), fc.nat({ max: 100 }), values, (offer, floor, maxTokens, value) => {
        const all = offer.units.at(-1) ?? 0;
        const fewest = Math.min(floor, all);
        const kept = select(offer, { value, fewest, maxTokens });
        let lines = 0;
        for (const [unit, mark] of kept.entries()) {
          if (mark === 1) lines += (offer.units[unit + 1] ?? 0) - (offer.units[unit] ?? 0);
        }
        expect(lines).toBeGreaterThanOrEqual(fewest);
      }),
      { numRuns: 1000 },
    );
  });
});

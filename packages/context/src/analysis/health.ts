import { rounded } from './rounded.ts';
import type { Fill, UsageFigures } from './usage.ts';

/** 0 (act now) to 100 (healthy), and what it is made of. */
export interface Health {
  readonly score: number;
  readonly factors: { readonly usage: number; readonly agePenalty: number; readonly distributionBonus: number };
}

const MOST_PENALTY = 20;
const MOST_BONUS = 10;

/** Room left, less for what has lain there for days, more for a mixture than for one kind of segment alone. */
export function healthOf(usage: UsageFigures, { current, percent }: Fill): Health {
  if (usage.totalSegments === 0 && current === 0) {
    return { score: 100, factors: { usage: 100, agePenalty: 0, distributionBonus: 0 } };
  }
  const room = Math.max(0, 100 - percent);
  const agePenalty = Math.min(MOST_PENALTY, (2 * usage.oldestHours) / 24);
  const distributionBonus = bonusOf([...usage.segmentsByType.values()], usage.totalSegments);
  const score = Math.min(100, Math.max(0, room - agePenalty + distributionBonus));
  return {
    score: rounded(score, 10),
    factors: {
      usage: rounded(room, 10),
      agePenalty: rounded(agePenalty, 10),
      distributionBonus: rounded(distributionBonus, 10),
    },
  };
}

/** The entropy of the types, over the most it could be. One segment is neither mixed nor monotonous. */
function bonusOf(counts: readonly number[], total: number): number {
  if (total === 1) return MOST_BONUS / 2;
  if (counts.length < 2) return 0;
  const entropy = counts.reduce((sum, count) => sum - (count / total) * Math.log2(count / total), 0);
  return (entropy / Math.log2(counts.length)) * MOST_BONUS;
}

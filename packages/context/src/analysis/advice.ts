import { DEFAULT_PAYBACK_TURNS, paysWithin } from './clearing.ts';
import { advised, type Recommendation } from './plan.ts';
import type { Fill, UsageFigures } from './usage.ts';

export interface Advice {
  readonly priority: 'urgent' | 'high' | 'medium' | 'low';
  readonly message: string;
  readonly action: 'prune' | 'stash' | 'unpin' | 'none';
}

/** What to do about a window, the most pressing first. A clearing that pays within so many turns needs no other reason. */
export function adviceOn(
  usage: UsageFigures,
  fill: Fill,
  groups: readonly Recommendation[],
  paybackTurns: number = DEFAULT_PAYBACK_TURNS,
): Advice[] {
  return [byFill(fill), ...byContents(usage), ...advised(groups).map((group) => byGroup(group, paybackTurns))];
}

function byFill({ percent }: Fill): Advice {
  const full = `The context is ${Math.round(percent)} % full`;
  if (percent >= 90) return { priority: 'urgent', action: 'prune', message: `${full}: prune now.` };
  if (percent >= 80) return { priority: 'high', action: 'prune', message: `${full}: prune before going on.` };
  if (percent >= 60) return { priority: 'medium', action: 'stash', message: `${full}: stash what is not in use.` };
  if (percent >= 50) return { priority: 'low', action: 'stash', message: `${full}: look at it again soon.` };
  return { priority: 'low', action: 'none', message: `${full}: healthy.` };
}

const MOSTLY_LOGS = 0.6;

function byContents({ oldestHours, segmentsByType, totalSegments, pinnedSegments }: UsageFigures): Advice[] {
  const advice: Advice[] = [];
  if (oldestHours > 24) {
    const message = `The oldest segment is ${Math.round(oldestHours)} hours old: stash what the work has left behind.`;
    advice.push({ priority: 'medium', action: 'stash', message });
  }
  if ((segmentsByType.get('log') ?? 0) > MOSTLY_LOGS * totalSegments) {
    const message = 'More than 60 % of the segments are logs: consider stashing the old ones.';
    advice.push({ priority: 'medium', action: 'stash', message });
  }
  if (totalSegments > 0 && pinnedSegments === totalSegments) {
    advice.push({ priority: 'low', action: 'unpin', message: 'Every segment is pinned: nothing can be freed.' });
  }
  return advice;
}

function byGroup({ count: segments, reason, clearing }: Recommendation, paybackTurns: number): Advice {
  const { tokensFreed, turnsToPayBack } = clearing;
  const count = segments === 1 ? '1 segment' : `${segments} segments`;
  const pays = turnsToPayBack === undefined ? 'never pays back' : paysBack(turnsToPayBack);
  const forRoom = paysWithin(paybackTurns, clearing) ? '' : ', but the context is nearly full and room matters more';
  return {
    priority: 'medium',
    action: 'stash',
    message: `Consider stashing ${count}, ${reason}: frees ${tokensFreed} tokens, ${pays}${forRoom}.`,
  };
}

function paysBack(turns: number): string {
  if (turns === 0) return 'at no cost to the cache';
  return `pays back after ${turns} ${turns === 1 ? 'turn' : 'turns'}`;
}

/** Short sentences for whoever reads nothing else. */
export function warningsAt({ percent, current, limit }: Fill): string[] {
  if (percent > 100) return [`The context is over its limit: ${current} of ${limit} tokens.`];
  if (percent >= 90) return ['Usage is at or above 90 %: the limit is close.'];
  if (percent >= 80) return ['Usage is at or above 80 %.'];
  return percent >= 60 ? ['Usage is at or above 60 %.'] : [];
}

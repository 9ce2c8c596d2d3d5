/** The two things a command writes. */
export type StreamName = 'stdout' | 'stderr';

/** A stream up to this share of the budget stays whole beside one that is pruned. */
const SHORT_SHARE = 0.25;

/**
 * Which streams of a command are pruned within one budget, in the order it is done. A short stderr stays whole, and so
 * does a short stdout beside a long stderr. Of two long ones stderr comes first, for half of the budget at most: errors
 * tell more, and what it leaves is for stdout.
 */
export function streamsToPrune(
  tokens: Readonly<Record<StreamName, number>>,
  maxTokens: number,
): readonly [StreamName, StreamName?] {
  const short = maxTokens * SHORT_SHARE;
  if (tokens.stderr <= short && tokens.stdout > 0) return ['stdout'];
  return tokens.stdout <= short ? ['stderr'] : ['stderr', 'stdout'];
}

const MAX_PATTERN = 500;
const MAX_REPEATS = 1;
const MAX_OPTIONAL = 3;

/**
 * Whether matching a short text takes next to no time, whatever the text. Only what is plain to see: nothing repeated but
 * single characters and classes, hardly any of those, no looking around and no looking back. Everything else is watched.
 */
export function isTame(pattern: string): boolean {
  if (pattern.length > MAX_PATTERN || /\(\?[^:]|\\[1-9k]|\)[*+?{]/.test(pattern)) return false;
  const repeats = pattern.match(/[*+]|\{\d*,\}/g)?.length ?? 0;
  const optional = pattern.match(/\?|\{\d*,\d+\}|\|/g)?.length ?? 0;
  return repeats <= MAX_REPEATS && optional <= MAX_OPTIONAL;
}

/** Whether it is an expression in this language; schemas are written for others too. */
export function compiles(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

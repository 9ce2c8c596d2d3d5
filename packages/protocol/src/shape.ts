const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPENING = [0x5b, 0x7b] as const;
const CLOSING = [0x5d, 0x7d] as const;

/** What a text of JSON may hold before anybody parses it. */
export interface ShapeLimits {
  /** How deep arrays and objects may be nested. */
  readonly depth: number;
  /** How many values there may be, and how many of them may be arrays or objects. */
  readonly values: number;
  readonly nested: number;
}

/**
 * Limits for every message. Parsing costs by the value, not by the byte: sixteen megabytes of empty objects take seconds
 * and twenty times their size in memory. The longest lists that any tool takes fit well within.
 */
export const MESSAGE_SHAPE: ShapeLimits = { depth: 64, values: 150_000, nested: 50_000 };

/** Whether a text of JSON holds too many values to be parsed at all, or is merely nested too deep to be worked on. */
export type ShapeProblem = 'too_many' | 'too_deep';

/**
 * Judges a text of JSON by its brackets and commas outside strings. It parses nothing, so that a hostile text is judged
 * before it costs time or memory.
 */
export function shapeProblem(text: string, limits: ShapeLimits = MESSAGE_SHAPE): ShapeProblem | undefined {
  let [depth, deepest, values, nested] = [0, 0, 1, 0];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COMMA) values += 1;
    else if (code === OPENING[0] || code === OPENING[1]) {
      values += 1;
      nested += 1;
      depth += 1;
      deepest = Math.max(deepest, depth);
    } else if (code === CLOSING[0] || code === CLOSING[1]) depth -= 1;
    if (values > limits.values || nested > limits.nested) return 'too_many';
  }
  return deepest > limits.depth ? 'too_deep' : undefined;
}

/** Whether a text of JSON is nested deeper than this. */
export function isDeeperThan(text: string, depth: number): boolean {
  const unbounded = Number.POSITIVE_INFINITY;
  return shapeProblem(text, { depth, values: unbounded, nested: unbounded }) === 'too_deep';
}

/** Where a string ends. Most hold no quote of their own, and the platform finds the next one fast. */
function endOfString(text: string, start: number): number {
  const quote = text.indexOf('"', start + 1);
  if (quote < 0) return text.length;
  if (text.charCodeAt(quote - 1) !== BACKSLASH) return quote;
  let at = start + 1;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) break;
    if (code === BACKSLASH) at += 1;
  }
  return at;
}

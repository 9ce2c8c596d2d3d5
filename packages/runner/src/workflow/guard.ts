/** A condition on what is known so far, such as `status.tests == green and phase.success`. */
export type Guard = (facts: Facts) => boolean;

export type Facts = Readonly<Record<string, unknown>>;

type Literal = string | number | boolean | null;

const NAME = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/;

/**
 * `a.b == value`, `a.b != value` or `a.b` alone for truth; `and` binds tighter than `or`; no parentheses. Values are
 * true, false, null or none, whole numbers, and words with or without quotes; they are compared strictly.
 */
export function parseGuard(text: string): Guard {
  const alternatives = splitOutsideQuotes(text, ' or ').map((part) => splitOutsideQuotes(part, ' and ').map(parseTerm));
  return (facts) => alternatives.some((terms) => terms.every((term) => term(facts)));
}

function parseTerm(text: string): Guard {
  for (const operator of ['!=', '=='] as const) {
    const [left, right, ...rest] = splitOutsideQuotes(text, operator);
    if (right === undefined) continue;
    if (rest.length > 0) throw new SyntaxError(`"${text.trim()}" compares more than two things`);
    const path = parsePath(left ?? '');
    const value = parseLiteral(right);
    return (facts) => (lookUp(facts, path) === value) === (operator === '==');
  }
  const path = parsePath(text);
  return (facts) => Boolean(lookUp(facts, path));
}

function parsePath(text: string): readonly string[] {
  const name = text.trim();
  if (NAME.test(name)) return name.split('.');
  throw new SyntaxError(`"${name}" is no name such as status.done`);
}

function parseLiteral(text: string): Literal {
  const value = text.trim();
  if (value === '') throw new SyntaxError('a comparison lacks its right side');
  if (value === 'true' || value === 'false') return value === 'true';
  if (value === 'null' || value === 'none') return null;
  if (/^\d{1,15}$/.test(value)) return Number(value);
  if (/^[=!]/.test(value)) throw new SyntaxError(`${value} is no value; compare with == or !=`);
  const quote = value[0];
  if (quote !== '"' && quote !== "'") return value;
  if (value.length < 2 || value.at(-1) !== quote) throw new SyntaxError(`${value} lacks its closing quote`);
  return value.slice(1, -1);
}

/** What is not there is null: a guard speaks of things that may not have happened yet. */
function lookUp(facts: Facts, path: readonly string[]): unknown {
  let value: unknown = facts;
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return null;
    value = (value as Facts)[name];
  }
  return value;
}

function splitOutsideQuotes(text: string, separator: string): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  let quote = '';
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (quote !== '') {
      if (character === quote) quote = '';
    } else if (character === '"' || character === "'") quote = character;
    else if (text.startsWith(separator, at)) {
      parts.push(text.slice(start, at));
      start = at + separator.length;
      at = start - 1;
    }
  }
  return [...parts, text.slice(start)];
}

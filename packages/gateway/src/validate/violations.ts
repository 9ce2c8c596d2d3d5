import type { OutputUnit } from '@cfworker/json-schema';

const MAX_SHOWN = 6;
const MAX_LENGTH = 300;

/** What is wrong with the arguments, in words: each violation by itself, those that only wrap another left out. */
export function describeViolations(errors: readonly OutputUnit[]): string {
  const leaves = errors.filter((error, at) => !errors.some((other, place) => place !== at && wraps(error, other)));
  const lines = [...new Set((leaves.length > 0 ? leaves : errors).map(inWords))];
  const more = lines.length > MAX_SHOWN ? [`and ${lines.length - MAX_SHOWN} more`] : [];
  return [...lines.slice(0, MAX_SHOWN), ...more].join('; ');
}

function wraps(outer: OutputUnit, inner: OutputUnit): boolean {
  if (inner.keyword !== 'false') return inner.keywordLocation.startsWith(`${outer.keywordLocation}/`);
  // What is forbidden outright is located by the value alone.
  return FORBIDDING.has(outer.keyword) && inner.instanceLocation.startsWith(`${outer.instanceLocation}/`);
}

const FORBIDDING: ReadonlySet<string> = new Set([
  'additionalProperties',
  'unevaluatedProperties',
  'additionalItems',
  'unevaluatedItems',
  'items',
  'properties',
]);

function inWords({ instanceLocation, error, keyword }: OutputUnit): string {
  const text = error
    .replace(/^Instance does not have required property (".*")\.$/su, '$1 is required')
    .replace(/^Instance type "([^"]*)" is invalid\. Expected (.*)\.$/su, 'must be $2, not "$1"')
    .replace(/^Instance (?:does|do) not match any of (.*)\.$/su, 'must be one of $1')
    .replace(/^\S+ is less than (\S+)\.$/u, `must be ${keyword === 'exclusiveMinimum' ? 'more than' : 'at least'} $1`)
    .replace(/^\S+ is greater than (\S+)\.$/u, 'must be at most $1')
    .replace(/^\S+ is greater than or equal to (\S+)\.$/u, 'must be less than $1')
    .replace(/^False boolean schema\.$/u, 'is not allowed')
    .replace(/^Instance /u, '')
    .replace(/\.$/u, '')
    .slice(0, MAX_LENGTH);
  const where = pathOf(instanceLocation);
  return where === ''
    ? text
    : `${where} ${keyword === 'required' ? `lacks ${text.replace(' is required', '')}` : text}`;
}

/** `#/items/0/name` is `items.0.name`. */
function pathOf(location: string): string {
  return location
    .replace(/^#\/?/u, '')
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.');
}

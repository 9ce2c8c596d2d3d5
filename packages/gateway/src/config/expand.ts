import type { Fields } from './fields.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** How some clients write it. */
const PREFIX = 'env:';

/** How VS Code writes what it asks its user for. */
const INPUT = 'input:';

/**
 * Replaces `${NAME}`, `${env:NAME}` and `${NAME:-default}`. A variable that is not set is a problem that names it: starting a server
 * with a hole in its arguments or an empty credential helps nobody. Anything else with a dollar stays as it is.
 */
export function expand(text: string, env: Environment, report: Fields['report']): string {
  let expanded = '';
  let at = 0;
  for (let start = text.indexOf('${'); start >= 0; start = text.indexOf('${', at)) {
    const end = text.indexOf('}', start);
    if (end < 0) break;
    expanded += text.slice(at, start) + valueOf(text.slice(start + 2, end), env, report);
    at = end + 1;
  }
  return expanded + text.slice(at);
}

function valueOf(inner: string, env: Environment, report: Fields['report']): string {
  const divider = inner.indexOf(':-');
  const written = divider < 0 ? inner : inner.slice(0, divider);
  const name = written.startsWith(PREFIX) ? written.slice(PREFIX.length) : written;
  if (written.startsWith(INPUT)) report(`\${${inner}} is asked for by an editor, and nobody is asked here`);
  if (!NAME.test(name)) return `\${${inner}}`;
  const value = env[name];
  if (value !== undefined && (value !== '' || divider < 0)) return value;
  if (divider >= 0) return inner.slice(divider + 2);
  report(`the environment variable ${name} is not set`);
  return '';
}

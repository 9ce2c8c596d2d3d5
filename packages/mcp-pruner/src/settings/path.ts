import { isAbsolute, join, resolve } from 'node:path';

/** What `process.env` looks like to a reader. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Stands for a home that is not set: a relative path would lead into the working tree. */
const NOWHERE = '/nonexistent';

/** `$JEEVES_CONFIG`, else a file in the home directory; never one in the working tree, which may be anybody's. */
export function configPath(env: Environment, home: string): string {
  const named = env['JEEVES_CONFIG']?.trim() ?? '';
  if (named === '') return join(isAbsolute(home) ? home : NOWHERE, '.config', 'jeeves', 'config.toml');
  return resolve(named.replace(/^~(?=[/\\])/, () => home));
}

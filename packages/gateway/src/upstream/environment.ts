import type { Environment } from '../config/expand.ts';

/** What any program needs to start and to find its files. Everything else is somebody's, and stays here. */
const BASE = [
  'HOME',
  'LANG',
  'LC_ALL',
  'LC_CTYPE',
  'LOGNAME',
  'PATH',
  'SHELL',
  'TERM',
  'TMPDIR',
  'TZ',
  'USER',
  // Windows.
  'APPDATA',
  'COMSPEC',
  'HOMEDRIVE',
  'HOMEPATH',
  'LOCALAPPDATA',
  'PATHEXT',
  'PROGRAMFILES',
  'SYSTEMDRIVE',
  'SYSTEMROOT',
  'TEMP',
  'USERNAME',
  'USERPROFILE',
] as const;

/** In the environment of all that an upstream starts: how it is found when everything else about it has changed. */
export const TAG_VARIABLE = 'JEEVES_GATEWAY_TAG';

/** The environment of an upstream: the base, then its own variables. No credential of the caller is among them. */
export function childEnvironment(
  env: Environment,
  own: Readonly<Record<string, string>>,
  tag: string,
): Record<string, string> {
  const base: Record<string, string> = {};
  for (const name of BASE) {
    const value = env[name];
    // A shell function in a variable runs in every shell below.
    if (value !== undefined && !value.startsWith('()')) base[name] = value;
  }
  return { ...base, ...own, [TAG_VARIABLE]: tag };
}

import { ALLOWED_NAMES } from './allowed-names.ts';

/** Colours cost a model tokens and tell it nothing. */
const WITHOUT_COLOURS: Readonly<Record<string, string>> = {
  NO_COLOR: '1',
  CLICOLOR: '0',
  FORCE_COLOR: '0',
  TERM: 'dumb',
};

/** Asks programs for plain output. What the environment says itself wins, and who forces colours gets no contradiction. */
export function withoutColours(env: Readonly<Record<string, string>>): Record<string, string> {
  if (isOn(env['FORCE_COLOR']) || isOn(env['CLICOLOR_FORCE'])) return { ...env };
  return { ...WITHOUT_COLOURS, ...env };
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && value !== '0' && value !== 'false';
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The environment of a command: of the server's own what a shell and build tools need, and what the user lets pass. An
 * address with a password in it stays behind unless the user named its variable.
 */
export function inherited(env: Environment, pass: readonly string[] = []): Record<string, string> {
  const isPassed = matcherOf(pass);
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined) continue;
    if (isPassed(name) || (isAllowed(name) && !HAS_PASSWORD.test(value))) kept[name] = value;
  }
  return kept;
}

const HAS_PASSWORD = /:\/\/[^\s/]+@/;

function isAllowed(name: string): boolean {
  // Proxies are commonly written in lower case, and Windows knows no case at all.
  const upper = name.toUpperCase();
  return ALLOWED_NAMES.has(upper) || /^LC_[A-Z]{1,32}$/.test(name);
}

/** Names as they are; with a star at the end, all that begin like that. */
function matcherOf(pass: readonly string[]): (name: string) => boolean {
  const names = new Set(pass);
  const beginnings = pass.filter((name) => name.length > 1 && name.endsWith('*')).map((name) => name.slice(0, -1));
  return (name) => names.has(name) || beginnings.some((beginning) => name.startsWith(beginning));
}

/** Variables of the server that no command inherits; the names are compared in upper case. */
const DROPPED: readonly RegExp[] = [
  // Secrets.
  /API_?KEY$/,
  /ACCESS_KEY/,
  /PRIVATE_KEY/,
  /TOKEN/,
  /SECRET/,
  /PASSWORD|PASSWD|PASSPHRASE/,
  /CREDENTIAL/,
  /^(?:DEEPINFRA|ANTHROPIC|OPENAI)_/,
  // May hold the password of a database or a service.
  /^JEEVES_STORE$/,
  /^(?:JEEVES_)?PRUNER_(?:URL|ENDPOINT)$/,
  // What loads code into every program that starts, or changes what a shell makes of a command.
  /^(?:LD|DYLD)_/,
  /^NODE_OPTIONS$/,
  /^(?:BASH_ENV|ENV|PROMPT_COMMAND|SHELLOPTS|BASHOPTS|PS4|IFS)$/,
  /^BASH_FUNC_/,
  // What changes a search.
  /^RIPGREP_CONFIG_PATH$/,
  /^GREP_/,
];

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

/** The environment of a command: the server's own without secrets and poison, then what the caller sets. */
export function scrubbed(
  env: Readonly<Record<string, string | undefined>>,
  overrides: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && !isDropped(name)) kept[name] = value;
  }
  return { ...kept, ...overrides };
}

function isDropped(name: string): boolean {
  const upper = name.toUpperCase();
  return DROPPED.some((pattern) => pattern.test(upper));
}

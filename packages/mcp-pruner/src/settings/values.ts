import { ENV_VARIABLES, ENVIRONMENT, type EnvName, parseBoolean, parseInteger } from '@jeeves/protocol';
import type { ConfigFile, ConfigProblem } from './file.ts';
import type { Environment } from './path.ts';

/** Where a value comes from. */
export type Origin = 'env' | 'file' | 'default';

type IntegerName = {
  [Name in EnvName]: (typeof ENVIRONMENT)[Name]['kind'] extends 'integer' ? Name : never;
}[EnvName];
type BooleanName = {
  [Name in EnvName]: (typeof ENVIRONMENT)[Name]['kind'] extends 'boolean' ? Name : never;
}[EnvName];

/** Values by the name of their variable: environment over file over default. What cannot be used is reported. */
export interface Values {
  readonly origin: (name: EnvName) => Origin;
  /** As written; undefined where neither says anything. */
  readonly text: (name: EnvName) => string | undefined;
  readonly integer: (name: IntegerName) => number;
  /** Undefined where nothing usable was said. */
  readonly givenInteger: (name: IntegerName) => number | undefined;
  readonly boolean: (name: BooleanName) => boolean;
  readonly list: (name: EnvName) => readonly string[] | undefined;
  /** What each of them says, for a value that is not simply overruled. */
  readonly both: (name: EnvName) => { readonly env: string | undefined; readonly file: string | undefined };
  readonly report: (variable: EnvName, message: string) => void;
  readonly problems: readonly ConfigProblem[];
}

// To be empty is to say something here: that nobody prunes.
const MAY_BE_EMPTY: ReadonlySet<EnvName> = new Set(['PRUNER_URL', 'JEEVES_PRUNER_URL']);

export function createValues(env: Environment, file: ConfigFile): Values {
  const problems: ConfigProblem[] = [...file.problems];
  const report: Values['report'] = (variable, message) => problems.push({ variable, message });
  const both: Values['both'] = (name) => ({ env: said(name, env[name]), file: said(name, file.values[name]) });
  const text: Values['text'] = (name) => both(name).env ?? both(name).file;
  const givenInteger: Values['givenInteger'] = (name) => {
    const value = text(name);
    const parsed = value === undefined ? undefined : parseInteger(value, ENVIRONMENT[name]);
    if (parsed?.ok === false) report(name, parsed.message);
    return parsed?.ok === true ? parsed.value : undefined;
  };
  return {
    both,
    text,
    givenInteger,
    report,
    problems,
    origin: (name) => (both(name).env !== undefined ? 'env' : both(name).file !== undefined ? 'file' : 'default'),
    integer: (name) => givenInteger(name) ?? ENVIRONMENT[name].default,
    boolean: (name) => {
      const value = text(name);
      return value === undefined ? ENVIRONMENT[name].default : parseBoolean(value);
    },
    list: (name) =>
      text(name)
        ?.split(',')
        .map((item) => item.trim())
        .filter((item) => item !== ''),
  };
}

/** The environment with what the file adds to it, for readers that know nothing of files. */
export function overlaid(env: Environment, file: ConfigFile): Environment {
  const { text } = createValues(env, file);
  const added = (Object.keys(ENV_VARIABLES) as EnvName[]).map((name) => [name, text(name)]);
  return { ...env, ...Object.fromEntries(added.filter(([, value]) => value !== undefined)) };
}

/** An empty variable counts as unset: shells and clients make it easy to leave one behind. */
function said(name: EnvName, value: string | undefined): string | undefined {
  const text = value?.trim();
  return text === '' && !MAY_BE_EMPTY.has(name) ? undefined : text;
}

import { EngineError } from '@jeeves/engine';

/** Where a store is, taken from its URL. */
export interface Location {
  /** The URL without its password and options, as it may be shown. */
  readonly shown: string;
  readonly schema: string;
  /** What the client library connects with. Holds the password. */
  readonly connectionString: string;
  /** Replaces the password wherever a message repeats it. */
  readonly hide: (message: string) => string;
}

const DEFAULT_SCHEMA = 'jeeves';

/** Reads a URL. `?options=-c search_path=name` chooses the schema. */
export function readLocation(url: string): Location {
  const parsed = parse(url);
  const schema = schemaOf(parsed.searchParams.get('options') ?? '');
  // Settings of the session are our own: what the URL says there has been read.
  parsed.searchParams.delete('options');
  const secrets = [parsed.password, decoded(parsed.password)].filter((secret) => secret !== '');
  return {
    shown: `postgres://${parsed.host}${parsed.pathname}`,
    schema,
    connectionString: parsed.href,
    hide: (message) => secrets.reduce((text, secret) => text.replaceAll(secret, '***'), message),
  };
}

/** Nothing of the URL is repeated, nor the error of the parser, which holds all of it. */
function parse(url: string): URL {
  try {
    return new URL(url);
  } catch {
    throw new EngineError(
      'config_error',
      'The URL of the Postgres store cannot be read; use postgres://user:password@host/database.',
    );
  }
}

function schemaOf(options: string): string {
  const found = /(?:^|\s)(?:-c\s*|--)search_path=(?<schema>[A-Za-z_][A-Za-z0-9_]{0,62})(?:$|\s)/.exec(options);
  if (found === null && options.includes('search_path')) {
    throw new EngineError('config_error', 'The search_path of a Postgres store is one plain name.');
  }
  return found?.groups?.['schema'] ?? DEFAULT_SCHEMA;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

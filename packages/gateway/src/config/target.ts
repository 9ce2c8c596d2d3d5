import { resolve } from 'node:path';
import { isLinkLocal } from '@jeeves/engine';
import { expand } from './expand.ts';
import type { Fields } from './fields.ts';
import type { ParseOptions } from './parse.ts';
import type { HttpTarget, StdioTarget } from './server.ts';

type Targets = StdioTarget | HttpTarget;

/** How the server is reached: a program, or an address. */
export function readTarget(fields: Fields, options: ParseOptions): Targets | undefined {
  for (const name of REFUSED) if (fields.isGiven(name)) fields.report('is not understood here; remove it');
  const type = fields.string('type') ?? fields.string('transport') ?? '';
  if (type === 'sse') {
    fields.report('sse is not spoken here; use the Streamable HTTP address of the server');
    return undefined;
  }
  if (!TYPES.has(type)) fields.report('must be stdio or http');
  const command = fields.string('command');
  if (command !== undefined) return readStdio(command, fields, options);
  // Clients have several names for it.
  const url = fields.string('serverUrl') ?? fields.string('httpUrl') ?? fields.string('url');
  if (url !== undefined) return readHttp(url, fields, options);
  fields.report('needs a command to start or a url to connect to');
  return undefined;
}

const TYPES: ReadonlySet<string> = new Set(['', 'stdio', 'http', 'https', 'streamable-http', 'streamableHttp']);

/** What would make a difference if it were obeyed, so that a server with it must not start as if it were not there. */
const REFUSED = ['envFile', 'oauth', 'auth', 'authProviderType', 'headersHelper'] as const;

function readStdio(command: string, fields: Fields, { env, directory, cwd }: ParseOptions): StdioTarget {
  // Asked again, so that a problem names this field.
  fields.string('command');
  const program = expand(command, env, fields.report);
  if (program.trim() === '') fields.report('must not be empty');
  const args = (fields.strings('args') ?? []).map((argument, at) => expand(argument, env, within(fields, String(at))));
  const own = expanded(fields.record('env'), fields, env);
  const where = fields.string('cwd');
  const wanted = where === undefined ? undefined : resolve(directory, expand(where, env, fields.report));
  return { kind: 'stdio', command: program, args, env: own, cwd: wanted ?? cwd };
}

function readHttp(written: string, fields: Fields, { env }: ParseOptions): HttpTarget {
  const url = expand(written, env, fields.report);
  const problem = addressProblem(url);
  if (problem !== undefined) fields.report(problem);
  const headers = expanded(fields.record('headers'), fields, env);
  for (const name of Object.keys(headers)) {
    if (RESERVED.has(name.toLowerCase())) fields.report('is set by the protocol', name);
    else if (!HEADER_NAME.test(name)) fields.report('is not the name of a header', name);
    else if (BREAKS.test(headers[name] ?? '')) fields.report('must not hold a line break', name);
  }
  return { kind: 'http', url, headers };
}

const RESERVED = new Set([
  'host',
  'content-length',
  'content-type',
  'accept',
  'mcp-session-id',
  'mcp-protocol-version',
]);
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
const BREAKS = /[\r\n\0]/;

function addressProblem(url: string): string | undefined {
  if (!URL.canParse(url)) return 'is not a URL';
  const { protocol, username, password, hostname } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'https:') return 'must be an http or https URL';
  if (username !== '' || password !== '') return 'must not hold a user name or password; use headers';
  // Where clouds keep the credentials of a machine.
  if (isLinkLocal(hostname)) return 'must not be a link-local address';
  return undefined;
}

function expanded(
  values: Readonly<Record<string, string>>,
  fields: Fields,
  env: ParseOptions['env'],
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, expand(value, env, within(fields, name))]),
  );
}

function within(fields: Fields, part: string): Fields['report'] {
  return (message) => fields.report(message, part);
}

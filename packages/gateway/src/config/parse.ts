import { createHash } from 'node:crypto';
import type { UnusableServer } from '../upstream/status.ts';
import { readCatalogue } from './catalogue.ts';
import type { Environment } from './expand.ts';
import { type Fields, fieldsOf, isObject } from './fields.ts';
import { readRules } from './rules.ts';
import { ConfigError, type ConfigProblem, type GatewayConfig, type ServerConfig, STRATEGIES } from './server.ts';
import { isKnownToHoldState } from './stateful.ts';
import { readTarget } from './target.ts';

export interface ParseOptions {
  readonly env: Environment;
  /** Where a relative `cwd` starts. */
  readonly directory: string;
  /** Where servers run that name no `cwd`. */
  readonly cwd: string;
}

export const DEFAULT_TIMEOUT_MS = 55_000;
/** Programs that `npx` has to download first take this long; the limits of clients are well above it. */
export const DEFAULT_START_SECONDS = 20;
export const DEFAULT_MAX_MESSAGE_BYTES: number = 16 * 1024 * 1024;
export const DEFAULT_IDLE_SECONDS = 300;

// A stateful instance holds somebody's work, so it may rest longer.
const STATEFUL_IDLE_SECONDS = 1800;
const SECTION = 'mcpServers';
const MAX_PREFIX = 64;

/** Reads the ecosystem's `mcpServers` JSON, or VS Code's `servers`. Keys that mean nothing here belong to other programs and are left alone. */
export function parseConfig(text: string, options: ParseOptions): GatewayConfig {
  const problems: ConfigProblem[] = [];
  const servers: ServerConfig[] = [];
  const unusable: UnusableServer[] = [];
  const leaveOut = (server: string, found: readonly ConfigProblem[]): void => {
    problems.push(...found);
    unusable.push({ server, problem: found.map(({ field, message }) => `${field}: ${message}`).join('; ') });
  };
  const { mcpServers, gateway, section } = sectionsOf(text);
  for (const [name, entry] of Object.entries(mcpServers)) {
    const path = `${section}.${name}`;
    if (!isObject(entry)) {
      leaveOut(name, [{ field: path, message: 'must be an object' }]);
      continue;
    }
    const found: ConfigProblem[] = [];
    const server = readServer(name, entry, fieldsOf(entry, path, found), options);
    const twin = servers.find(({ prefix }) => prefix === server?.prefix);
    if (twin !== undefined) found.push({ field: path, message: `its tools would be named like those of ${twin.name}` });
    if (found.length > 0) leaveOut(name, found);
    else if (server !== undefined) servers.push(server);
  }
  return { servers, catalogue: readCatalogue(gateway, options.env, problems), problems, unusable };
}

function sectionsOf(text: string): { mcpServers: object; gateway: unknown; section: string } {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new ConfigError('the file', `is not JSON (${error instanceof Error ? error.message : 'unreadable'})`);
  }
  const { [SECTION]: ours, servers: ofVsCode, gateway } = isObject(value) ? value : {};
  const mcpServers = ours ?? ofVsCode;
  if (!isObject(mcpServers)) throw new ConfigError(SECTION, 'must be an object that names the servers');
  return { mcpServers, gateway, section: ours === undefined ? 'servers' : SECTION };
}

/** Nothing for a server that is switched off. */
function readServer(
  name: string,
  entry: Readonly<Record<string, unknown>>,
  fields: Fields,
  options: ParseOptions,
): ServerConfig | undefined {
  if (fields.boolean('disabled') || entry['enabled'] === false) return undefined;
  const strategy = readStrategy(fields);
  const tags = fields.strings('tags') ?? [];
  const rules = readRules(fields);
  const onChange = readOnChange(fields);
  const timeoutMs = fields.integer('timeoutMs', { min: 100, max: 3_600_000 }) ?? DEFAULT_TIMEOUT_MS;
  const startSeconds = fields.integer('startSeconds', { min: 1, max: 300 }) ?? DEFAULT_START_SECONDS;
  const description = fields.string('description');
  const maxMessageBytes =
    fields.integer('maxMessageBytes', { min: 1024, max: 256 * 1024 * 1024 }) ?? DEFAULT_MAX_MESSAGE_BYTES;
  const target = readTarget(fields, options);
  const idleMs = readIdle(fields, strategy, target !== undefined && isKnownToHoldState(name, target));
  if (target === undefined) return undefined;
  return {
    name,
    prefix: prefixOf(name, fields),
    target,
    tags,
    ...(description !== undefined && { description }),
    rules,
    strategy,
    mayHoldState: entry['strategy'] !== 'stateless',
    onChange,
    timeoutMs,
    startMs: startSeconds * 1000,
    maxMessageBytes,
    ...(idleMs !== undefined && { idleMs }),
    fingerprint: createHash('sha256').update(JSON.stringify(entry)).digest('hex'),
  };
}

function readStrategy(fields: Fields): ServerConfig['strategy'] {
  const wanted = fields.string('strategy') ?? 'stateless';
  const strategy = STRATEGIES.find((known) => known === wanted);
  if (strategy === undefined) fields.report(`must be one of ${STRATEGIES.join(', ')}`);
  return strategy ?? 'stateless';
}

function readOnChange(fields: Fields): ServerConfig['onChange'] {
  const wanted = fields.string('onChange') ?? 'offer';
  if (wanted === 'offer' || wanted === 'withhold') return wanted;
  fields.report('must be offer or withhold');
  return 'withhold';
}

/** A tool's name must say by itself which server it belongs to: two underscores stand between the two. */
function prefixOf(name: string, fields: Fields): string {
  const prefix = name
    .replace(/[^A-Za-z0-9_-]+/g, '_')
    .slice(0, MAX_PREFIX)
    .replace(/_$/, '');
  if (prefix.includes('__') || prefix.endsWith('_') || name.endsWith('_')) {
    fields.reportEntry('its name must not hold two underscores in a row, or end with one');
  }
  return prefix;
}

/** A singleton keeps running unless it is told otherwise: its state is the reason for being one. So do browsers and shells. */
function readIdle(fields: Fields, strategy: ServerConfig['strategy'], isKept: boolean): number | undefined {
  const defaults = {
    stateless: isKept ? undefined : DEFAULT_IDLE_SECONDS,
    stateful: STATEFUL_IDLE_SECONDS,
    singleton: undefined,
  };
  const seconds = fields.integer('idleSeconds', { min: 1, max: 604_800 }) ?? defaults[strategy];
  return seconds === undefined ? undefined : seconds * 1000;
}

import { DEFAULT_FILTER_TIMEOUT_MS, DEFAULT_FILTER_TOOLS, type ModelFilterConfig } from '../catalogue/model-filter.ts';
import { type Environment, expand } from './expand.ts';
import { fieldsOf, isObject } from './fields.ts';
import type { ConfigProblem } from './server.ts';

/** How tools are chosen for a goal, from the file's `gateway` section. */
export interface CatalogueConfig {
  /** The most tools that a goal selects. */
  readonly maxTools?: number;
  /** What the definitions of one answer may cost, in estimated tokens. */
  readonly replyTokens?: number;
  /** A model that chooses them: opt-in, as their names and the goal are sent to it. */
  readonly filter?: ModelFilterConfig;
}

const SECTION = 'gateway';

/** What cannot be used is left out and reported. */
export function readCatalogue(value: unknown, env: Environment, problems: ConfigProblem[]): CatalogueConfig {
  if (value === undefined) return {};
  if (!isObject(value)) {
    problems.push({ field: SECTION, message: 'must be an object' });
    return {};
  }
  const fields = fieldsOf(value, SECTION, problems);
  const maxTools = fields.integer('maxTools', { min: 1, max: 500 });
  const replyTokens = fields.integer('replyTokens', { min: 200, max: 50_000 });
  const { filter: wanted } = value;
  const filter = isObject(wanted) ? readFilter(wanted, env, problems) : undefined;
  if (wanted !== undefined && wanted !== null && !isObject(wanted))
    problems.push({ field: `${SECTION}.filter`, message: 'must be an object' });
  return {
    ...(maxTools !== undefined && { maxTools }),
    ...(replyTokens !== undefined && { replyTokens }),
    ...(filter !== undefined && { filter }),
  };
}

function readFilter(
  entry: Readonly<Record<string, unknown>>,
  env: Environment,
  problems: ConfigProblem[],
): ModelFilterConfig | undefined {
  const found: ConfigProblem[] = [];
  const fields = fieldsOf(entry, `${SECTION}.filter`, found);
  const baseURL = expand(fields.string('baseURL') ?? '', env, fields.report);
  if (!isAddress(baseURL)) fields.report('must be an https URL; http is for this machine only');
  const model = fields.string('model') ?? '';
  if (model === '') fields.report('must name a model');
  const apiKey = fields.string('apiKey');
  const key = apiKey === undefined ? undefined : expand(apiKey, env, fields.report);
  const maxTools = fields.integer('maxTools', { min: 1, max: 500 }) ?? DEFAULT_FILTER_TOOLS;
  const timeoutMs = fields.integer('timeoutMs', { min: 100, max: 60_000 }) ?? DEFAULT_FILTER_TIMEOUT_MS;
  problems.push(...found);
  return found.length === 0 ? { baseURL, model, apiKey: key, maxTools, timeoutMs } : undefined;
}

function isAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  const local = hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
  return protocol === 'https:' || (protocol === 'http:' && local);
}

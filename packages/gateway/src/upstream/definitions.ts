import type { ServerConfig } from '../config/server.ts';
import { changedParts, gainsInstructions } from '../safety/change.ts';
import { hashOf } from '../safety/hash.ts';
import { cleanDefinition, hasHidden } from '../safety/hidden.ts';
import { shortenDefinition } from '../safety/size.ts';
import type { JsonObject, UpstreamTool } from './upstream.ts';

/** What MCP allows in a name; the prefix and its underscores count too. */
const NAME = /^[A-Za-z0-9_.-]+$/;
const MAX_NAME = 128;
/** More than any schema of use has; an agent's client may refuse what is deeper. */
const MAX_DEPTH = 64;
/** No agent has use for more from one server, and a hostile one must not fill the catalogue. */
const MAX_TOOLS = 2000;

/** The hash that each of a server's tools had when it was first seen, by raw name. */
export type Pins = Readonly<Record<string, string>>;

/** Definitions as they were when they were first seen, of tools that changed since, by raw name. */
export type Originals = Readonly<Record<string, JsonObject>>;

/** The definition with the name prefixed and hidden characters gone, of whatever length it is. */
export function wholeDefinition({ prefix }: Pick<ServerConfig, 'prefix'>, raw: JsonObject): JsonObject {
  return { ...cleanDefinition(raw), name: `${prefix}__${String(raw['name'])}` };
}

/** A server's usable tools, each name once. */
export function toTools(
  config: ServerConfig,
  listed: readonly unknown[],
  pins: Pins,
  originals: Originals = {},
): UpstreamTool[] {
  const tools = new Map<string, UpstreamTool>();
  for (const raw of listed) {
    if (tools.size >= MAX_TOOLS) break;
    if (!isUsable(raw, config) || tools.has(raw.name)) continue;
    const whole = wholeDefinition(config, raw);
    const definition = shortenDefinition(whole);
    const hash = hashOf(whole);
    const pinned = Object.hasOwn(pins, raw.name) ? pins[raw.name] : hash;
    tools.set(raw.name, {
      server: config.name,
      name: raw.name,
      displayName: String(definition['name']),
      definition,
      ...(definition !== whole && { whole }),
      hash,
      ...changeOf(config, whole, pinned === hash ? undefined : { original: originals[raw.name] }),
      needsConsent: config.rules.asks(raw.name, raw['annotations']),
      tags: config.tags,
    });
  }
  return [...tools.values()];
}

function changeOf(
  { onChange }: ServerConfig,
  whole: JsonObject,
  change: { readonly original: JsonObject | undefined } | undefined,
): Pick<UpstreamTool, 'changed' | 'changes' | 'withheld'> {
  if (change === undefined) return { changed: false, changes: [], withheld: false };
  const { original } = change;
  return {
    changed: true,
    changes: original === undefined ? [] : changedParts(original, whole),
    withheld: onChange === 'withhold' || gainsInstructions(original, whole),
  };
}

/** The originals of the tools that differ from their pins: kept from before, or found in the list before this one. */
export function originalsOf(
  tools: readonly UpstreamTool[],
  before: readonly UpstreamTool[],
  known: Originals,
): Originals {
  const entries = tools
    .filter(({ changed }) => changed)
    .map(({ name }) => {
      const earlier = before.find((tool) => tool.name === name && !tool.changed);
      return [name, known[name] ?? earlier?.whole ?? earlier?.definition] as const;
    });
  return Object.fromEntries(entries.filter((entry): entry is [string, JsonObject] => entry[1] !== undefined));
}

/** Raw names of the usable tools that had something hidden in them. */
export function hidingTools(config: ServerConfig, listed: readonly unknown[]): readonly string[] {
  return listed
    .filter((raw) => isUsable(raw, config) && hasHidden(raw))
    .map((raw) => String((raw as JsonObject)['name']));
}

/** The pins with those of new tools added; none is ever replaced here. */
export function pinNew(tools: readonly UpstreamTool[], pins: Pins): Pins {
  const added = tools.filter(({ name }) => !Object.hasOwn(pins, name)).map(({ name, hash }) => [name, hash] as const);
  return added.length === 0 ? pins : { ...pins, ...Object.fromEntries(added) };
}

function isUsable(raw: unknown, { prefix, rules }: ServerConfig): raw is JsonObject & { readonly name: string } {
  if (!isObject(raw)) return false;
  const { name } = raw;
  if (typeof name !== 'string' || !NAME.test(name)) return false;
  if (prefix.length + 2 + name.length > MAX_NAME) return false;
  if (!rules.permits(name, raw['annotations'])) return false;
  return isObject(raw['inputSchema']) && !isDeeper(raw, MAX_DEPTH);
}

/** Whether a value is nested deeper than this; looks no further. */
export function isDeeper(value: unknown, limit: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return limit === 0 || Object.values(value).some((part) => isDeeper(part, limit - 1));
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

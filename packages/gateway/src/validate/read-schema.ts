import { dereference, type Schema, type SchemaDraft } from '@cfworker/json-schema';
import { compiles, isTame } from './pattern.ts';

/** A schema that arguments can be checked against. */
export interface ReadableSchema {
  readonly schema: Schema;
  readonly draft: SchemaDraft;
  readonly lookup: Record<string, Schema | boolean>;
  /** Something in it may take unbounded time, so checking must be watched: a pattern, or references that multiply. */
  readonly risky: boolean;
  readonly hasPatterns: boolean;
}

export const MAX_DEPTH = 32;
export const MAX_SUBSCHEMAS = 2000;
const MAX_ENUM = 1000;

const NOTES = words('format title description default example examples deprecated readOnly writeOnly $comment');
const VALUES = words('$id $anchor $schema $vocabulary $recursiveAnchor const required dependentRequired type');
const SCHEMAS = words(
  'items additionalItems unevaluatedItems contains additionalProperties unevaluatedProperties propertyNames not if then else',
);
const LISTS = words('items prefixItems allOf anyOf oneOf');
const MAPS = words('$defs definitions properties patternProperties dependentSchemas dependencies');

/**
 * Reads an upstream's input schema into a copy. Throws when it is too deep, too large, or refers to anything outside
 * itself: nothing is ever fetched. `format` is left out: by the standard it describes, and its upstream enforces it.
 */
export function readSchema(inputSchema: unknown, patterns: boolean): ReadableSchema {
  const copier = new SchemaCopier(patterns);
  const schema = copier.copy(inputSchema, 0);
  if (typeof schema !== 'object') throw new Error('it is not an object');
  const lookup = dereference(schema);
  for (const holder of copier.references) checkReference(holder, lookup);
  return {
    schema,
    draft: draftOf(schema),
    lookup,
    risky: copier.risky || copier.references.length > 0,
    hasPatterns: copier.hasPatterns,
  };
}

class SchemaCopier {
  risky = false;
  hasPatterns = false;
  readonly references: Schema[] = [];
  #count = 0;
  readonly #patterns: boolean;

  constructor(patterns: boolean) {
    this.#patterns = patterns;
  }

  copy(value: unknown, depth: number): Schema | boolean {
    if (typeof value === 'boolean') return value;
    if (!isObject(value)) throw new Error('a part of it is neither an object nor true or false');
    if (depth > MAX_DEPTH) throw new Error(`it is deeper than ${MAX_DEPTH} levels`);
    this.#count += 1;
    if (this.#count > MAX_SUBSCHEMAS) throw new Error(`it has more than ${MAX_SUBSCHEMAS} parts`);
    const entries = Object.entries(value)
      .map(([keyword, part]) => [renamed(keyword), this.#keyword(keyword, part, depth)] as const)
      .filter(([, part]) => part !== undefined);
    const copied: Schema = Object.fromEntries(entries);
    if (copied.$ref !== undefined || copied.$recursiveRef !== undefined) this.references.push(copied);
    return copied;
  }

  #keyword(keyword: string, part: unknown, depth: number): unknown {
    if (NOTES.has(keyword)) return undefined;
    if (keyword === 'pattern') return this.#pattern(part);
    if (keyword === 'enum' && Array.isArray(part) && part.length > MAX_ENUM) this.risky = true;
    if (VALUES.has(keyword) || typeof part !== 'object') return part;
    if (Array.isArray(part)) return LISTS.has(keyword) ? part.map((item) => this.copy(item, depth + 1)) : part;
    if (MAPS.has(keyword)) return this.#map(keyword, part as Readonly<Record<string, unknown>>, depth);
    return SCHEMAS.has(keyword) ? this.copy(part, depth + 1) : this.#other(part, depth);
  }

  #map(keyword: string, map: Readonly<Record<string, unknown>>, depth: number): unknown {
    const named = keyword === 'patternProperties';
    const entries = Object.entries(map).filter(([name]) => !named || this.#pattern(name) !== undefined);
    // `dependencies` may list names in place of a schema.
    return Object.fromEntries(
      entries.map(([name, item]) => [name, Array.isArray(item) ? item : this.copy(item, depth + 1)]),
    );
  }

  /** What no keyword explains may still hold schemas that references lead to; what is none is of no use. */
  #other(part: unknown, depth: number): unknown {
    try {
      return this.copy(part, depth + 1);
    } catch (cause) {
      if (this.#count > MAX_SUBSCHEMAS) throw cause;
      return undefined;
    }
  }

  /** A pattern that is no expression here may well be one where the upstream runs. */
  #pattern(pattern: unknown): string | undefined {
    if (typeof pattern !== 'string' || !this.#patterns || !compiles(pattern)) return undefined;
    this.hasPatterns = true;
    if (!isTame(pattern)) this.risky = true;
    return pattern;
  }
}

/** Within one schema a dynamic reference leads where a plain one would. */
function renamed(keyword: string): string {
  if (keyword === '$dynamicRef') return '$ref';
  return keyword === '$dynamicAnchor' ? '$anchor' : keyword;
}

function checkReference(holder: Schema, lookup: Readonly<Record<string, Schema | boolean>>): void {
  const { $ref, __absolute_ref__: absolute } = holder;
  if ($ref === undefined || lookup[absolute ?? $ref] !== undefined) return;
  throw new Error(`${JSON.stringify($ref.slice(0, 200))} leads outside it, and nothing is fetched`);
}

function draftOf({ $schema }: Schema): SchemaDraft {
  const uri = typeof $schema === 'string' ? $schema : '';
  if (uri.includes('draft-07') || uri.includes('draft-06')) return '7';
  if (uri.includes('draft-04')) return '4';
  return uri.includes('2019-09') ? '2019-09' : '2020-12';
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

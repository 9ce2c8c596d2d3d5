import * as z from 'zod';
import type { ToolDefinition } from './definition.ts';

/** A JSON Schema, as `tools/list` carries it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

// What `tools/list` shows in place of a schema that is too dear to spell out; the schema itself still validates.
const shownAs = z.registry<{ readonly schema: JsonSchema }>();

/** Marks a schema so that agents are shown `schema` instead of its own, larger one. */
export function showAs<Schema extends z.ZodType>(value: Schema, schema: JsonSchema): Schema {
  shownAs.add(value, { schema });
  return value;
}

/** The tool's arguments as agents see them: what helps to write a call, nothing that only helps to check one. */
export function toolInputSchema(tool: ToolDefinition): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(tool.input, {
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => {
      const shown = shownAs.get(zodSchema)?.schema;
      for (const [key, value] of Object.entries(jsonSchema)) {
        if (shown !== undefined || isNoise(key, value)) delete jsonSchema[key];
      }
      Object.assign(jsonSchema, shown);
    },
  });
  return schema;
}

/** The tool's arguments with every limit and every `doc`, for the reference pages. */
export function toolReferenceSchema(tool: ToolDefinition): JsonSchema {
  return z.toJSONSchema(tool.input, { io: 'input' });
}

// Lengths are far from what a sensible call holds, and a call that breaks one is told so.
const NOISE = new Set([
  'doc',
  'examples',
  'pattern',
  'propertyNames',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
]);

// zod states the range of exact integers on every integer without a bound of its own.
function isNoise(key: string, value: unknown): boolean {
  return NOISE.has(key) || value === Number.MAX_SAFE_INTEGER || value === Number.MIN_SAFE_INTEGER;
}

import * as z from 'zod';

/** Tools are offered in sets, chosen by name with `--tools` or `MCP_PRUNER_TOOLS`; the gateway's form one of their own. */
export type ToolSet = 'files' | 'text' | 'context' | 'catalogue';

/** MCP's hints for a client that decides what to ask its user. All four are stated: their defaults assume the worst. */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** All that is known of a tool before it runs. `Args` is what a call holds after validation, defaults filled in. */
export interface ToolDefinition<Args extends object = object> {
  readonly name: string;
  readonly title: string;
  /** Sent with every request of every agent: says what for and when, in as few tokens as that takes. */
  readonly description: string;
  readonly annotations: ToolAnnotations;
  readonly set: ToolSet;
  readonly input: z.ZodType<Args>;
}

/** Looks, changes nothing, and answers the same when asked again. */
export const READS: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Changes what this server keeps, never loses any of it, and is safe to repeat. */
export const KEEPS: ToolAnnotations = { ...READS, readOnlyHint: false };

/** Can lose what cannot be brought back. */
export const DESTROYS: ToolAnnotations = { ...KEEPS, destructiveHint: true, idempotentHint: false };

/**
 * A strict object schema with the fields of `Args` and no others: neither side can gain or lose a field unnoticed.
 * Unknown keys in a call are refused, so that a misspelt optional argument is never silently without effect.
 */
export function argsOf<Args extends object>(
  fields: {
    readonly [Name in keyof Args]-?: z.ZodType<Args[Name]>;
  },
): z.ZodType<Args> {
  return z.strictObject(fields) as unknown as z.ZodType<Args>;
}

import { setTimeout as sleep } from 'node:timers/promises';
import { rpcError, type ToolDefinition } from '@jeeves/protocol';
import * as z from 'zod';
import { CallError, type Tool, type ToolCall, type ToolOutcome } from '../../src/host/tool.ts';

/** Small tools that do what real ones do only under stress. */
export const TOOLS: readonly Tool[] = [
  tool('echo', z.strictObject({ text: z.string() }), ({ args }) => said(args.text)),
  tool('wait', z.strictObject({ ms: z.int() }), async ({ args, signal }) => {
    await sleep(args.ms, undefined, { signal });
    return said(`waited ${args.ms}`);
  }),
  tool('stuck', z.strictObject({}), () => new Promise<ToolOutcome>(() => undefined)),
  tool('boom', z.strictObject({}), () => {
    throw new TypeError('a defect');
  }),
  tool('refuse', z.strictObject({}), () => {
    throw new CallError(rpcError('prune_id_not_found', { prune_id: 'prn_x' }), 'prune_id_not_found: no such id');
  }),
  tool('fail', z.strictObject({}), () => ({ ...said('not_found: gone'), isError: true })),
  tool('cyclic', z.strictObject({}), () => {
    const self: Record<string, unknown> = {};
    self['self'] = self;
    return { ...said('round'), structured: self };
  }),
  tool('flood', z.strictObject({ bytes: z.int(), char: z.string() }), ({ args }) => flood(args.char, args.bytes)),
  tool('solid', z.strictObject({ bytes: z.int() }), ({ args }) => said('x'.repeat(args.bytes))),
  tool('chatter', z.strictObject({ times: z.int(), every: z.int() }), async ({ args, progress }) => {
    for (let at = 0; at < args.times; at += 1) {
      progress(`step ${at}`);
      await sleep(args.every);
    }
    return said('done');
  }),
];

function tool<Args extends object>(
  name: string,
  input: z.ZodType<Args>,
  run: (call: ToolCall<Args>) => ToolOutcome | Promise<ToolOutcome>,
): Tool {
  const hints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
  const definition: ToolDefinition<Args> = {
    name,
    title: `The ${name}`,
    description: `Does ${name}.`,
    annotations: hints,
    set: 'files',
    input,
  };
  const made: Tool<Args> = { definition, run: async (call) => await run(call) };
  return made;
}

function said(text: string): ToolOutcome {
  return { text, structured: { text }, isError: false, mode: 'raw' };
}

function flood(char: string, bytes: number): ToolOutcome {
  return { ...said(char.repeat(bytes)), shrink: (fewer) => flood(char, Math.min(bytes, fewer)) };
}

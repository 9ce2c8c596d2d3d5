import {
  findTool,
  type InvalidParamsError,
  invalidParams,
  invalidParamsText,
  type RpcId,
  TOOLS_CALL_PARAMS,
  unknownTool,
  withoutNulls,
} from '@jeeves/protocol';
import * as z from 'zod';
import type { HostOptions } from './options.ts';
import type { ProgressToken } from './progress.ts';
import type { ForeignTool, Tool } from './tool.ts';

/** A value that fits its schema, or the answer to one that does not. */
export type Checked<Value> = { readonly ok: true; readonly value: Value } | Refused;

export interface Refused {
  readonly ok: false;
  readonly error: InvalidParamsError;
  /** The same in words, where it is about the arguments of a known tool. */
  readonly text?: string;
}

/** A call that may run. */
export interface CheckedCall {
  readonly tool: ForeignTool;
  readonly args: object;
}

const META = z.looseObject({
  _meta: z.looseObject({ progressToken: z.union([z.string(), z.int()]).optional() }).optional(),
});

/** Nothing, or an object whose fields mean nothing here. */
export const NO_PARAMS: z.ZodType<object | undefined> = z.looseObject({}).optional();

/** Checks the params of a method against its schema and the rules that hold for all methods. */
export function checkParams<Value>(method: string, schema: z.ZodType<Value>, params: unknown): Checked<Value> {
  const checked = parseParams(schema, params);
  return checked.success
    ? { ok: true, value: checked.data }
    : { ok: false, error: invalidParams(method, undefined, checked.error) };
}

/** Checks a `tools/call`: the envelope, the name, then the arguments by the tool's own schema. */
export function checkCall(
  params: unknown,
  { tools, foreign }: Pick<HostOptions, 'tools' | 'foreign'>,
): Checked<CheckedCall> {
  const method = 'tools/call';
  const name = calledName(params);
  const tool = name === undefined ? undefined : toolNamed(name, tools);
  const envelope = parseParams(TOOLS_CALL_PARAMS, params);
  if (!envelope.success) {
    const { error } = envelope;
    const text = tool === undefined ? {} : { text: invalidParamsText(tool.definition.name, error) };
    return { ok: false, error: invalidParams(method, cutName(name), error), ...text };
  }
  // As the client sent them: the envelope's copy lacks keys that no object may be given.
  const sent = (params as { readonly arguments?: object }).arguments ?? {};
  if (tool === undefined) {
    const found = foreign?.find(envelope.data.name);
    if (found === undefined) return { ok: false, error: unknownTool(envelope.data.name) };
    return { ok: true, value: { tool: found, args: sent } };
  }
  const args = checkArguments(tool, sent);
  if (args.success) return { ok: true, value: { tool: ours(tool), args: args.data } };
  return {
    ok: false,
    error: invalidParams(method, cutName(name), args.error, 'arguments'),
    text: invalidParamsText(tool.definition.name, args.error),
  };
}

/** Every tool's arguments are checked here and nowhere else; null in an optional place means that it was left out. */
export function checkArguments({ definition: { input } }: Tool, sent: unknown): z.ZodSafeParseResult<object> {
  return input.safeParse(withoutNulls(input, sent));
}

/** Where a call breaks its schema, for the log: paths and codes, no values. */
export function issuesInShort({ data }: InvalidParamsError): string {
  return data.issues.map(({ path, code }) => `${path === '' ? 'params' : path}: ${code}`).join(', ');
}

/** The tool that a call names, as far as it names one; cut to what a log or a reply can hold. */
export function cutName(name: string | undefined): string | undefined {
  return name?.slice(0, 200);
}

export function calledName(params: unknown): string | undefined {
  const name = isObject(params) ? params['name'] : undefined;
  return typeof name === 'string' ? name : undefined;
}

/** The token of checked params. */
export function progressToken(params: unknown): ProgressToken | undefined {
  const meta = isObject(params) ? params['_meta'] : undefined;
  const token = isObject(meta) ? meta['progressToken'] : undefined;
  return typeof token === 'string' || typeof token === 'number' ? token : undefined;
}

/** Which request a cancellation means, as far as it says so. */
export function cancelledId(params: unknown): RpcId | undefined {
  const id = isObject(params) ? params['requestId'] : undefined;
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}

function ours(tool: Tool): ForeignTool {
  return { name: tool.definition.name, run: (call) => tool.run(call) };
}

function toolNamed(name: string, tools: readonly Tool[]): Tool | undefined {
  const found = findTool(
    name,
    tools.map(({ definition }) => definition),
  );
  return tools.find(({ definition }) => definition === found);
}

type Parsed<Value> =
  | { readonly success: true; readonly data: Value }
  | { readonly success: false; readonly error: z.ZodError };

/** One result for both checks, so that an answer names every mistake at once. */
function parseParams<Value>(schema: z.ZodType<Value>, params: unknown): Parsed<Value> {
  const own = schema.safeParse(params);
  const meta = isObject(params) ? META.safeParse(params) : own;
  if (meta.success || meta === own) return own;
  return { success: false, error: new z.ZodError([...(own.error?.issues ?? []), ...meta.error.issues]) };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

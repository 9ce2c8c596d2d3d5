import type * as z from 'zod';
import { RPC_ERRORS } from './errors.ts';
import { SCHEMA_VERSION } from './rpc.ts';
import { MAX_ISSUES } from './tools/list.ts';

/** Where a call breaks its schema. */
export interface ParamIssue {
  /** Dot-joined, `""` for the params as a whole. */
  readonly path: string;
  /** The code of the zod issue. */
  readonly code: string;
  /** Equals `code`: wording changes between versions, codes do not. */
  readonly message: string;
}

/** The `error` member of a `-32602` reply. */
export interface InvalidParamsError {
  readonly code: number;
  readonly message: string;
  readonly data: {
    readonly jeeves: { readonly schemaVersion: number };
    readonly method: string;
    readonly tool?: string;
    readonly issues: readonly ParamIssue[];
  };
}

const MAX_KEY_CHARS = 200;

/**
 * Answers a call whose params break their schema, the same for the same mistake.
 * `prefix` is where in the params the checked value stands, such as `arguments`.
 */
export function invalidParams(
  method: string,
  tool: string | undefined,
  error: z.ZodError,
  prefix = '',
): InvalidParamsError {
  const issues = error.issues.map((issue) => toIssue(joined(prefix, issue.path), issue.code));
  return withIssues(method, tool, issues.sort(byPathAndCode).slice(0, MAX_ISSUES));
}

/** Answers a call of a tool that is not on offer: a wrong value of `params.name`. */
export function unknownTool(name: string): InvalidParamsError {
  return withIssues('tools/call', name.slice(0, MAX_KEY_CHARS), [toIssue('name', 'invalid_value')]);
}

/** The same issues in words, for the clients that show their model only text. Names every offending field. */
export function invalidParamsText(tool: string, error: z.ZodError): string {
  const lines = error.issues.slice(0, MAX_ISSUES).map((issue) => {
    const field = joined('', issue.path);
    const keys = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, MAX_ISSUES).map((key) => cut(key)) : [];
    if (keys.length > 0) return `- ${keys.map((key) => joined(field, [key])).join(', ')}: no such argument`;
    return `- ${field === '' ? 'arguments' : field}: ${cut(wording(issue))}`;
  });
  return [`invalid_params: the arguments of ${tool} are invalid`, ...lines].join('\n');
}

// What is wrong with a key stands inside its issue; the message of the issue itself only says that something is.
function wording(issue: z.core.$ZodIssue): string {
  return (issue.code === 'invalid_key' ? issue.issues[0]?.message : undefined) ?? issue.message;
}

function withIssues(method: string, tool: string | undefined, issues: readonly ParamIssue[]): InvalidParamsError {
  const { number, message } = RPC_ERRORS.invalid_params;
  const origin = tool === undefined ? { method } : { method, tool };
  return { code: number, message, data: { jeeves: { schemaVersion: SCHEMA_VERSION }, ...origin, issues } };
}

function toIssue(path: string, code: string): ParamIssue {
  return { path, code, message: code };
}

function joined(prefix: string, path: readonly PropertyKey[]): string {
  const keys = path.map((key) => cut(String(key)));
  return (prefix === '' ? keys : [prefix, ...keys]).join('.');
}

// Control characters of a hostile key must not reach a log or a terminal.
function cut(text: string): string {
  return text.slice(0, MAX_KEY_CHARS).replace(/\p{Cc}/gu, '\uFFFD');
}

// By code unit, so that the order does not depend on a locale.
function byPathAndCode(a: ParamIssue, b: ParamIssue): number {
  return compare(a.path, b.path) || compare(a.code, b.code);
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

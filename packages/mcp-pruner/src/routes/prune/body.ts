import { SWE_PRUNE_REQUEST, type SwePruneRequest, shapeProblem, withoutNulls } from '@jeeves/protocol';
import type * as z from 'zod';

/** One complaint about a body, in the words of the service whose contract this is. */
export interface BodyIssue {
  readonly type: string;
  /** `body`, then where in it. */
  readonly loc: readonly (string | number)[];
  readonly msg: string;
}

export type BodyOutcome =
  | { readonly ok: true; readonly request: SwePruneRequest }
  | { readonly ok: false; readonly detail: readonly BodyIssue[] };

/** Reads the body of `POST /prune`, or says what is wrong with it as FastAPI would: `{detail: [{type, loc, msg}]}`. */
export function readPruneBody(body: Uint8Array): BodyOutcome {
  let value: unknown;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    if (shapeProblem(text) !== undefined) throw new SyntaxError('more than anybody would prune');
    value = JSON.parse(text);
  } catch {
    return refused({ type: 'json_invalid', loc: ['body', 0], msg: 'JSON decode error' });
  }
  const parsed = SWE_PRUNE_REQUEST.safeParse(withoutNulls(SWE_PRUNE_REQUEST, value));
  if (parsed.success) return { ok: true, request: parsed.data };
  return { ok: false, detail: parsed.error.issues.map((issue) => toIssue(issue, value)) };
}

function refused(issue: BodyIssue): BodyOutcome {
  return { ok: false, detail: [issue] };
}

const EXPECTED: Readonly<Record<string, Pick<BodyIssue, 'type' | 'msg'>>> = {
  string: { type: 'string_type', msg: 'Input should be a valid string' },
  number: { type: 'float_type', msg: 'Input should be a valid number' },
  boolean: { type: 'bool_type', msg: 'Input should be a valid boolean' },
  int: { type: 'int_type', msg: 'Input should be a valid integer' },
  object: {
    type: 'model_attributes_type',
    msg: 'Input should be a valid dictionary or object to extract fields from',
  },
};

function toIssue(issue: z.core.$ZodIssue, body: unknown): BodyIssue {
  const loc = ['body', ...issue.path.map((key) => (typeof key === 'number' ? key : String(key)))];
  const [field] = issue.path;
  const isMissing =
    typeof field === 'string' && typeof body === 'object' && body !== null && !Object.hasOwn(body, field);
  if (isMissing) return { type: 'missing', loc, msg: 'Field required' };
  if (issue.code === 'too_small') {
    return { type: 'greater_than_equal', loc, msg: `Input should be greater than or equal to ${issue.minimum}` };
  }
  if (issue.code === 'too_big') {
    return { type: 'less_than_equal', loc, msg: `Input should be less than or equal to ${issue.maximum}` };
  }
  const expected = issue.code === 'invalid_type' ? EXPECTED[issue.expected] : undefined;
  return { ...(expected ?? { type: 'value_error', msg: 'Value error' }), loc };
}

import { FOCUS_QUESTION } from './fields.ts';
import type { JsonSchema } from './listing.ts';

/** What the goal is called among the arguments of a tool. */
export const FOCUS_ARGUMENT = 'context_focus_question';

// Paid once per tool of every upstream, so it says no more than it must.
const SHOWN: JsonSchema = {
  type: 'string',
  description: 'One question: only what serves it comes back, recover_text restores the rest',
};

/** Somebody else's arguments with the goal among them; the same schema where it has an argument of that name. */
export function withFocus(inputSchema: JsonSchema): JsonSchema {
  const { properties } = inputSchema;
  if (hasFocus(inputSchema)) return inputSchema;
  return { ...inputSchema, properties: { ...(isObject(properties) ? properties : {}), [FOCUS_ARGUMENT]: SHOWN } };
}

/** Whether a tool has an argument of its own with that name. */
export function hasFocus({ properties }: JsonSchema): boolean {
  return isObject(properties) && Object.hasOwn(properties, FOCUS_ARGUMENT);
}

/** Takes the goal out of a call's arguments. One that cannot be used is no goal, and no reason to refuse the call. */
export function takeFocus(args: Readonly<Record<string, unknown>>): {
  readonly goal: string | undefined;
  readonly args: Readonly<Record<string, unknown>>;
} {
  const { [FOCUS_ARGUMENT]: question, ...rest } = args;
  const goal = FOCUS_QUESTION.safeParse(question);
  return { goal: goal.success ? goal.data : undefined, args: rest };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

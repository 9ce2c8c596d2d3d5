import * as z from 'zod';
import { argsOf, DESTROYS, READS, type ToolDefinition } from './definition.ts';
import { GOAL, ID } from './fields.ts';
import { list } from './list.ts';
import { showAs } from './listing.ts';
import { mendEvalArgs, mendMcpArgs } from './mend.ts';

export interface AutomaticMcpArgs {
  readonly query?: string | undefined;
  readonly names?: readonly string[] | undefined;
  readonly sessionId?: string | undefined;
  readonly forceRefresh: boolean;
}

export interface AutomaticEvalArgs {
  readonly toolName: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly routingKey?: string | undefined;
  readonly context_focus_question?: string | undefined;
}

export const AUTOMATIC_MCP: ToolDefinition<AutomaticMcpArgs> = {
  name: 'automatic_mcp',
  title: 'Find tools',
  description:
    'Find tools for a task. Returns the best definitions and names others; those sent before are only named. Call them with automatic_eval.',
  annotations: { ...READS, idempotentHint: false },
  set: 'catalogue',
  input: mended<AutomaticMcpArgs>(
    mendMcpArgs,
    {
      // Models often fill in what is optional with an empty text, which means the same as nothing.
      query: z.string().max(1000).trim().optional().meta({
        description: 'What the tool must do, such as "create a calendar event"; leave out names and values',
        doc: 'Without it, or with an empty one, every tool matches.',
      }),
      names: list(ID, { max: 20 }).optional().meta({
        description: 'Send these definitions whole',
        doc: 'Takes names from `others`, `alreadySent` or `changed`. The definitions come with everything their servers say, `outputSchema` and `annotations` included; `query` is ignored.',
      }),
      // An empty id falls back to the caller's own, so it is accepted here.
      sessionId: z.string().max(256).optional().meta({
        description: 'Keep it the same during a conversation',
        doc: 'Within one connection, tools sent under the same id are not sent again unless they changed. A conversation that was cleared gives another id and gets everything again. Over HTTP the connection is the `Mcp-Session-Id`; without one nothing is remembered.',
      }),
      forceRefresh: z.boolean().default(false).meta({
        description: 'Ask the servers anew and send all again',
        doc: 'Ignores what was sent before, and asks every server for its tools.',
      }),
    },
    { query: 'open a pull request', sessionId: 'conversation-1' },
  ),
};

export const AUTOMATIC_EVAL: ToolDefinition<AutomaticEvalArgs> = {
  name: 'automatic_eval',
  title: 'Call a found tool',
  description: 'Call a tool that automatic_mcp returned. If its arguments are invalid the error holds its schema.',
  annotations: { ...DESTROYS, openWorldHint: true },
  set: 'catalogue',
  input: mended<AutomaticEvalArgs>(
    mendEvalArgs,
    {
      toolName: ID.meta({ doc: 'Name as `automatic_mcp` gave it, `<server>__<tool>`.' }),
      arguments: showAs(z.record(z.string(), z.unknown()).default({}), { type: 'object' }).meta({
        doc: 'Checked against the tool’s `inputSchema`.',
      }),
      routingKey: ID.optional().meta({ doc: 'Calls with the same key reach the same upstream instance.' }),
      context_focus_question: GOAL.optional().meta({
        description: 'What you need from a long result, as one question; recover_text restores what is left out',
        doc: 'Long texts of the result are pruned against it. Absent, the result comes as the tool gave it.',
      }),
    },
    { toolName: 'github__create_pull_request', arguments: { title: 'Fix the timeout' } },
  ),
};

/** The goal that a call's result is pruned against, if it has one. */
export function focusOf({ context_focus_question: question }: AutomaticEvalArgs): string | undefined {
  return question;
}

/** Models get the outer shape of these two wrong in a few ways that can mean one thing only; those are taken as meant. */
function mended<Args extends object>(
  mend: (sent: unknown) => unknown,
  fields: Parameters<typeof argsOf<Args>>[0],
  example: object,
): z.ZodType<Args> {
  return z.preprocess(mend, argsOf<Args>(fields)).meta({ examples: [example] });
}

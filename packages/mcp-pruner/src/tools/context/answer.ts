import { Buffer } from 'node:buffer';
import type { Context } from '@jeeves/context';
import {
  CONTEXT_ERRORS,
  type ContextAnswer,
  type ContextError,
  type ContextErrorCode,
  type NextStep,
  type ToolDefinition,
} from '@jeeves/protocol';
import { describe } from '../../host/events.ts';
import type { Tool, ToolCall, ToolOutcome } from '../../host/tool.ts';
import { AGENT_MAX_OUTPUT_BYTES, isAgent } from '../limits.ts';

/** What every context tool needs. */
export interface ContextToolDependencies {
  /** Loaded and opened when a call first needs it. */
  readonly open: () => Promise<Context>;
  readonly now: () => number;
}

/** A tool from what it does with the library. Whatever fails is an answer, too: structured, and nothing was changed. */
export function contextTool<Args extends object>(
  definition: ToolDefinition<Args>,
  { open, now }: ContextToolDependencies,
  act: (context: Context, args: Args, call: ToolCall<Args>) => Promise<ContextAnswer>,
): Tool<Args> {
  return {
    definition,
    async run(call) {
      const started = now();
      const tool = definition.name;
      const elapsed = (): number => Math.max(0, now() - started);
      try {
        const outcome = outcomeOf(await act(await open(), call.args, call), false);
        const bytes = Buffer.byteLength(outcome.text);
        call.emit({ event: 'tool.exec_ok', data: { tool, duration_ms: elapsed(), bytes } });
        return outcome;
      } catch (cause) {
        const failed = failureOf(cause, call.args);
        const { code, message } = failed.error;
        if (code === 'INTERNAL_ERROR') call.emit({ event: 'tool.internal_error', data: { tool, ...describe(cause) } });
        call.emit({ event: 'tool.exec_failed', data: { tool, code, message, duration_ms: elapsed() } });
        return outcomeOf(failed, true);
      }
    },
  };
}

/** Room for texts in one answer: clients cut larger ones themselves, and worse. */
export function textRoom({ client }: Pick<ToolCall<object>, 'client'>): number {
  return isAgent(client) ? AGENT_MAX_OUTPUT_BYTES : 1_048_576;
}

function outcomeOf(answer: ContextAnswer, isError: boolean): ToolOutcome {
  return {
    text: JSON.stringify(answer),
    structured: answer,
    isError,
    mode: 'raw',
    shrink: (bytes) => outcomeOf(shortened(answer, bytes), isError),
  };
}

/** Ids can be of any length, so even a bounded list may be too long for a reply: every list loses its end. */
function shortened(answer: ContextAnswer, bytes: number): ContextAnswer {
  let entries: [string, unknown][] = Object.entries(answer);
  const weigh = (): number => Buffer.byteLength(JSON.stringify(Object.fromEntries(entries)));
  while (weigh() > bytes && entries.some(([, value]) => Array.isArray(value) && value.length > 0)) {
    entries = entries.map(([name, value]) => [name, Array.isArray(value) ? value.slice(0, value.length >> 1) : value]);
  }
  const { next_step, ...rest } = Object.fromEntries(entries) as object as ContextAnswer;
  return { ...rest, truncated: true, next_step };
}

const CODES: Readonly<Record<string, ContextErrorCode>> = {
  invalid_parameter: 'INVALID_PARAMETER',
  confirmation_required: 'CONFIRMATION_REQUIRED',
  snapshot_not_found: 'SNAPSHOT_NOT_FOUND',
  store_failed: 'STORAGE_ERROR',
  config_error: 'STORAGE_ERROR',
};

/** Told by shape: the library and the engine are loaded when a call needs them, and may not have been. */
function failureOf(cause: unknown, args: object): ContextError {
  const { code: own, details = {} } = cause as { code?: unknown; details?: Record<string, unknown> };
  const code = (typeof own === 'string' && Object.hasOwn(CODES, own) ? CODES[own] : undefined) ?? 'INTERNAL_ERROR';
  // What a defect says is for the log: it may quote anything.
  const message = code === 'INTERNAL_ERROR' ? CONTEXT_ERRORS[code] : (cause as Error).message;
  return {
    error: { code, message, details: code === 'INTERNAL_ERROR' ? {} : onWire(details) },
    next_step: mendingStep(code, args),
  };
}

/** The library's names in the spelling of all other fields. */
function onWire(details: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const upper = /[A-Z]/g;
  return Object.fromEntries(
    Object.entries(details).map(([name, value]) => [
      name.replace(upper, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );
}

function mendingStep(
  code: ContextErrorCode,
  { project_id = 'default', segment_ids = [] }: { project_id?: string; segment_ids?: readonly string[] },
): NextStep {
  switch (code) {
    case 'CONFIRMATION_REQUIRED': {
      const args = { project_id, segment_ids, action: 'stash' };
      return { tool: 'context_gc_prune', why: 'Stashing frees as much and can be undone.', arguments: args };
    }
    case 'SNAPSHOT_NOT_FOUND':
      return { tool: 'context_get_task_context', why: 'It lists the snapshots there are.', arguments: { project_id } };
    case 'INVALID_PARAMETER':
      return { tool: 'context_list_projects', why: 'Look what there is, then correct the call.', arguments: {} };
    default:
      return {
        tool: 'context_list_projects',
        why: 'Nothing was changed. See whether the store answers again.',
        arguments: {},
      };
  }
}

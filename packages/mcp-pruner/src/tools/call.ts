import type { BashError, GrepError, ReadError } from '@jeeves/protocol';
import type { ToolCall, ToolOutcome } from '../host/tool.ts';
import type { PrunedOutput, Pruner, ToolOutput } from '../pruner.ts';

/** What pruning may take beyond the tool's own time: with both at their defaults an answer comes within a client's minute. */
const PRUNING_MS = 25_000;

/** The arguments that every tool with a prunable output has. */
export interface PrunableArgs {
  readonly max_output_bytes?: number | undefined;
  readonly max_tokens?: number | undefined;
  readonly context_focus_question?: string | undefined;
}

/** When the whole call must be over. */
export function deadlineOf({ receivedAt }: ToolCall<PrunableArgs>, timeoutMs: number): number {
  return receivedAt + timeoutMs + PRUNING_MS;
}

/** Has a call's output pruned. */
export function pruneFor(
  { args, signal, emit }: ToolCall<PrunableArgs>,
  pruner: Pruner,
  output: Omit<ToolOutput, 'goal' | 'signal' | 'emit'>,
): Promise<PrunedOutput> {
  return pruner.pruneOutput({ ...output, goal: args.context_focus_question, signal, emit });
}

const NOTHING = { maxTokens: 0, aroundTokens: 0, shownBytes: 0 };

type Failed = Omit<ReadError, 'pruning'> | Omit<BashError, 'pruning'> | Omit<GrepError, 'pruning'>;

/** The outcome of a call that has nothing to show but why. Its metadata are those of an empty output. */
export async function failedOutcome(
  call: ToolCall<PrunableArgs>,
  pruner: Pruner,
  failed: Failed,
): Promise<ToolOutcome> {
  const { tool, error } = failed;
  const empty = { tool, raw: '', source: 'auto', budget: NOTHING, deadline: call.receivedAt } as const;
  const { pruning } = await pruneFor(call, pruner, empty);
  return { text: `${error.code}: ${error.message}`, structured: { ...failed, pruning }, isError: true, mode: 'raw' };
}

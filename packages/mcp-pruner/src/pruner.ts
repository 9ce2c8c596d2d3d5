import { Buffer } from 'node:buffer';
import type { Backend, RecoveryStore, SourceType } from '@jeeves/engine';
import type { Emit, PruningMetadata, PruningReason } from '@jeeves/protocol';
import { askEngine } from './pruner/embedded.ts';
import { toFailure } from './pruner/failure.ts';
import { askPruningService } from './pruner/service.ts';
import { decideOnce, type PrunerSetting, type Target } from './pruner/target.ts';

/** More than this is never handed to a pruner. */
export const MAX_PRUNER_INPUT_BYTES = 2_097_152;

/** What pruning needs. Engine and store are loaded when the first output asks for them: most calls never do. */
export interface PrunerOptions {
  readonly setting: PrunerSetting;
  /** The longest a pruner may take, answer included. */
  readonly timeoutMs: number;
  readonly store: RecoveryStore;
  readonly randomBytes: (count: number) => Uint8Array;
  /** Who judges when this process does; the embedded backend when absent. */
  readonly backend?: Backend;
  readonly fetch: typeof globalThis.fetch;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** One raw output on its way to the agent. */
export interface ToolOutput {
  readonly tool: 'read' | 'bash' | 'grep';
  /** The output after the tool's own cut. */
  readonly text: string;
  /** What the agent wants to know; without it the output goes through untouched. */
  readonly goal: string | undefined;
  readonly source: SourceType | 'auto';
  /** Number of the text's first line. Default 1. */
  readonly firstLine?: number;
  /** Only lines that were sent may come back; any other answer is unusable. */
  readonly onlySentLines?: boolean;
  /** When the whole call must be over (milliseconds since the epoch). */
  readonly deadline: number;
  readonly signal: AbortSignal;
  /** Marks every event with the call it belongs to. */
  readonly emit: Emit;
}

export interface PrunedOutput {
  /** For the model: every gap has a marker. */
  readonly text: string;
  /** For programs: the same with the embedded engine, a service's own words otherwise. */
  readonly structuredText: string;
  /** The line that says how to get the rest back; belongs at the very end of the text, nowhere else. */
  readonly closing?: string;
  /** One flag per line of the raw output, when some were taken away and it is known which. */
  readonly kept?: Uint8Array;
  readonly pruning: PruningMetadata;
}

/** A pruner's usable answer. */
export type Answer = Omit<PrunedOutput, 'pruning'> & { readonly pruneId?: string; readonly aligned?: false };

export interface Pruner {
  /** Whether a goal has any effect. */
  readonly enabled: boolean;
  /** Never throws: whatever goes wrong, the raw output comes back and the metadata says why. */
  pruneOutput(output: ToolOutput): Promise<PrunedOutput>;
}

/** The only meeting point of tool output and engine. */
export function createPruner(options: PrunerOptions): Pruner {
  const target = decideOnce(options.setting, options.fetch);
  return {
    enabled: options.setting.kind !== 'off',
    pruneOutput: (output) => pruneOutput(output, options, target),
  };
}

async function pruneOutput(
  output: ToolOutput,
  options: PrunerOptions,
  target: () => Promise<Target>,
): Promise<PrunedOutput> {
  const rawBytes = Buffer.byteLength(output.text);
  const reason = reasonToSkip(output, options.setting, rawBytes);
  return reason === undefined
    ? await ask(output, options, { target: await target(), rawBytes })
    : untouched(output, { attempted: false, applied: false, fallback: false, reason, raw_bytes: rawBytes });
}

/** question → configured → empty → size. */
function reasonToSkip(output: ToolOutput, setting: PrunerSetting, rawBytes: number): PruningReason | undefined {
  if (output.goal === undefined) return 'no_focus_question';
  if (setting.kind === 'off') return 'disabled_or_unconfigured';
  if (rawBytes === 0) return 'output_empty';
  return rawBytes > MAX_PRUNER_INPUT_BYTES ? 'too_large' : undefined;
}

async function ask(
  output: ToolOutput,
  options: PrunerOptions,
  { target, rawBytes }: { target: Target; rawBytes: number },
): Promise<PrunedOutput> {
  const { tool, goal = '', emit } = output;
  const started = options.now();
  emit({ event: 'pruner.call_start', data: { endpoint: target.endpoint, tool, input_bytes: rawBytes } });
  // At least something, so that a call which comes too late ends in an honest timeout.
  const timeoutMs = Math.max(1, Math.min(options.timeoutMs, output.deadline - started));
  const elapsed = (): number => Math.max(0, Math.round(options.now() - started));
  const about = { raw_bytes: rawBytes, backend: target.kind } as const;
  try {
    const call = { output, goal, timeoutMs, options };
    const answer = target.kind === 'http' ? await askPruningService(call, target.url) : await askEngine(call);
    const sizes = { pruned_bytes: Buffer.byteLength(answer.structuredText), pruner_duration_ms: elapsed() };
    emit({ event: 'pruner.call_ok', data: { tool, ...sizes } });
    return accepted(answer, { attempted: true, applied: true, fallback: false, ...about, ...sizes });
  } catch (cause) {
    const { code, message } = toFailure(cause);
    const pruner_duration_ms = elapsed();
    emit({ event: 'pruner.call_failed', data: { tool, reason: code, pruner_duration_ms, message } });
    const failed = { attempted: true, applied: false, fallback: true, reason: 'pruner_error' } as const;
    return untouched(output, { ...failed, ...about, pruner_duration_ms, error: { code, message } });
  }
}

function accepted({ pruneId, aligned, ...answer }: Answer, pruning: PruningMetadata): PrunedOutput {
  return {
    ...answer,
    pruning: {
      ...pruning,
      ...(pruneId !== undefined && { prune_id: pruneId }),
      ...(aligned === false && { aligned }),
    },
  };
}

function untouched({ text }: ToolOutput, pruning: PruningMetadata): PrunedOutput {
  return { text, structuredText: text, pruning };
}

import { Buffer } from 'node:buffer';
import type { Backend, RecoveryStore, SourceType } from '@jeeves/engine';
import type { Emit, PruningMetadata, PruningReason } from '@jeeves/protocol';
import { askEngine } from './pruner/embedded.ts';
import { toFailure } from './pruner/failure.ts';
import { showRaw } from './pruner/raw.ts';
import { askPruningService } from './pruner/service.ts';
import { decideOnce, type PrunerSetting, type Target } from './pruner/target.ts';

/** More than this is never handed to a service. */
const MAX_SERVICE_INPUT_BYTES = 2_097_152;

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

/** What the reader of a reply can take. */
export interface ReaderBudget {
  /** The most tokens of a pruned reply, all that stands around the output included. */
  readonly maxTokens: number;
  /** The caller wants as much as fits, not only what is worth its tokens. */
  readonly spend: boolean;
  /** Tokens that the tool puts around this output, the closing line apart. */
  readonly aroundTokens: number;
  /** The most bytes of an output that is not pruned. */
  readonly shownBytes: number;
}

/** One raw output on its way to the agent. */
export interface ToolOutput {
  readonly tool: 'read' | 'bash' | 'grep';
  /** The output after the tool's own cut: a string, or bytes of UTF-8. Recovery gives back what stands here. */
  readonly raw: string | Uint8Array;
  /** Whether colour and cursor codes are left out of what is judged and shown. Default false. */
  readonly strip?: boolean;
  /** What the agent wants to know; without it the output is not pruned. */
  readonly goal: string | undefined;
  readonly source: SourceType | 'auto';
  /** Number of the text's first line. Default 1. */
  readonly firstLine?: number;
  /** Only lines that were sent may come back; any other answer is unusable. */
  readonly onlySentLines?: boolean;
  readonly budget: ReaderBudget;
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
  /** For outputs of which only sent lines may come back, one flag per line, when some were taken away. */
  readonly kept?: Uint8Array;
  /** An output that was not chosen from is larger than what may be shown of it: its middle is left out. */
  readonly truncated: boolean;
  readonly pruning: PruningMetadata;
  /** The same in fewer bytes, for a reply that a transport cannot carry; absent where a choice has bounded it. */
  readonly fit?: (bytes: number) => PrunedOutput;
}

/** A pruner's usable answer, or the output itself where there is none. */
export interface Answer extends Pick<PrunedOutput, 'text' | 'structuredText' | 'closing' | 'kept'> {
  readonly truncated?: boolean;
  readonly pruneId?: string;
  readonly aligned?: false;
  readonly stripped?: true;
  readonly fit?: (bytes: number) => Answer;
}

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
  const { raw } = output;
  const rawBytes = typeof raw === 'string' ? Buffer.byteLength(raw) : raw.length;
  const reason = await reasonToSkip(output, { setting: options.setting, target, rawBytes });
  if (reason === undefined) return await ask(output, options, { target: await target(), rawBytes });
  const skipped = { attempted: false, applied: false, fallback: false, reason, raw_bytes: rawBytes };
  return accepted(await showRaw(output, options), skipped);
}

interface Question {
  readonly setting: PrunerSetting;
  readonly target: () => Promise<Target>;
  readonly rawBytes: number;
}

/** question → configured → empty → size. The embedded engine looks at the ends of what is too large for it. */
async function reasonToSkip(
  { goal }: ToolOutput,
  { setting, target, rawBytes }: Question,
): Promise<PruningReason | undefined> {
  if (goal === undefined) return 'no_focus_question';
  if (setting.kind === 'off') return 'disabled_or_unconfigured';
  if (rawBytes === 0) return 'output_empty';
  if (rawBytes <= MAX_SERVICE_INPUT_BYTES) return undefined;
  return (await target()).kind === 'http' ? 'too_large' : undefined;
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
    const answer = target.kind === 'http' ? await askPruningService(call, target) : await askEngine(call);
    const pruner_duration_ms = elapsed();
    const pruned_bytes = Buffer.byteLength(answer.structuredText);
    emit({ event: 'pruner.call_ok', data: { tool, pruned_bytes, pruner_duration_ms } });
    return accepted(answer, {
      attempted: true,
      applied: true,
      fallback: false,
      ...about,
      pruned_bytes,
      pruner_duration_ms,
    });
  } catch (cause) {
    const { code, message } = toFailure(cause);
    const pruner_duration_ms = elapsed();
    emit({ event: 'pruner.call_failed', data: { tool, reason: code, pruner_duration_ms, message } });
    const failed = { attempted: true, applied: false, fallback: true, reason: 'pruner_error' } as const;
    const whole = await showRaw(output, options);
    return accepted(whole, { ...failed, ...about, pruner_duration_ms, error: { code, message } });
  }
}

function accepted(answer: Answer, pruning: PruningMetadata): PrunedOutput {
  const { pruneId, aligned, stripped, truncated = false, fit, ...shown } = answer;
  return {
    ...shown,
    truncated,
    pruning: {
      ...pruning,
      ...(pruning.applied && { pruned_bytes: Buffer.byteLength(answer.structuredText) }),
      ...(pruneId !== undefined && { prune_id: pruneId }),
      ...(aligned === false && { aligned }),
      ...(stripped === true && { stripped }),
    },
    ...(fit !== undefined && { fit: (bytes: number) => accepted(fit(bytes), pruning) }),
  };
}

import { Buffer } from 'node:buffer';
import type { SourceType } from '@jeeves/engine';
import type { BashArgs, BashError, PruningMetadata } from '@jeeves/protocol';
import type { ToolCall } from '../host/tool.ts';
import type { PrunedOutput, Pruner, ReaderBudget, ToolOutput } from '../pruner.ts';
import { decoded } from '../pruner/raw.ts';
import { block } from './block.ts';
import { pruneFor } from './call.ts';
import type { OutputLimits } from './limits.ts';

/** What a command wrote. */
export interface Written {
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  readonly source: SourceType | 'auto';
  /** What stands around the streams, to be counted against the budget. */
  readonly around: string;
  readonly deadline: number;
}

/** Both streams as they are shown. */
export interface Streams {
  readonly stdout: PrunedOutput;
  readonly stderr: PrunedOutput;
}

/** Texts of more bytes per token of the budget need not be counted to be long. */
const LONGEST_TOKEN_BYTES = 16;

/** Both streams as one reading: a short one stays whole, long ones are pruned within one budget. */
export async function showStreams(
  call: ToolCall<BashArgs>,
  pruner: Pruner,
  written: Written,
  { maxTokens, shownBytes }: OutputLimits,
): Promise<Streams> {
  const { stdout, stderr, source, deadline } = written;
  const share = sharesOf(stdout.length, stderr.length, shownBytes);
  const ask = (name: keyof Streams, budget: Omit<ReaderBudget, 'shownBytes'>): Promise<PrunedOutput> =>
    pruneFor(call, pruner, {
      ...outputOf(written[name], source, deadline),
      budget: { ...budget, shownBytes: share[name] },
    });
  const whole = (name: keyof Streams): Promise<PrunedOutput> => {
    const budget = { maxTokens, aroundTokens: 0, shownBytes: share[name] };
    const { signal, emit } = call;
    return pruner.pruneOutput({ ...outputOf(written[name], source, deadline), budget, goal: undefined, signal, emit });
  };
  if (call.args.context_focus_question === undefined || !pruner.enabled) {
    const budget = { maxTokens, aroundTokens: 0 };
    return { stdout: await ask('stdout', budget), stderr: await ask('stderr', budget) };
  }
  const { streamsToPrune } = await import('@jeeves/engine');
  const count = await counter(maxTokens);
  const frame = count(Buffer.from(written.around));
  const tokens = { stdout: count(stdout), stderr: count(stderr) };
  const [first, second] = streamsToPrune(tokens, maxTokens);
  if (second === undefined) {
    const other = first === 'stdout' ? 'stderr' : 'stdout';
    const pruned = await ask(first, { maxTokens, aroundTokens: frame + tokens[other] });
    const left = await whole(other);
    return first === 'stdout' ? { stdout: pruned, stderr: left } : { stdout: left, stderr: pruned };
  }
  const shown = await ask(first, { maxTokens: Math.floor(maxTokens / 2), aroundTokens: 0 });
  const used = count(Buffer.from(block(shown.text, shown.closing)));
  return { stderr: shown, stdout: await ask(second, { maxTokens, aroundTokens: frame + used }) };
}

function outputOf(
  raw: Uint8Array,
  source: SourceType | 'auto',
  deadline: number,
): Pick<ToolOutput, 'tool' | 'raw' | 'strip' | 'source' | 'deadline'> {
  return { tool: 'bash', raw, strip: true, source, deadline };
}

/** Counts tokens, rather one too many: the budget holds whatever the estimate misses. */
async function counter(maxTokens: number): Promise<(bytes: Uint8Array) => number> {
  const { estimateTokens, stripControls } = await import('@jeeves/engine');
  return (bytes) => {
    if (bytes.length === 0) return 0;
    if (bytes.length > maxTokens * LONGEST_TOKEN_BYTES) return Number.POSITIVE_INFINITY;
    return Math.ceil(estimateTokens(stripControls(decoded(bytes))) * 1.15) + 4;
  };
}

/** Room for both streams where neither is pruned: on contention a third is for stdout, since errors tell more. */
function sharesOf(stdout: number, stderr: number, bytes: number): Readonly<Record<keyof Streams, number>> {
  if (bytes === Number.POSITIVE_INFINITY) return { stdout: bytes, stderr: bytes };
  const forStdout = Math.min(stdout, Math.max(Math.floor(bytes / 3), bytes - stderr));
  return { stdout: forStdout, stderr: Math.min(stderr, bytes - forStdout) };
}

/** The same in at most so many bytes, shared as ever; undefined where neither can be made smaller. */
export function fitStreams({ stdout, stderr }: Streams, bytes: number): Streams {
  const size = ({ text }: PrunedOutput): number => Buffer.byteLength(text);
  const share = sharesOf(size(stdout), size(stderr), bytes);
  return { stdout: stdout.fit?.(share.stdout) ?? stdout, stderr: stderr.fit?.(share.stderr) ?? stderr };
}

/** What happened to both. Where one was left alone, it is about the other: stdout, or stderr when that is all there is. */
export function streamsPruning({ stdout, stderr }: Streams): PruningMetadata {
  const [out, err] = [stdout.pruning, stderr.pruning];
  const chosen = out.raw_bytes === 0 || (err.attempted && !out.attempted) ? err : out;
  const other = chosen === out ? err : out;
  const stripped = out.stripped === true || err.stripped === true ? ({ stripped: true } as const) : {};
  const ids = idsOf(out, err);
  if (other.prune_id === undefined || !other.attempted) return { ...chosen, ...stripped, ...ids };
  const applied = out.applied || err.applied;
  const { reason: _, error: __, ...rest } = chosen.applied ? chosen : other;
  return {
    ...(applied ? rest : chosen),
    raw_bytes: out.raw_bytes + err.raw_bytes,
    ...(applied && { pruned_bytes: shownBytes(out) + shownBytes(err) }),
    ...(applied && { pruner_duration_ms: (out.pruner_duration_ms ?? 0) + (err.pruner_duration_ms ?? 0) }),
    ...stripped,
    ...ids,
  };
}

function idsOf(out: PruningMetadata, err: PruningMetadata): Pick<PruningMetadata, 'prune_id' | 'stderr_prune_id'> {
  const prune_id = out.prune_id ?? err.prune_id;
  if (prune_id === undefined) return {};
  return out.prune_id !== undefined && err.prune_id !== undefined
    ? { prune_id, stderr_prune_id: err.prune_id }
    : { prune_id };
}

function shownBytes({ pruned_bytes, raw_bytes }: PruningMetadata): number {
  return pruned_bytes ?? raw_bytes;
}

interface Ending {
  readonly ended: BashError['error'] | undefined;
  /** Where the caller had the raw output cut. */
  readonly cutAt: number | undefined;
}

/** The streams for a model: what failed, stdout, stderr under its heading, the exit code, then the notices. */
export function streamsText({ stdout, stderr }: Streams, { ended, cutAt }: Ending): string {
  const bothCut = stdout.closing !== undefined && stderr.closing !== undefined;
  return block(
    ended && `${ended.code}: ${ended.message}`,
    stdout.text,
    // With two ids, each stands right under the lines it gives back.
    bothCut ? stdout.closing : undefined,
    stderr.text === '' ? undefined : `[stderr]\n${stderr.text}`,
    exitLine(ended),
    cutAt === undefined
      ? undefined
      : `[output cut at ${cutAt} bytes; send it to a file and read that with start_line, or narrow the command]`,
    stderr.closing ?? (bothCut ? undefined : stdout.closing),
  );
}

/** What stands around the streams whatever is in them. */
export function aroundStreams(ended: BashError['error'] | undefined, cutAt: number | undefined): string {
  const empty = { text: '', structuredText: '', truncated: false, pruning: NONE };
  return `[stderr]\n${streamsText({ stdout: empty, stderr: empty }, { ended, cutAt })}`;
}

const NONE: PruningMetadata = { attempted: false, applied: false, fallback: false, raw_bytes: 0 };

function exitLine(ended: BashError['error'] | undefined): string | undefined {
  return ended?.exit_code === undefined ? undefined : `[exit code ${ended.exit_code}]`;
}

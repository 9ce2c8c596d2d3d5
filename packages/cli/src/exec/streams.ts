import { Buffer } from 'node:buffer';
import {
  createEmbeddedBackend,
  estimateTokens,
  newPruneId,
  printable,
  pruneCapture,
  type RecoveryStore,
  type StreamName,
  streamsToPrune,
  stripControls,
  windowOf,
} from '@jeeves/engine';
import { formatCompact, formatShellClosing } from '@jeeves/engine/marker';
import type { Context } from '../context.ts';
import { decode } from '../input/decode.ts';
import { closed } from '../output/pruned.ts';
import { writeWarnings } from '../output/warnings.ts';
import { exactTokens, tokenCounter } from '../tokens.ts';

type Streams = Readonly<Record<StreamName, Uint8Array>>;

interface Wish {
  readonly goal?: string;
  readonly maxTokens?: number;
}

const MAX_TOKENS = 4000;
const MAX_BYTES = 1_048_576;
/** What the line takes at most that names the command which gives lines back. */
const CLOSING_TOKENS = 40;

/** What is shown of both streams: all of them, or what serves the goal, within one budget. */
export async function pruneStreams(raw: Streams, wish: Wish, store: RecoveryStore, context: Context): Promise<Streams> {
  const { goal, maxTokens = MAX_TOKENS } = wish;
  const job: Job = { goal, spend: wish.maxTokens !== undefined, store, context };
  if (goal === undefined) {
    return { stdout: await cut('stdout', raw.stdout, job), stderr: await cut('stderr', raw.stderr, job) };
  }
  const tokens = { stdout: tokensOf(raw.stdout, maxTokens), stderr: tokensOf(raw.stderr, maxTokens) };
  const [first, second] = streamsToPrune(tokens, maxTokens);
  const other = first === 'stdout' ? 'stderr' : 'stdout';
  if (second === undefined) {
    const pruned = await prune(first, raw[first], { ...job, goal, maxTokens, aroundTokens: tokens[other] });
    const whole = await cut(other, raw[other], job);
    return first === 'stdout' ? { stdout: pruned, stderr: whole } : { stdout: whole, stderr: pruned };
  }
  const half = Math.floor(maxTokens / 2);
  const shown = await prune(first, raw[first], { ...job, goal, maxTokens: half, aroundTokens: 0 });
  const aroundTokens = tokensOf(shown, maxTokens);
  return { stderr: shown, stdout: await prune(second, raw[second], { ...job, goal, maxTokens, aroundTokens }) };
}

interface Job {
  readonly goal: string | undefined;
  /** A budget was named, to be spent. */
  readonly spend: boolean;
  readonly store: RecoveryStore;
  readonly context: Context;
}

interface Pruning extends Job {
  readonly goal: string;
  readonly maxTokens: number;
  readonly aroundTokens: number;
}

async function prune(name: StreamName, raw: Uint8Array, pruning: Pruning): Promise<Uint8Array> {
  const { goal, spend, store, context, maxTokens, aroundTokens } = pruning;
  const limits = spend ? { maxTokens } : { capTokens: maxTokens };
  // Bytes that are no text are passed on: a text could not give them back.
  if (raw.length === 0 || 'problem' in decode(raw)) return shownOn(name, raw, context);
  const result = await pruneCapture(
    { raw, goal, strip: true, limits, aroundTokens: aroundTokens + CLOSING_TOKENS },
    {
      backend: createEmbeddedBackend(),
      store,
      newId: () => newPruneId(context.randomBytes),
      now: context.now,
      countTokens: await tokenCounter(false),
      exactTokens,
    },
  );
  await writeWarnings(result.warnings, context);
  if (result.stats.usedFallback) return await cut(name, raw, pruning);
  return shownOn(name, Buffer.from(closed(result)), context);
}

/** A stream as it is; one that is too long for anybody to read loses its middle, which stays recoverable. */
async function cut(name: StreamName, raw: Uint8Array, { goal, store, context }: Job): Promise<Uint8Array> {
  if (raw.length <= MAX_BYTES) return shownOn(name, raw, context);
  const { head, tail, headLines, skippedLines } = windowOf(raw, { bytes: MAX_BYTES, lines: Number.POSITIVE_INFINITY });
  if (head === '' && tail === '') return shownOn(name, raw, context);
  const pruneId = newPruneId(context.randomBytes);
  try {
    const about = { pruneId, firstLine: 1, createdAt: context.now(), ...(goal !== undefined && { goal }) };
    await store.put({ ...about, text: raw });
  } catch {
    // What cannot be given back is not taken away.
    return shownOn(name, raw, context);
  }
  const gap = { startLine: headLines + 1, endLine: headLines + skippedLines };
  const end = tail === '' || tail.endsWith('\n') ? tail : `${tail}\n`;
  const text = `${head}${formatCompact(gap)}\n${end}${formatShellClosing(pruneId, gap)}\n`;
  return shownOn(name, Buffer.from(text), context);
}

/** A terminal gets nothing that it would obey. */
function shownOn(name: StreamName, bytes: Uint8Array, context: Context): Uint8Array {
  return context[name].isTTY === true ? Buffer.from(printable(Buffer.from(bytes).toString())) : bytes;
}

/** About how many, rather too many; a long text need not be counted to be long. */
function tokensOf(bytes: Uint8Array, maxTokens: number): number {
  if (bytes.length === 0) return 0;
  if (bytes.length > maxTokens * 16) return Number.POSITIVE_INFINITY;
  return Math.ceil(estimateTokens(stripControls(Buffer.from(bytes).toString())) * 1.15) + 4;
}

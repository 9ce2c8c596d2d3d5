import { READ, type ReadArgs, type ReadResult } from '@jeeves/protocol';
import { type ReadText, readText } from '../exec/read.ts';
import { PathError, type Root } from '../exec/root.ts';
import type { Tool, ToolCall, ToolOutcome } from '../host/tool.ts';
import type { PrunedOutput, Pruner } from '../pruner.ts';
import { block } from './block.ts';
import { deadlineOf, failedOutcome, pruneFor } from './call.ts';
import { countNewlines, fit } from './fit.ts';
import { LARGEST_MAX_OUTPUT_BYTES, type OutputLimits, outputLimits } from './limits.ts';
import { sourceOfFile } from './source.ts';

export interface ReadDependencies {
  readonly root: Root;
  readonly pruner: Pruner;
  readonly now: () => number;
}

/** Reading has no time limit of its own; this stands for it in the deadline of the call. */
const READ_TIMEOUT_MS = 30_000;

export function createRead(dependencies: ReadDependencies): Tool<ReadArgs> {
  return { definition: READ, run: (call) => run(call, dependencies) };
}

async function run(call: ToolCall<ReadArgs>, dependencies: ReadDependencies): Promise<ToolOutcome> {
  const { args, emit } = call;
  const { pruner, now } = dependencies;
  const started = now();
  const elapsed = (): number => Math.max(0, now() - started);
  const limits = outputLimits(call, pruner);
  let read: ReadText;
  try {
    read = await readFile(call, dependencies.root, limits.captured);
  } catch (error) {
    if (!(error instanceof PathError)) throw error;
    const { code, message } = error;
    emit({ event: 'tool.exec_failed', data: { tool: 'read', code, message, duration_ms: elapsed() } });
    return await failedOutcome(call, pruner, { tool: 'read', error: { code, message } });
  }
  const durationMs = elapsed();
  emit({ event: 'tool.exec_ok', data: { tool: 'read', duration_ms: durationMs, bytes: read.bytes } });
  const output = await pruneFor(call, pruner, {
    tool: 'read',
    text: read.text,
    source: sourceOfFile(args.file_path),
    firstLine: read.firstLine,
    deadline: deadlineOf(call, READ_TIMEOUT_MS),
  });
  const shrink = (bytes: number): ToolOutcome => success(args, { read, output, durationMs, limits }, bytes);
  return { ...shrink(limits.shown), shrink };
}

async function readFile({ args, signal }: ToolCall<ReadArgs>, root: Root, maxBytes: number): Promise<ReadText> {
  const handle = await root.openFile(args.file_path);
  try {
    return await readText(handle, { maxBytes, startLine: args.start_line, endLine: args.end_line, signal });
  } catch (error) {
    if (signal.aborted) throw error;
    throw new PathError('io_error', `${args.file_path} cannot be read (${codeOf(error)})`);
  } finally {
    await handle.close();
  }
}

interface Finished {
  readonly read: ReadText;
  readonly output: PrunedOutput;
  readonly durationMs: number;
  readonly limits: OutputLimits;
}

function success(args: ReadArgs, { read, output, durationMs, limits }: Finished, bytes: number): ToolOutcome {
  const fitted = fit(output, bytes, read.firstLine);
  const truncated = read.truncated || fitted.rawCut || fitted.prunedCut !== undefined;
  const structured: ReadResult = {
    tool: 'read',
    file_path: args.file_path,
    encoding: args.encoding,
    content: fitted.structuredText,
    truncated,
    bytes: fitted.pruning.raw_bytes,
    duration_ms: durationMs,
    pruning: fitted.pruning,
  };
  const rawCut = fitted.rawCut
    ? cutNotice(args, read.firstLine, fitted.text, { bytes, byReply: bytes < limits.shown })
    : read.truncated
      ? cutNotice(args, read.firstLine, read.text, { bytes: limits.captured, byReply: false })
      : undefined;
  return {
    text: block(fitted.text, rawCut, fitted.prunedCut, pastEnd(read), fitted.closing),
    structured,
    isError: false,
    mode: fitted.pruning.applied ? 'pruned' : 'raw',
  };
}

interface Cap {
  readonly bytes: number;
  /** It comes from what a reply may hold, not from what the caller may choose. */
  readonly byReply: boolean;
}

/** Says where the text ends and which call goes on from there. */
function cutNotice({ end_line }: ReadArgs, firstLine: number, text: string, { bytes, byReply }: Cap): string {
  const whole = firstLine - 1 + countNewlines(text);
  const until = end_line === undefined ? '' : ` end_line=${end_line}`;
  if (text.endsWith('\n'))
    return `[cut at ${bytes} bytes after line ${whole}; read on with start_line=${whole + 1}${until}]`;
  const line = whole + 1;
  const inside = `cut at ${bytes} bytes inside line ${line}`;
  if (line > firstLine) return `[${inside}; read on with start_line=${line}${until}]`;
  const raising = !byReply && bytes < LARGEST_MAX_OUTPUT_BYTES;
  return raising
    ? `[${inside}; a larger max_output_bytes shows more of it]`
    : `[${inside}; a reply holds no more of it, whatever max_output_bytes says]`;
}

function pastEnd({ text, firstLine, totalLines }: ReadText): string | undefined {
  if (text !== '' || firstLine === 1 || totalLines === undefined) return undefined;
  return `[the file has ${totalLines} ${totalLines === 1 ? 'line' : 'lines'}]`;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
}

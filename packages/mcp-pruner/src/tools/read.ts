import { READ, type ReadArgs, type ReadResult } from '@jeeves/protocol';
import { readText } from '../exec/read.ts';
import { readCapture } from '../exec/read-capture.ts';
import { PathError, type Root } from '../exec/root.ts';
import type { Tool, ToolCall, ToolOutcome } from '../host/tool.ts';
import type { PrunedOutput, Pruner } from '../pruner.ts';
import { block } from './block.ts';
import { deadlineOf, failedOutcome, pruneFor } from './call.ts';
import { forgedLines, forgedNotice } from './forged.ts';
import { LARGEST_MAX_OUTPUT_BYTES, outputLimits } from './limits.ts';
import { countNewlines } from './size.ts';
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
  const { cut, ...budget } = outputLimits(call);
  let read: ReadLines;
  try {
    read = await readFile(call, dependencies.root, cut);
  } catch (error) {
    if (!(error instanceof PathError)) throw error;
    const { code, message } = error;
    emit({ event: 'tool.exec_failed', data: { tool: 'read', code, message, duration_ms: elapsed() } });
    return await failedOutcome(call, pruner, { tool: 'read', error: { code, message } });
  }
  const durationMs = elapsed();
  emit({ event: 'tool.exec_ok', data: { tool: 'read', duration_ms: durationMs, bytes: read.bytes } });
  const source = sourceOfFile(args.file_path);
  const output = await pruneFor(call, pruner, {
    tool: 'read',
    raw: read.raw,
    // Lines of code are copied into edits: they stay as they are, whatever is in them.
    strip: args.context_focus_question !== undefined && source !== 'code',
    source,
    firstLine: read.firstLine,
    budget: { ...budget, aroundTokens: (read.notice === undefined ? 0 : NOTICE_TOKENS) + forgedTokens(read) },
    deadline: deadlineOf(call, READ_TIMEOUT_MS),
  });
  const show = (shown: PrunedOutput): ToolOutcome => success(args, read, shown, durationMs);
  const { fit } = output;
  return { ...show(output), ...(fit !== undefined && { shrink: (bytes: number) => show(fit(bytes)) }) };
}

/** What a notice about a cut takes at most, and one about lines that only look like markers. */
const NOTICE_TOKENS = 40;
const FORGED_TOKENS = 90;

function forgedTokens({ forged }: ReadLines): number {
  return forged.length === 0 ? 0 : FORGED_TOKENS;
}

/** The wanted lines of a file, and what a reader must be told about them. */
interface ReadLines {
  readonly raw: string | Uint8Array;
  readonly bytes: number;
  readonly truncated: boolean;
  readonly firstLine: number;
  readonly notice: string | undefined;
  /** Numbers of lines that only look like markers of ours. */
  readonly forged: readonly number[];
}

async function readFile({ args, signal }: ToolCall<ReadArgs>, root: Root, cut: number | undefined): Promise<ReadLines> {
  const handle = await root.openFile(args.file_path);
  const wanted = { startLine: args.start_line, endLine: args.end_line, signal };
  try {
    if (cut === undefined) {
      const { bytes: raw, ...about } = await readCapture(handle, wanted);
      const forged = forgedLines(raw, about.firstLine);
      return { raw, bytes: raw.length, ...about, notice: pastEnd(raw.length, about), forged };
    }
    const { text: raw, bytes, truncated, firstLine, ...rest } = await readText(handle, { ...wanted, maxBytes: cut });
    const notice = truncated ? cutNotice(args, firstLine, raw, cut) : pastEnd(bytes, { firstLine, ...rest });
    return { raw, bytes, truncated, firstLine, notice, forged: forgedLines(raw, firstLine) };
  } catch (error) {
    if (signal.aborted) throw error;
    throw new PathError('io_error', `${args.file_path} cannot be read (${codeOf(error)})`);
  } finally {
    await handle.close();
  }
}

function success(args: ReadArgs, read: ReadLines, output: PrunedOutput, durationMs: number): ToolOutcome {
  const { text, structuredText, closing } = output;
  const pruning = read.forged.length === 0 ? output.pruning : { ...output.pruning, warnings: ['marker_in_input'] };
  const structured: ReadResult = {
    tool: 'read',
    file_path: args.file_path,
    encoding: args.encoding,
    content: structuredText,
    truncated: read.truncated || output.truncated,
    bytes: pruning.raw_bytes,
    duration_ms: durationMs,
    pruning,
  };
  return {
    text: block(text, read.notice, forgedNotice(read.forged, pruning.prune_id), closing),
    structured,
    isError: false,
    mode: pruning.applied ? 'pruned' : 'raw',
  };
}

/** Says where the text ends that the caller wanted cut, and which call goes on from there. */
function cutNotice({ end_line }: ReadArgs, firstLine: number, text: string, bytes: number): string {
  const whole = firstLine - 1 + countNewlines(text);
  const until = end_line === undefined ? '' : ` end_line=${end_line}`;
  if (text.endsWith('\n'))
    return `[cut at ${bytes} bytes after line ${whole}; read on with start_line=${whole + 1}${until}]`;
  const line = whole + 1;
  const inside = `cut at ${bytes} bytes inside line ${line}`;
  if (line > firstLine) return `[${inside}; read on with start_line=${line}${until}]`;
  return bytes < LARGEST_MAX_OUTPUT_BYTES
    ? `[${inside}; a larger max_output_bytes shows more of it]`
    : `[${inside}; a reply holds no more of it, whatever max_output_bytes says]`;
}

interface Ending {
  readonly firstLine: number;
  readonly totalLines?: number;
}

function pastEnd(bytes: number, { firstLine, totalLines }: Ending): string | undefined {
  if (bytes > 0 || firstLine === 1 || totalLines === undefined) return undefined;
  return `[the file has ${totalLines} ${totalLines === 1 ? 'line' : 'lines'}]`;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
}

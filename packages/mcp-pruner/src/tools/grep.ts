import { isAbsolute, join } from 'node:path';
import { GREP, type GrepArgs, type GrepError, type GrepResult } from '@jeeves/protocol';
import { inherited } from '../exec/environment.ts';
import { bundledRipgrep } from '../exec/program.ts';
import { PathError, type ResolvedPath, type Root } from '../exec/root.ts';
import { SearchError, type SearchResult, search } from '../exec/search.ts';
import type { Tool, ToolCall, ToolOutcome } from '../host/tool.ts';
import type { PrunedOutput, Pruner } from '../pruner.ts';
import { block } from './block.ts';
import { deadlineOf, failedOutcome, pruneFor } from './call.ts';
import { MAX_OUTPUT_BYTES, outputLimits } from './limits.ts';
import { type Listing, listMatches, shownMatches } from './matches.ts';
import { size } from './size.ts';

export interface GrepDependencies {
  readonly root: Root;
  readonly pruner: Pruner;
  /** The server's own; the search program gets a cleaned copy. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

interface Searching extends GrepDependencies {
  readonly ripgrep: string | null;
}

export function createGrep(dependencies: GrepDependencies): Tool<GrepArgs> {
  // Looked up before any command runs: node 20 stops resolving links to packages once it has looked at a pipe.
  const searching = { ...dependencies, ripgrep: bundledRipgrep() };
  return { definition: GREP, run: (call) => run(call, searching) };
}

async function run(call: ToolCall<GrepArgs>, dependencies: Searching): Promise<ToolOutcome> {
  const { args, emit } = call;
  const { pruner } = dependencies;
  const { cut = MAX_OUTPUT_BYTES, ...budget } = outputLimits(call);
  const started = performance.now();
  const elapsed = (): number => Math.round(performance.now() - started);
  let found: Found;
  try {
    found = await find(call, dependencies, cut);
  } catch (error) {
    const problem = problemOf(error);
    report(call, problem, elapsed());
    return await failedOutcome(call, pruner, { tool: 'grep', error: problem });
  }
  const finished: Finished = { ...found, durationMs: elapsed(), captured: cut };
  const { text } = finished.listing;
  emit({ event: 'tool.exec_ok', data: { tool: 'grep', duration_ms: finished.durationMs, bytes: size(text) } });
  const notice = text === '' ? '[no matches]' : limitNotice(args, finished);
  const output = await pruneFor(call, pruner, {
    tool: 'grep',
    raw: text,
    source: 'code',
    onlySentLines: true,
    budget: { ...budget, aroundTokens: notice === undefined ? 0 : NOTICE_TOKENS },
    deadline: deadlineOf(call, args.timeout_ms),
  });
  const show = (shown: PrunedOutput): ToolOutcome => success(args, finished, shown, notice);
  const { fit } = output;
  return { ...show(output), ...(fit !== undefined && { shrink: (bytes: number) => show(fit(bytes)) }) };
}

/** What a notice about the end of a search takes at most. */
const NOTICE_TOKENS = 40;

interface Found {
  readonly result: SearchResult;
  readonly listing: Listing;
  readonly paths: readonly string[];
}

async function find(
  { args, signal }: ToolCall<GrepArgs>,
  { root, environment, ripgrep }: Searching,
  maxOutputBytes: number,
): Promise<Found> {
  const cwd = await root.resolveDirectory(args.cwd ?? '.');
  const wanted = (args.paths ?? [args.path ?? '.']).map((path) => (isAbsolute(path) ? path : join(cwd.relative, path)));
  const paths = await Promise.all(wanted.map((path) => root.resolve(path)));
  const request = {
    pattern: args.pattern,
    paths: paths.map(({ path }) => path),
    cwd: cwd.path,
    root,
    fixedString: args.fixed_string,
    caseSensitive: args.case_sensitive,
    contextLines: args.context_lines,
    maxMatches: args.max_matches,
    maxOutputBytes,
    timeoutMs: args.timeout_ms,
    signal,
    env: inherited(environment),
  };
  const result = await search(request, { bundled: () => ripgrep });
  return { result, listing: listMatches(result.matches), paths: paths.map(relativeOf) };
}

function relativeOf({ relative }: ResolvedPath): string {
  return relative;
}

interface Finished extends Found {
  readonly durationMs: number;
  readonly captured: number;
}

function success(args: GrepArgs, finished: Finished, output: PrunedOutput, notice: string | undefined): ToolOutcome {
  const { result, listing, paths, durationMs } = finished;
  const { pruning } = output;
  const structured: GrepResult = {
    tool: 'grep',
    pattern: args.pattern,
    paths,
    matches: shownMatches(listing, output),
    match_count: listing.matches.length,
    truncated: result.truncated || output.truncated,
    duration_ms: durationMs,
    pruning,
  };
  return {
    text: block(output.text, notice, output.closing),
    structured,
    isError: false,
    mode: pruning.applied ? 'pruned' : 'raw',
  };
}

/** Why a search ended early, and what to change in the next one. */
function limitNotice(args: GrepArgs, { result, captured }: Finished): string | undefined {
  if (!result.truncated) return undefined;
  if (result.exitCode !== null && result.exitCode > 1) return '[some files could not be searched]';
  if (result.matches.length >= args.max_matches) {
    return `[stopped at ${args.max_matches} matches; narrow pattern or path, or raise max_matches]`;
  }
  return result.exitCode === null
    ? `[stopped at ${captured} bytes of text; narrow pattern or path, or raise max_output_bytes]`
    : '[lines that are too long, or changed during the search, are left out]';
}

type Problem = GrepError['error'];

function problemOf(error: unknown): Problem {
  // Whatever is wrong with a path or the working directory, this tool has one word for it.
  if (error instanceof PathError) return { code: 'invalid_path', message: error.message };
  if (!(error instanceof SearchError)) throw error;
  const { code, message, exitCode } = error;
  return { code, message, ...(exitCode !== null && { exit_code: exitCode }) };
}

function report({ args, emit }: ToolCall<GrepArgs>, error: Problem, duration_ms: number): void {
  if (error.code === 'timeout') {
    emit({ event: 'tool.exec_timeout', data: { tool: 'grep', timeout_ms: args.timeout_ms } });
  }
  // The program's own words can be long and quote the pattern.
  const message = error.message.slice(0, 200);
  emit({ event: 'tool.exec_failed', data: { tool: 'grep', ...error, message, duration_ms } });
}

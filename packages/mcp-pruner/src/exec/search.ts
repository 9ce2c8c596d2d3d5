import { stat } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { createCollector, type Match } from './collect.ts';
import { type Operands, SearchError, type SearchRequest } from './engine.ts';
import { searchWithGrep } from './grep.ts';
import { ProcessError } from './launch.ts';
import { bundledRipgrep, findProgram } from './program.ts';
import { searchWithRipgrep } from './ripgrep.ts';
import { PathError } from './root.ts';
import { verifyMatches } from './verify.ts';

export type { Match } from './collect.ts';
export { SearchError, type SearchRequest } from './engine.ts';

export interface SearchResult {
  /** By path, then by line. */
  readonly matches: readonly Match[];
  /** A limit was reached, or something could not be read. */
  readonly truncated: boolean;
  readonly engine: 'rg' | 'grep';
  /** Null when the search was ended at a limit. */
  readonly exitCode: number | null;
}

export interface SearchOptions {
  /** Finds a ripgrep for when there is none on the path. */
  readonly bundled?: () => string | null;
}

/**
 * Searches with the first program that can be started: `rg` of the path, the one installed along, `grep`. Rejects with
 * a SearchError, with a PathError for a path that is neither file nor directory, or with the reason of an abort.
 */
export async function search(
  request: SearchRequest,
  { bundled = bundledRipgrep }: SearchOptions = {},
): Promise<SearchResult> {
  const deadline = performance.now() + request.timeoutMs;
  const operands = await sortOperands(request.paths);
  const engines = [
    { engine: 'rg', program: () => findProgram('rg', request.env) },
    { engine: 'rg', program: bundled },
    { engine: 'grep', program: () => findProgram('grep', request.env) },
  ] as const;
  for (const { engine, program } of engines) {
    const found = await program();
    if (found === null) continue;
    try {
      const result = await searchWith(engine, found, request, operands);
      return await verified(result, request, deadline);
    } catch (error) {
      if (!(error instanceof ProcessError)) throw error;
    }
  }
  throw new SearchError('spawn_error', 'neither rg nor grep can be started');
}

async function searchWith(
  engine: SearchResult['engine'],
  program: string,
  request: SearchRequest,
  operands: Operands,
): Promise<SearchResult> {
  const collector = createCollector(request);
  const searchIn = engine === 'rg' ? searchWithRipgrep : searchWithGrep;
  const { exitCode, stderr } = await searchIn(program, request, operands, collector);
  const failed = exitCode !== null && exitCode > 1;
  if (failed && collector.matches.length === 0) {
    throw new SearchError('rg_error', stderr.trim() || 'some files could not be read', exitCode);
  }
  const matches = collector.matches
    .map((match) => ({ ...match, path: relative(request.root.path, match.path) }))
    .sort((a, b) => byPath(a.path, b.path) || a.line - b.line);
  return { matches, truncated: collector.truncated || failed, engine, exitCode };
}

/** A result without what cannot be found in the files themselves. */
async function verified(result: SearchResult, request: SearchRequest, deadline: number): Promise<SearchResult> {
  const check = (): void => {
    request.signal.throwIfAborted();
    if (performance.now() < deadline) return;
    throw new SearchError('timeout', `the search took longer than ${Math.round(request.timeoutMs)} ms`);
  };
  const matches = await verifyMatches(result.matches, { root: request.root, check });
  return { ...result, matches, truncated: result.truncated || matches.length < result.matches.length };
}

async function sortOperands(paths: readonly string[]): Promise<Operands> {
  const [files, directories]: [string[], string[]] = [[], []];
  for (const path of [...new Set(paths)].sort(byPath)) {
    const stats = await stat(path).catch(() => null);
    if (stats === null) throw new PathError('not_found', `${path} does not exist`);
    // Named, even ripgrep would wait for a writer of a FIFO.
    if (!stats.isFile() && !stats.isDirectory()) {
      throw new PathError('invalid_path', `${path} is neither a file nor a directory`);
    }
    (stats.isFile() ? files : directories).push(path);
  }
  return { files, directories };
}

/** Segment by segment, as a walk over sorted directories goes: `a/x` before `a-b/x`. */
function byPath(one: string, other: string): number {
  const [a, b] = [one.replaceAll(sep, '\0'), other.replaceAll(sep, '\0')];
  return a < b ? -1 : Number(a > b);
}

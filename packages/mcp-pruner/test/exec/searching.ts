import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { inherited } from '../../src/exec/environment.ts';
import { bundledRipgrep, findProgram } from '../../src/exec/program.ts';
import { openRoot } from '../../src/exec/root.ts';
import { type SearchOptions, type SearchRequest, type SearchResult, search } from '../../src/exec/search.ts';

export type Engine = 'rg' | 'grep';
export type Overrides = Partial<Omit<SearchRequest, 'root'>> & { readonly root?: string };

/** Searches a directory with one program and no other, whichever the machine has. */
export interface Searcher {
  (engine: Engine, pattern: string, overrides?: Overrides): Promise<SearchResult>;
  /** `path:line:column:text` of every match. */
  lines(engine: Engine, pattern: string, overrides?: Overrides): Promise<string[]>;
}

/** Programs are linked into a directory of their own, which becomes the whole path. */
export async function createSearcher(root: string, programs: string): Promise<Searcher> {
  mkdirSync(programs, { recursive: true });
  const options: Record<Engine, SearchOptions> = { rg: {}, grep: { bundled: () => null } };
  const paths: Record<Engine, string> = { rg: '', grep: join(programs, 'grep') };
  for (const engine of ['rg', 'grep'] as const) {
    const program = (await findProgram(engine, inherited(process.env))) ?? (engine === 'rg' ? bundledRipgrep() : null);
    paths[engine] = join(programs, engine);
    mkdirSync(paths[engine], { recursive: true });
    symlinkSync(program ?? `/nowhere/${engine}`, join(paths[engine], engine));
  }
  const run = async (
    engine: Engine,
    pattern: string,
    { root: directory = root, ...overrides }: Overrides = {},
  ): Promise<SearchResult> => {
    const request = await requestFor(directory, pattern, paths[engine]);
    return search({ ...request, paths: [root], cwd: root, ...overrides }, options[engine]);
  };
  return Object.assign(run, {
    lines: async (engine: Engine, pattern: string, overrides: Overrides = {}): Promise<string[]> =>
      (await run(engine, pattern, overrides)).matches.map(
        ({ path, line, column, text }) => `${path}:${line}:${column}:${text}`,
      ),
  });
}

export async function requestFor(root: string, pattern: string, path: string): Promise<SearchRequest> {
  return {
    pattern,
    paths: [root],
    cwd: root,
    root: await openRoot(root),
    fixedString: false,
    caseSensitive: true,
    contextLines: 0,
    maxMatches: 500,
    maxOutputBytes: 1 << 20,
    timeoutMs: 10_000,
    signal: new AbortController().signal,
    env: { PATH: path },
  };
}

import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { callFacts } from '@jeeves/protocol';
import { runInGroup } from '../../processGroup.ts';

export interface OwnResult {
  readonly text: string;
  readonly isError: boolean;
}

export interface OwnCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly cwd: string;
  readonly abort: AbortSignal;
}

const TIMEOUT_MS = 60_000;

/** The tools an agent brings along: nothing is pruned, nothing is confined. */
export async function callOwnTool({ tool, args, cwd, abort }: OwnCall): Promise<OwnResult> {
  const { kind, target = '' } = callFacts(tool, args);
  if (kind === 'file') return await readWhole(resolve(cwd, target));
  if (kind === 'command') return await execute('bash', ['-c', target], { cwd, abort });
  if (kind !== 'search') return { text: `there is no tool named ${tool}`, isError: true };
  const [pattern, paths] = JSON.parse(target) as [string, string | string[]];
  return await execute('grep', ['-rnE', '--', pattern, ...[paths].flat()], { cwd, abort });
}

async function readWhole(path: string): Promise<OwnResult> {
  try {
    return { text: await readFile(path, 'utf8'), isError: false };
  } catch (error) {
    return { text: error instanceof Error ? error.message : String(error), isError: true };
  }
}

async function execute(
  file: string,
  args: readonly string[],
  { cwd, abort }: Pick<OwnCall, 'cwd' | 'abort'>,
): Promise<OwnResult> {
  const ending = AbortSignal.any([abort, AbortSignal.timeout(TIMEOUT_MS)]);
  const { code, stdout, stderr } = await runInGroup({ file, args, cwd, abort: ending });
  const text = [stdout, stderr, code === 0 ? '' : `[exit code ${String(code)}]`].filter((part) => part !== '');
  return { text: text.join('\n'), isError: code !== 0 && !(file === 'grep' && code === 1) };
}

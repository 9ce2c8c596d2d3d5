import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundledRipgrep, findProgram } from '../../packages/mcp-pruner/src/exec/program.ts';
import { sampleText } from '../latency/texts.ts';
import { type Child, median, SERVER, start, timeHandshake, timeProgram } from './child.ts';

/** Two ways to do the same, in milliseconds. */
export interface Pair {
  readonly ours: number;
  readonly bare: number;
}

const BARE_INITIALIZE = fileURLToPath(new URL('bare-initialize.mjs', import.meta.url));
const BARE_READ = fileURLToPath(new URL('bare-read.mjs', import.meta.url));
const OTHER_SERVER = '@modelcontextprotocol/server-filesystem';
const FILES = 100_000;
const FILES_PER_DIRECTORY = 500;

// Absolute times of a busy machine wander, so what is compared takes turns.

/** From the spawn to the reply to `initialize`: ours, a bare script, and another file server. */
export async function measureStart(directory: string): Promise<Pair & { readonly other: number }> {
  const times: Record<'ours' | 'bare' | 'other', number[]> = { ours: [], bare: [], other: [] };
  const filesystem = join(dirname(SERVER), '..', 'node_modules', ...OTHER_SERVER.split('/'), 'dist', 'index.js');
  for (let round = 0; round < 16; round += 1) {
    const ours = await timeHandshake([SERVER], directory);
    const bare = await timeHandshake([BARE_INITIALIZE], directory);
    const other = await timeHandshake([filesystem, directory], directory);
    // The first round warms the disk's cache.
    if (round > 0) for (const [name, ms] of Object.entries({ ours, bare, other })) times[name as 'ours'].push(ms);
  }
  return { ours: median(times.ours), bare: median(times.bare), other: median(times.other) };
}

/** A raw `read` of 1 MB, warm. */
export async function measureRead(directory: string): Promise<Pair> {
  const path = join(directory, 'megabyte.txt');
  writeFileSync(path, sampleText('code', 40_000).slice(0, 1_000_000));
  const server = start([SERVER], directory, serverEnv(directory));
  const bare = start([BARE_READ], directory);
  const call = (id: number): object => toolCall(id, 'read', { file_path: path });
  const pair = await inTurns(
    60,
    10,
    () => server.time(call(1)),
    () => bare.time(call(1)),
  );
  await Promise.all([server.stop(), bare.stop()]);
  return pair;
}

/** A `grep` over many small files, beside the same ripgrep command line. */
export async function measureGrep(directory: string): Promise<Pair> {
  const tree = join(directory, 'tree');
  makeTree(tree);
  const program = (await findProgram('rg', { PATH: String(process.env.PATH) })) ?? bundledRipgrep();
  if (program === null) throw new Error('there is no ripgrep to compare with');
  const pattern = 'needle_[0-9]+';
  const server = start([SERVER], tree, { ...serverEnv(directory), MCP_PRUNER_CWD: tree });
  const args = ['--no-config', '--json', '--sort', 'path', '-e', pattern, '--', tree];
  const call = toolCall(1, 'grep', { pattern, max_matches: 5000 });
  const pair = await inTurns(
    7,
    1,
    () => server.time(call),
    async () => ({ ms: await timeProgram(program, args, tree), bytes: 0 }),
  );
  await server.stop();
  return pair;
}

/** A `read` of 2,000 lines with a question, beside the same without one. */
export async function measurePruning(directory: string): Promise<Pair> {
  const path = join(directory, 'code.txt');
  writeFileSync(path, sampleText('code', 2_000));
  const server = start([SERVER], directory, serverEnv(directory));
  let asked = 0;
  const pruned = (): object => {
    asked += 1;
    const context_focus_question = `Where is the timeout number ${asked} read, and what is its default?`;
    return toolCall(asked, 'read', { file_path: path, context_focus_question });
  };
  const pair = await inTurns(
    40,
    10,
    () => server.time(pruned()),
    () => server.time(toolCall(1, 'read', { file_path: path })),
  );
  await server.stop();
  return pair;
}

type Timed = ReturnType<Child['time']>;

async function inTurns(rounds: number, warmUp: number, ours: () => Timed, bare: () => Timed): Promise<Pair> {
  const times = { ours: [] as number[], bare: [] as number[] };
  for (let round = 0; round < rounds + warmUp; round += 1) {
    const [one, other] = [(await ours()).ms, (await bare()).ms];
    if (round < warmUp) continue;
    times.ours.push(one);
    times.bare.push(other);
  }
  return { ours: median(times.ours), bare: median(times.bare) };
}

function serverEnv(directory: string): Record<string, string> {
  return { MCP_PRUNER_CWD: directory, PRUNER_URL: 'embedded:', JEEVES_STORE: `sqlite:${join(directory, 'jeeves.db')}` };
}

function toolCall(id: number, name: string, args: object): object {
  return { id, method: 'tools/call', params: { name, arguments: args } };
}

function makeTree(tree: string): void {
  for (let file = 0; file < FILES; file += 1) {
    const directory = join(tree, `d${Math.floor(file / FILES_PER_DIRECTORY)}`);
    if (file % FILES_PER_DIRECTORY === 0) mkdirSync(directory, { recursive: true });
    const line = file % 100 === 0 ? `const needle_${file} = ${file};\n` : `const plain${file} = ${file};\n`;
    writeFileSync(join(directory, `f${file}.ts`), `export {};\n${line}`);
  }
}

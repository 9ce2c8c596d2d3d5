// Kills the real clients in the middle of a call, fifty times each, and looks for what they leave behind. After
// `npm run test:agents`, which installs them: `npx tsx --conditions=@jeeves/source bench/agents.ts [times]`.
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { CLAUDE, type Client, CODEX } from '../test/agents/client.ts';
import { killHard, LEFT_MS, startBusyWorld } from '../test/agents/hard.ts';
import { until } from '../test/agents/processes.ts';

const RESULTS = new URL('results/', import.meta.url);
const times = Number(process.argv[2] ?? 50);

const rows = [await measure(CLAUDE), await measure(CODEX)];
const table = [
  '# What a client that is killed leaves behind',
  '',
  `Runner and client are killed with SIGKILL in the middle of a command; its server and that command must be gone`,
  `within ${LEFT_MS / 1000} s. Node ${process.versions.node}, ${availableParallelism()} cores.`,
  '',
  '| client | killed | nothing left | slowest |',
  '|---|---|---|---|',
  ...rows.map(({ name, clean, slowest }) => `| ${name} | ${times} | ${clean} | ${(slowest / 1000).toFixed(1)} s |`),
  '',
].join('\n');
process.stdout.write(table);
mkdirSync(RESULTS, { recursive: true });
writeFileSync(new URL('agents.md', RESULTS), table);
process.exitCode = rows.every(({ clean }) => clean === times) ? 0 : 1;

interface Row {
  readonly name: string;
  readonly clean: number;
  /** Milliseconds. */
  readonly slowest: number;
}

async function measure(client: Client): Promise<Row> {
  let clean = 0;
  let slowest = 0;
  for (let time = 0; time < times; time += 1) {
    const world = await startBusyWorld(client);
    killHard(world, client);
    const started = performance.now();
    try {
      await until(() => world.processes().length === 0, LEFT_MS);
      clean += 1;
    } catch {
      process.stderr.write(`${client.provider} ${time}: ${JSON.stringify(world.processes())}\n`);
    }
    slowest = Math.max(slowest, performance.now() - started);
    await world.remove();
  }
  return { name: client.provider, clean, slowest };
}

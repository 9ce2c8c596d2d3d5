// What the server costs beside bare programs that do the same work, all in one run. `npm run bench:server` after
// `npm run build`; exit code 1 when a limit is missed.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureGrep, measurePruning, measureRead, measureStart } from './server/measure.ts';
import { type Check, toMarkdown, toTerminal } from './server/report.ts';

const RESULTS = new URL('results/', import.meta.url);
const directory = mkdtempSync(join(tmpdir(), 'jeeves-bench-'));

try {
  const checks = await measureAll();
  const machine = `Node ${process.versions.node}, ${availableParallelism()} cores, load average ${loadavg()[0]?.toFixed(1)}`;
  process.stdout.write(toTerminal(checks));
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(new URL('server.md', RESULTS), toMarkdown(checks, machine));
  process.exitCode = checks.every(({ held }) => held) ? 0 : 1;
} finally {
  rmSync(directory, { recursive: true, force: true });
}

async function measureAll(): Promise<Check[]> {
  progress('start-up');
  const start = await measureStart(directory);
  progress('read');
  const read = await measureRead(directory);
  progress('pruned read');
  const pruning = await measurePruning(directory);
  progress('grep');
  const grep = await measureGrep(directory);
  return [
    ratio('spawn to initialize reply, over a bare script', start, 1.7),
    {
      ...ratio('the same, over server-filesystem', { ours: start.ours, bare: start.other }, 1),
      held: start.ours < start.other,
    },
    ratio('raw read of 1 MB, over a bare reader', read, 1.3),
    ratio('grep of 100,000 files, over the same ripgrep command', grep, 1.3),
    difference('pruned read of 2,000 lines, over raw', pruning, 25),
  ];
}

function ratio(name: string, { ours, bare }: { ours: number; bare: number }, limit: number): Check {
  const value = ours / bare;
  return { name, ours, bare, measured: `${value.toFixed(2)} ×`, limit: `${limit} ×`, held: value <= limit };
}

function difference(name: string, { ours, bare }: { ours: number; bare: number }, limit: number): Check {
  const value = ours - bare;
  return { name, ours, bare, measured: `${value.toFixed(1)} ms`, limit: `${limit} ms`, held: value <= limit };
}

function progress(what: string): void {
  process.stderr.write(`${what} …\n`);
}

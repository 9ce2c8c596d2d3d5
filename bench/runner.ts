// How runs end: `jeeves run` is killed hard in the middle of a call, over and over, and nothing of it may be left.
// `npm run build`, then `tsx --conditions=@jeeves/source bench/runner.ts`; exit code 1 when a limit is missed.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../packages/cli/dist/cli.js', import.meta.url));
const RESULTS = new URL('results/', import.meta.url);
const KILLS = 50;
const STARTS = 20;
const LIMIT_MS = 5000;

const home = mkdtempSync(join(tmpdir(), 'jeeves-bench-'));
try {
  const kills = await killAll();
  const starts = await startAll();
  const clean = kills.filter((ms) => ms <= LIMIT_MS).length;
  const rows = [
    ['runs killed with SIGKILL in the middle of a call', String(KILLS), ''],
    ['nothing left after 5 s', `${clean} of ${KILLS}`, `${KILLS} of ${KILLS}`],
    ['nothing left after, p50 / max', `${quantile(kills, 0.5)} / ${quantile(kills, 1)} ms`, ''],
    [
      '`jeeves run --provider fake`, p50 / p95',
      `${quantile(starts, 0.5)} / ${quantile(starts, 0.95)} ms`,
      '< 1,000 ms',
    ],
  ];
  const machine = `Node ${process.versions.node}, ${availableParallelism()} cores, load average ${loadavg()[0]?.toFixed(1)}`;
  const table = ['| | measured | limit |', '|---|---:|---:|', ...rows.map((row) => `| ${row.join(' | ')} |`)];
  const page = ['# How runs end', '', `${machine}. \`bench/runner.ts\`.`, '', ...table, ''].join('\n');
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(new URL('runner.md', RESULTS), page);
  process.stdout.write(page);
  process.exitCode = clean === KILLS && quantile(starts, 0.5) < 1000 ? 0 : 1;
} finally {
  rmSync(home, { recursive: true, force: true });
}

/** How long after each kill the last process was gone; infinite when it never was. */
async function killAll(): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < KILLS; round += 1) {
    const mark = `700.${process.pid}${String(round).padStart(3, '0')}`;
    const script = join(home, `${round}.yaml`);
    writeFileSync(script, `steps: [{ call: bash, with: { command: "sleep ${mark}", timeout_ms: 300000 } }]\n`);
    const directory = join(home, `run-${round}`);
    const child = start(['--script', script, '--run-dir', directory]);
    await until(() => processesWhose('cmdline', `sleep\0${mark}`).length > 0, 20_000);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const killed = performance.now();
    const gone = await until(
      () => processesWhose('environ', directory).length + processesWhose('cmdline', mark).length === 0,
      4 * LIMIT_MS,
    );
    times.push(gone ? performance.now() - killed : Number.POSITIVE_INFINITY);
  }
  return times;
}

async function startAll(): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < STARTS; round += 1) {
    const started = performance.now();
    await once(start([]), 'exit');
    times.push(performance.now() - started);
  }
  return times;
}

function start(args: readonly string[]): ChildProcess {
  const env = { PATH: process.env['PATH'], HOME: home, MCP_PRUNER_SHELL_LOGIN: '0' };
  const command = [PROGRAM, 'run', '--provider', 'fake', '--prompt', 'go', ...args];
  return spawn(process.execPath, command, { cwd: home, env, stdio: 'ignore' });
}

async function until(holds: () => boolean, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (!holds()) {
    if (performance.now() > deadline) return false;
    await delay(20);
  }
  return true;
}

function processesWhose(file: 'environ' | 'cmdline', text: string): readonly string[] {
  return readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && procFile(pid, file).includes(text));
}

function procFile(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0);
}

// The HTTP service under load, beside a bare handler. `npm run bench:http` after `npm run build`; `--short` for a first
// look; exit code 1 when a limit is missed.
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import {
  measureChanging,
  measureLarge,
  measureMemory,
  measureOverload,
  measureThroughput,
  type Throughput,
} from './http/measure.ts';
import { type Check, toMarkdown, toTerminal } from './http/report.ts';

const RESULTS = new URL('results/', import.meta.url);
const short = process.argv.includes('--short');

const checks = await measureAll(short ? { seconds: 6, requests: 4000 } : { seconds: 30, requests: 200_000 });
process.stdout.write(toTerminal(checks));
if (!short) {
  const machine = `Node ${process.versions.node}, ${availableParallelism()} cores, load average ${loadavg()[0]?.toFixed(1)}`;
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(new URL('http.md', RESULTS), toMarkdown(checks, machine));
}
process.exitCode = checks.every(({ held }) => held !== false) ? 0 : 1;

async function measureAll({ seconds, requests }: { seconds: number; requests: number }): Promise<Check[]> {
  progress('throughput');
  const { ours, bare } = await measureThroughput(seconds);
  progress('texts that change');
  const changing = await measureChanging(seconds / 2);
  progress('large texts');
  const large = await measureLarge(seconds / 3);
  progress('memory');
  const memory = await measureMemory(requests);
  progress('overload');
  const over = await measureOverload(ours.perSecond, seconds / 3);
  return [
    {
      name: 'answers of 4 KB at 32 connections, per second, over the bare handler',
      measured: ratioOf({ ours, bare }),
      limit: '≥ 0.5 ×',
      held: ours.perSecond >= 0.5 * bare.perSecond,
    },
    { name: 'the same with a text that changes with each request', measured: ratioOf(changing), limit: '' },
    atMost('requests among them that failed', ours.errors + ours.shed, 0, ''),
    atMost('100 KB: 99th percentile over the median', large.p99 / large.p50, 20, '×'),
    atMost(`memory per 10,000 of ${requests} requests`, memory.slope, 1, 'MB'),
    atMost('requests among them that failed', memory.errors, 0, ''),
    {
      name: 'four times too many: turned away, and nothing lost',
      measured: `${over.outcome.shed} turned away, ${over.outcome.errors} lost, ${over.outcome.ok} answered`,
      limit: 'some, none',
      held: over.outcome.shed > 0 && over.outcome.errors === 0,
    },
    atMost('meanwhile the slowest `/health`', over.slowestHealth, 500, 'ms'),
    atMost('and back to speed after', over.recoveredMs, 5000, 'ms'),
  ];
}

function ratioOf({ ours, bare }: Throughput): string {
  const [mine, other] = [ours.perSecond, bare.perSecond];
  return `${mine.toFixed(0)} of ${other.toFixed(0)} (${(mine / other).toFixed(2)} ×)`;
}

function atMost(name: string, value: number, limit: number, unit: string): Check {
  const shown = Number.isInteger(value) ? String(value) : value.toFixed(2);
  return { name, measured: `${shown} ${unit}`.trim(), limit: `≤ ${limit} ${unit}`.trim(), held: value <= limit };
}

function progress(what: string): void {
  process.stderr.write(`${what} …\n`);
}

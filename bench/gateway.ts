// What a forwarded call costs, beside calling the server directly and beside mcp-proxy, and what faulty servers cost the
// healthy ones: all in one run. `npm run bench:gateway` after `npm run build`; exit code 1 when a limit is missed.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Isolation, measureIsolation, measureOverhead, type Times, type Way } from './gateway/measure.ts';
import { type Check, toMarkdown, toTerminal } from './gateway/report.ts';

const RESULTS = new URL('results/', import.meta.url);
const directory = mkdtempSync(join(tmpdir(), 'jeeves-bench-'));

try {
  process.stderr.write('overhead …\n');
  const times = await measureOverhead(directory);
  process.stderr.write('isolation …\n');
  const checks = [...overheadChecks(times), ...isolationChecks(await measureIsolation(directory))];
  const machine = `Node ${process.versions.node}, ${availableParallelism()} cores, load average ${loadavg()[0]?.toFixed(1)}`;
  process.stdout.write(toTerminal(checks));
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(new URL('gateway.md', RESULTS), toMarkdown(checks, machine));
  process.exitCode = checks.every(({ held }) => held) ? 0 : 1;
} finally {
  rmSync(directory, { recursive: true, force: true });
}

function overheadChecks({ direct, gateway, passthrough, gatewayHttp, proxyHttp }: Record<Way, Times>): Check[] {
  const added = (name: string, ours: Times): Check => {
    const value = ours.p50 - direct.p50;
    const measured = `+${value.toFixed(2)} ms`;
    return { name, ours: ms(ours.p50), beside: ms(direct.p50), measured, limit: '1 ms', held: value <= 1 };
  };
  const ratio = gatewayHttp.p50 / proxyHttp.p50;
  return [
    added('automatic_eval over stdio, p50, beside the server itself', gateway),
    added('a tool in passthrough, p50, beside the server itself', passthrough),
    {
      name: 'automatic_eval over HTTP, p50, beside mcp-proxy',
      ours: ms(gatewayHttp.p50),
      beside: ms(proxyHttp.p50),
      measured: `${ratio.toFixed(2)} ×`,
      limit: '1 ×',
      held: ratio <= 1,
    },
  ];
}

function isolationChecks({ alone, beside, asked, answered }: Isolation): Check[] {
  const ratio = beside.p99 / alone.p99;
  return [
    {
      name: 'calls of healthy servers that were answered',
      ours: String(answered),
      beside: String(asked),
      measured: `${((100 * answered) / asked).toFixed(2)} %`,
      limit: '100 %',
      held: answered === asked,
    },
    {
      name: 'healthy servers beside faulty ones, p99',
      ours: ms(beside.p99),
      beside: ms(alone.p99),
      measured: `${ratio.toFixed(2)} ×`,
      limit: '1.2 ×',
      held: ratio <= 1.2,
    },
  ];
}

function ms(value: number): string {
  return `${value.toFixed(2)} ms`;
}

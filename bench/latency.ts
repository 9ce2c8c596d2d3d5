// How long the decision takes (split → protect → judge → select, token counting apart), beside a bare pass that splits
// the same text and matches its words, in the same run. `npm run bench:latency`; exit code 1 when a limit is missed.
import { mkdirSync, writeFileSync } from 'node:fs';
import { type Check, checkLimits } from './latency/limits.ts';
import { type Measurement, measure, measureMemory, measureSingleLine } from './latency/measure.ts';
import { toMarkdown, toTerminal } from './latency/report.ts';
import { sampleText } from './latency/texts.ts';

const SIZES = [1_000, 2_000, 10_000, 100_000] as const;
const SOURCES = ['code', 'logs', 'docs'] as const;
const RESULTS = new URL('results/', import.meta.url);

const rows: Measurement[] = [];
for (const source of SOURCES) {
  for (const size of SIZES) {
    process.stderr.write(`${source} ${size} lines …\n`);
    rows.push(await measure(source, sampleText(source, size)));
  }
}
const memory = await measureMemory(sampleText('code', 100_000));
const singleLineMs = await measureSingleLine(10_000_000);
const checks: Check[] = checkLimits({ rows, memory, singleLineMs });
process.stdout.write(toTerminal(rows, checks));
mkdirSync(RESULTS, { recursive: true });
writeFileSync(new URL('latency.md', RESULTS), toMarkdown(rows, checks));
process.exitCode = checks.every((check) => check.held) ? 0 : 1;

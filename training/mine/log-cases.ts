import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { MinedCase, Split } from './case.ts';
import { gccLog, javacLog, rustcLog, tscLog } from './logs/compilers.ts';
import { toLogCase } from './logs/log-text.ts';
import { familiesOfServices, serviceLog } from './logs/services.ts';
import { nodeTestLog, type ToolLog, unittestLog } from './logs/test-runners.ts';
import { type Random, seededRandom } from './random.ts';
import { LIMITS } from './rules.ts';

interface Family {
  readonly name: string;
  readonly count: number;
  readonly make: (random: Random) => ToolLog | undefined;
}

const TSC = resolve('node_modules/.bin/tsc');

/** Training and test logs come from different tools, services and kinds of failure. */
const TOOLS: Readonly<Record<Split, readonly Family[]>> = {
  train: [
    { name: 'gcc', count: 40, make: gccLog },
    { name: 'unittest', count: 40, make: unittestLog },
    { name: 'rustc', count: 30, make: rustcLog },
    { name: 'tsc', count: 30, make: (random) => (existsSync(TSC) ? tscLog(random, TSC) : undefined) },
  ],
  test: [
    { name: 'node-test', count: 40, make: nodeTestLog },
    { name: 'javac', count: 20, make: javacLog },
  ],
};
const SERVICE_COUNTS: Readonly<Record<Split, number>> = { train: 50, test: 40 };

/** A tool's or service's output and a goal → the error lines and the evidence next to them. */
export function makeLogCases(): Record<Split, MinedCase[]> {
  return { train: casesOf('train'), test: casesOf('test') };
}

function casesOf(split: Split): MinedCase[] {
  const services = familiesOfServices(split).map((name): Family => {
    return { name, count: SERVICE_COUNTS[split], make: (random) => serviceLog(split, name, random) };
  });
  const cases: MinedCase[] = [];
  for (const { name, count, make } of [...TOOLS[split], ...services]) {
    for (let number = 0; number < count; number += 1) {
      const log = make(seededRandom(`logs ${split} ${name} ${number}`));
      if (log === undefined || log.lines.length < LIMITS.minLogLines) continue;
      const made = toLogCase({ family: name, split, number, ...log });
      const share = made.gold.length / log.lines.length;
      if (share > 0 && share <= LIMITS.maxPassageShare) cases.push(made);
    }
  }
  return cases;
}

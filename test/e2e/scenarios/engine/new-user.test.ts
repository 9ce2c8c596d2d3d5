import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sharedTokenCounter } from '@jeeves/engine/tokens';
import { describe, expect } from 'vitest';
import { verifies } from '../../verifies.ts';
import { numberedLines, world } from './world.ts';

const ROOT = new URL('../../../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');

const DMESG = `${numberedLines(60, (line) => `[    0.${100_000 + line}] ACPI: table ${line} found at 0x${line}000`)}[    0.256937] Memory: 16214268K/16777216K available (18466K kernel code, 2544K rwdata)
${numberedLines(300, (line) => `[    1.${100_000 + line}] usb ${line}-1: new high-speed device number ${line}`)}`;
const CSV = `order_id,customer,status,total\n${numberedLines(5000, (line) => `${line},customer ${line % 71},${line === 3217 ? 'refunded' : 'paid'},${(line * 37) % 997}`)}`;
const helper = (line: number): string =>
  `def helper_${line}(value):\n    result = value + ${line}\n    log(result)\n    store(result)\n    return result\n`;
const PYTHON = `import os\n\n${numberedLines(40, helper)}\ndef price(order, tier):\n    total = sum(line.amount for line in order.lines)\n    if order.country not in SUPPORTED:\n        return None\n    return total\n\n${numberedLines(40, (line) => helper(line + 40))}`;

async function shown(
  text: string,
  goal: string,
): Promise<{ text: string; tokens: number; warnings: readonly string[] }> {
  const countTokens = await sharedTokenCounter();
  const { text: kept, warnings } = await world({ countTokens, exactTokens: sharedTokenCounter }).prune({ text, goal });
  return { text: kept, tokens: countTokens(kept).tokens, warnings };
}

/** A real run of a real test runner, with two files that fail. */
function vitestRun(): string {
  const folder = mkdtempSync(join(tmpdir(), 'jeeves-run-'));
  try {
    for (let file = 0; file < 12; file += 1) {
      const tests = Array.from(
        { length: 25 },
        (_, at) => `  it('adds ${at}', () => { expect(${at} + 1).toBe(${at + 1}); });`,
      );
      if (file === 4) tests.push("  it('rounds half cents up', () => { expect(0.1 + 0.2).toBe(0.3); });");
      if (file === 9)
        tests.push("  it('knows the platinum tier', () => { throw new RangeError('no such tier: platinum'); });");
      writeFileSync(
        join(folder, `part${file}.test.js`),
        `describe('part ${file}', () => {\n${tests.join('\n')}\n});\n`,
      );
    }
    const program = fileURLToPath(new URL('node_modules/vitest/vitest.mjs', ROOT));
    const args = [program, 'run', '--globals', '--root', folder, '--reporter', 'verbose', '--no-color'];
    const { stdout, stderr } = spawnSync(process.execPath, args, {
      encoding: 'utf8',
      cwd: folder,
      env: { ...process.env, CI: '1', NO_COLOR: '1' },
    });
    return `${stdout}${stderr}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe('a new user asks', () => {
  verifies(['worth.new-user', 'worth.tables'], '`ps aux` which process uses the most memory', async () => {
    const table = read('test/corpus/texts/logs/ps-table.txt');
    const [header = '', ...rows] = table.trimEnd().split('\n');
    const column = header.trim().split(/\s+/).indexOf('RSS');
    const largest = rows.toSorted(
      (a, b) => Number(b.trim().split(/\s+/)[column]) - Number(a.trim().split(/\s+/)[column]),
    )[0];
    const { text, tokens } = await shown(table, 'which process uses the most memory?');
    expect(text.split('\n')).toEqual(expect.arrayContaining([header, largest]));
    expect(tokens).toBeLessThan(1000);
  });

  verifies('worth.new-user', '`dmesg` how much memory the kernel sees', async () => {
    const { text, tokens } = await shown(DMESG, 'how much memory does the kernel see?');
    expect(text).toContain('Memory: 16214268K/16777216K available');
    expect(tokens).toBeLessThan(1000);
  });

  verifies(['worth.new-user', 'worth.tables'], '`ls -laR` which file is the largest', async () => {
    const listing = read('test/corpus/texts/logs/ls-lr-site.txt');
    const sizes = listing.split('\n').filter((line) => line.startsWith('-'));
    const largest = sizes.toSorted((a, b) => Number(b.split(/\s+/)[4]) - Number(a.split(/\s+/)[4]))[0];
    const { text } = await shown(listing, 'which file is the largest?');
    expect(text.split('\n')).toContain(largest);
  });

  verifies('worth.new-user', 'a table of 5,000 orders which were refunded', async () => {
    const { text, tokens } = await shown(CSV, 'which orders were refunded?');
    expect(text.split('\n')).toEqual(
      expect.arrayContaining(['order_id,customer,status,total', '3217,customer 22,refunded,386']),
    );
    expect(tokens).toBeLessThan(500);
  });

  verifies(
    'worth.new-user',
    'a test run which tests fail and why',
    async () => {
      const log = vitestRun();
      const { text, tokens } = await shown(log, 'which tests fail and why?');
      for (const line of [
        'rounds half cents up',
        'expected 0.30000000000000004 to be 0.3',
        'knows the platinum tier',
        'RangeError: no such tier: platinum',
      ]) {
        expect(log).toContain(line);
        expect(text).toContain(line);
      }
      expect(tokens).toBeLessThan(2500);
    },
    60_000,
  );

  verifies('worth.new-user', 'a lock file which version of zod it has', async () => {
    const lock = read('pnpm-lock.yaml');
    const version = /^ {2}(zod@[\d.]+):/m.exec(lock)?.[1] ?? 'none';
    const { text } = await shown(lock, 'which version of zod?');
    expect(text).toContain(version);
  });

  verifies('worth.new-user', 'a function of Python for a condition, and gets what it returns', async () => {
    const { text } = await shown(PYTHON, 'when is an order of an unsupported country priced?');
    expect(text).toContain('    if order.country not in SUPPORTED:\n        return None\n');
  });

  verifies('worth.tables', 'how many rows of a table are so, and is told that it takes them all', async () => {
    const { warnings, tokens } = await shown(CSV, 'how many orders were paid?');
    expect(warnings).toContain('needs_all_rows');
    expect(tokens).toBeLessThanOrEqual(3000);
  });

  verifies('worth.no-match', 'a file about something else, and is told so', async () => {
    const { warnings, tokens } = await shown(PYTHON, 'how is sourdough bread baked in a wood-fired oven?');
    expect(warnings).toContain('no_match');
    expect(tokens).toBeLessThan((await sharedTokenCounter())(PYTHON).tokens * 0.02);
  });
});

describe('a budget', () => {
  verifies(
    ['worth.budget', 'worth.nested'],
    'is met exactly, and a larger one holds the answer of a smaller one',
    async () => {
      const countTokens = await sharedTokenCounter();
      for (const maxTokens of [50, 120, 400, 1500]) {
        const { text } = await world({ countTokens, exactTokens: sharedTokenCounter }).prune({
          text: DMESG,
          goal: 'how much memory does the kernel see?',
          limits: { maxTokens },
        });
        expect(countTokens(text).tokens).toBeLessThanOrEqual(maxTokens);
        if (maxTokens > 100) expect(text).toContain('Memory: 16214268K/16777216K available');
      }
    },
  );
});

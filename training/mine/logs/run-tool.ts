import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Random } from '../random.ts';

export interface Program {
  readonly files: Readonly<Record<string, string>>;
  readonly command: string;
  readonly args: readonly string[];
}

/** Runs a real tool on a small program; undefined where the tool is not installed. Places and times are made stable. */
export function runTool({ files, command, args }: Program, random: Random): string[] | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'jeeves-logs-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const env = {
      ...process.env,
      NO_COLOR: '1',
      FORCE_COLOR: '0',
      LC_ALL: 'C.UTF-8',
      NODE_OPTIONS: '',
      NODE_TEST_CONTEXT: undefined,
    };
    const done = spawnSync(command, args, { cwd: folder, encoding: 'utf8', env, timeout: 60_000, maxBuffer: 1 << 26 });
    if (done.error !== undefined) return undefined;
    const output = `${done.stdout}${done.stderr}`.replaceAll(folder, '/workspace/app');
    return withStableTimes(output, random).trimEnd().split('\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One measured duration may be printed twice; it stays one. */
function withStableTimes(output: string, random: Random): string {
  const known = new Map<string, string>();
  const stable = (measured: string, scale: number): string => {
    const value = known.get(measured) ?? (random.next() * scale).toFixed(3);
    known.set(measured, value);
    return value;
  };
  return output
    .replace(/\bin (\d+\.\d+)s/g, (_, measured: string) => `in ${stable(measured, 3)}s`)
    .replace(/(duration_ms:? )(\d+(?:\.\d+)?)/g, (_, label: string, measured: string) => label + stable(measured, 9))
    .replace(/\((\d+\.\d+)ms\)/g, (_, measured: string) => `(${stable(measured, 9)}ms)`)
    .replace(/\[total \d+ms\]/g, () => `[total ${random.below(900) + 100}ms]`);
}

import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { verifies } from '../../../../test/e2e/verifies.ts';
import { isOrphan } from '../../src/upstream/orphans.ts';

function startOf(pid: number): string {
  const line = readFileSync(`/proc/${pid}/stat`, 'latin1');
  return line.slice(line.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

/** Part of every Linux; where its use is not allowed there is no other namespace to test with. */
const UNSHARE = '/usr/bin/unshare';

const TAG = { family: 'f', instance: 'i' };
const GONE = { ...TAG, owner: 2 ** 22, started: '1' };

describe.runIf(process.platform === 'linux')('a tagged process', () => {
  verifies('gateway.safety.orphans', 'is an orphan only when the gateway that started it is gone', () => {
    const alive = { ...TAG, owner: process.pid, started: startOf(process.pid) };
    expect(isOrphan(alive, process.pid)).toBe(false);
    expect(isOrphan({ ...alive, started: '1' }, process.pid)).toBe(true);
    expect(isOrphan(GONE, process.pid)).toBe(true);
    expect(isOrphan({ ...GONE, started: '' }, process.pid)).toBe(false);
  });

  verifies(
    'gateway.safety.orphans',
    'of another PID namespace, or one that cannot be seen, is nobody’s orphan',
    async () => {
      expect(isOrphan(GONE, 2 ** 22 - 1)).toBe(false);
      const isAble = spawnSync(UNSHARE, ['--user', '--pid', '--fork', 'true']).status === 0;
      if (!isAble) return;
      const child = spawn(UNSHARE, ['--user', '--pid', '--fork', 'sleep', '60'], { stdio: 'ignore', detached: true });
      onTestFinished(() => void process.kill(-(child.pid ?? 0), 'SIGKILL'));
      const inside = await childOf(child.pid ?? 0);
      expect(isOrphan(GONE, inside)).toBe(false);
    },
  );

  test('whose owner is dead but not yet reaped is one', () => {
    expect(isOrphan({ ...TAG, owner: process.pid, started: '0' }, process.pid)).toBe(true);
  });
});

/** The process that another one forked, once it has. */
async function childOf(pid: number): Promise<number> {
  for (let round = 0; round < 500; round += 1) {
    const child = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').find(Boolean);
    if (child !== undefined) return Number(child);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('nothing was forked');
}

import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { groupRuns, signalGroup } from '../src/group.ts';
import { isRunning } from '../src/ref.ts';
import { environmentOf, startOf } from '../src/table.ts';
import { descendants, findWhere, killWhere } from '../src/walk.ts';

const started: ChildProcess[] = [];
afterEach(() => {
  for (const { pid } of started.splice(0)) if (pid !== undefined) signalGroup(pid, 'SIGKILL');
});

interface Family {
  /** The leader of a process group. */
  readonly leader: number;
  /** A child of it that left for a session of its own. */
  readonly left: number;
  readonly tag: string;
}

async function start(variables: Record<string, string> = {}): Promise<Family> {
  const tag = randomUUID();
  const child = spawn('bash', ['-c', 'setsid sleep 60 & echo $!; exec sleep 60'], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { PATH: process.env['PATH'], ...variables, TAG: tag },
  });
  started.push(child);
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const [leader, left] = [child.pid ?? 0, Number(line.toString())];
  // Until both are the program they are to be: while one begins it has no environment.
  await vi.waitUntil(() => [leader, left].every((pid) => nameOf(pid) === 'sleep'), { interval: 5 });
  return { leader, left, tag };
}

function nameOf(pid: number): string {
  return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
}

describe('processes', () => {
  it('are found below their ancestors, whichever session they are in', async () => {
    const { leader, left } = await start();
    const found = await descendants(leader);
    expect(found).toEqual([{ pid: left, started: startOf(left) }]);
    expect((await descendants(process.pid)).map(({ pid }) => pid)).toEqual(expect.arrayContaining([leader, left]));
  });

  it.each([
    ['a small environment', {}],
    ['one of several hundred kilobytes', { A: 'a'.repeat(100_000), B: 'b'.repeat(100_000), C: 'c'.repeat(99_999) }],
  ])('are found and killed by what is in %s', async (_, variables) => {
    const { leader, left, tag } = await start(variables);
    const hasTag = (environment: Buffer): boolean => environment.includes(tag);
    expect(new Set(findWhere(hasTag))).toEqual(new Set([leader, left]));
    expect(environmentOf(leader)?.toString()).toContain(`TAG=${tag}\0`);
    const exited = once(started[0] as ChildProcess, 'exit');
    expect(await killWhere(hasTag)).toBe(2);
    await exited;
    expect(findWhere(hasTag)).toEqual([]);
  });

  it('that are gone have neither start nor environment', async () => {
    const { leader } = await start();
    const ref = { pid: leader, started: startOf(leader) };
    expect(isRunning(ref)).toBe(true);
    const exited = once(started[0] as ChildProcess, 'exit');
    signalGroup(leader, 'SIGKILL');
    await exited;
    expect([startOf(leader), environmentOf(leader), isRunning(ref)]).toEqual([undefined, undefined, false]);
  });
});

describe('a group', () => {
  it('runs as long as one of its members does', async () => {
    const { leader } = await start();
    expect(await groupRuns(leader)).toBe(true);
    const exited = once(started[0] as ChildProcess, 'exit');
    expect(signalGroup(leader, 'SIGKILL')).toBe(true);
    await exited;
    expect(await groupRuns(leader)).toBe(false);
  });
});

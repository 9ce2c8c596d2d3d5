import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FileLock } from '../src/sqlite/lock.ts';
import { isAlive, ownerName } from '../src/sqlite/owner.ts';
import { buildPrograms, type Programs } from './child.ts';

let directory: string;
let path: string;
let programs: Programs;
beforeAll(async () => {
  programs = await buildPrograms();
});
afterAll(() => programs.remove());
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'jeeves-lock-'));
  path = join(directory, 'some.db');
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** The name a process would have had that has ended by now, or that is another one with the same id. */
function deadOwner(): string {
  const [pid, , place] = ownerName().split('.');
  return [pid, '1', place, 'dead'].join('.');
}

/** Leaves a lock as a process does that was killed while it held it. */
function leaveLock(owner: string, ageMs = 0): string {
  mkdirSync(`${path}.busy`);
  const file = join(`${path}.busy`, owner);
  writeFileSync(file, '');
  const then = (Date.now() - ageMs) / 1000;
  utimesSync(file, then, then);
  return file;
}

describe('the lock between processes', () => {
  it('lets one in at a time and leaves nothing behind', () => {
    const [first, second] = [new FileLock(path), new FileLock(path)];
    expect(first.tryAcquire()).toBe(true);
    expect(second.tryAcquire()).toBe(false);
    first.release();
    expect(second.tryAcquire()).toBe(true);
    second.release();
    expect(readdirSync(directory)).toEqual([]);
  });

  it('takes over from an owner that is dead, also when its process id is in use again', () => {
    leaveLock(deadOwner());
    const lock = new FileLock(path);
    expect(lock.tryAcquire()).toBe(true);
    lock.release();
    expect(existsSync(lock.path)).toBe(false);
  });

  it('waits for an owner that is alive, and takes over once it was killed', async () => {
    const sleeper = spawn('sleep', ['60']);
    const owner = [sleeper.pid, startTicks(sleeper.pid), ownerName().split('.')[2], 'x'].join('.');
    leaveLock(owner, 3_600_000);
    const lock = new FileLock(path);
    expect(lock.tryAcquire()).toBe(false);
    sleeper.kill('SIGKILL');
    await once(sleeper, 'exit');
    expect(lock.tryAcquire()).toBe(true);
    lock.release();
  });

  it.each([
    ['in another container', '7.7.elsewhere.x'],
    ['with a name of another form', 'unknown'],
  ])('believes for half a minute in an owner %s, which it cannot look up', (_, owner) => {
    const file = leaveLock(owner);
    expect(new FileLock(path).tryAcquire()).toBe(false);
    utimesSync(file, Date.now() / 1000 - 31, Date.now() / 1000 - 31);
    expect(new FileLock(path).tryAcquire()).toBe(true);
  });

  it('removes a directory whose maker died before it wrote its name, after a moment', async () => {
    mkdirSync(`${path}.busy`);
    const lock = new FileLock(path);
    expect(lock.tryAcquire()).toBe(false);
    await expect.poll(() => lock.tryAcquire(), { interval: 10, timeout: 2000 }).toBe(true);
    lock.release();
  });

  it('takes over from a zombie, whose parent has not yet noticed its death', async () => {
    const parent = spawn('sh', ['-c', 'sleep 0.2 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [output] = (await once(parent.stdout, 'data')) as [Buffer];
    const pid = Number(output.toString());
    const owner = [pid, startTicks(pid), ownerName().split('.')[2], 'x'].join('.');
    expect(isAlive(owner, 0)).toBe(true);
    await expect.poll(() => isAlive(owner, 0)).toBe(false);
    expect(readFileSync(`/proc/${pid}/stat`, 'latin1')).toContain(' Z ');
    parent.kill('SIGKILL');
  });

  it('never lets two in, even when all of them break the same stale lock again and again', async () => {
    writeFileSync(path, '0');
    const children = [1, 2, 3].map(() => programs.start('count', [path, '300', deadOwner()]));
    expect(await Promise.all(children.map((child) => child.exited))).toEqual([0, 0, 0]);
    expect(readFileSync(path, 'utf8')).toBe('900');
  }, 30_000);

  it('asks the owner for a turn once per request', () => {
    const [owner, waiter] = [new FileLock(path), new FileLock(path)];
    expect(owner.takeWanted()).toBe(false);
    waiter.want();
    expect([owner.takeWanted(), owner.takeWanted()]).toEqual([true, false]);
  });
});

function startTicks(pid: number | undefined): string | undefined {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
}

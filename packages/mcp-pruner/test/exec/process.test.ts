import { chmodSync, existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inherited } from '../../src/exec/environment.ts';
import {
  type CappedRequest,
  PROCESS_SLOTS,
  ProcessError,
  type ProcessResult,
  runProcess,
} from '../../src/exec/process.ts';
import { findProgram } from '../../src/exec/program.ts';
import { createSemaphore } from '../../src/exec/semaphore.ts';
import { temporaryDirectory, writeTree } from './world.ts';

const directory = temporaryDirectory();
const mkfifo = await findProgram('mkfifo', process.env);

function bash(script: string, overrides: Partial<CappedRequest> = {}, slots = PROCESS_SLOTS): Promise<ProcessResult> {
  const request: CappedRequest = {
    command: 'bash',
    args: ['-c', script],
    cwd: directory,
    env: inherited(process.env),
    mkfifo,
    timeoutMs: 10_000,
    maxOutputBytes: 1 << 20,
    signal: new AbortController().signal,
    ...overrides,
  };
  return runProcess(request, slots);
}

function letters(letter: string, count: number, stream: 1 | 2): string {
  return `head -c ${count} /dev/zero | tr '\\0' ${letter} >&${stream}`;
}

describe('a result', () => {
  it('has both streams, the exit code and the time it took', async () => {
    const { durationMs, ...result } = await bash('echo out; echo err >&2; sleep 0.05; exit 3');
    expect(result).toEqual({
      stdout: 'out\n',
      stderr: 'err\n',
      exitCode: 3,
      signal: null,
      timedOut: false,
      truncated: false,
    });
    expect(durationMs).toBeGreaterThanOrEqual(50);
  });

  it.each([
    ['a signal', 'kill -SEGV $$', { exitCode: null, signal: 'SIGSEGV', timedOut: false }],
    [
      'the time limit',
      'echo early; sleep 60',
      { exitCode: null, signal: 'SIGTERM', timedOut: true, stdout: 'early\n' },
    ],
    [
      'the time limit in its own way',
      'trap "echo bye; exit 9" TERM; sleep 60 & wait',
      { exitCode: 9, timedOut: true, stdout: 'bye\n' },
    ],
  ])('tells of an end by %s', async (_, script, expected) => {
    expect(await bash(script, { timeoutMs: 300 })).toMatchObject(expected);
  });

  it('decodes what is no UTF-8 as U+FFFD', async () => {
    expect((await bash(`printf 'a\\xffb\\xc3'; printf '\\xe2\\x82' >&2`)).stdout).toBe('a\uFFFDb\uFFFD');
  });

  it('joins the bytes of a character that arrive one by one', async () => {
    const drip = String.raw`for b in f0 9f 98 80 c3 a9; do printf "\x$b"; sleep 0.01; done`;
    expect((await bash(drip)).stdout).toBe('😀é');
  });
});

describe('the surroundings of a command', () => {
  it('are its directory and the environment it is given, marked by a tag', async () => {
    const { stdout } = await bash('pwd; env | cut -d= -f1 | sort', {
      env: { PATH: process.env.PATH ?? '', MINE: '1' },
    });
    expect(stdout.split('\n')).toEqual([directory, 'JEEVES_EXEC_TAG', 'MINE', 'PATH', 'PWD', 'SHLVL', '_', '']);
  });

  it('keep the tag of a server further out', async () => {
    const { stdout } = await bash('echo "$JEEVES_EXEC_TAG"', {
      env: { PATH: process.env.PATH ?? '', JEEVES_EXEC_TAG: 'outer' },
    });
    expect(stdout).toMatch(/^outer [\da-f-]{36}\n$/);
  });

  it('have an empty standard input', async () => {
    expect(await bash('wc -c; readlink /proc/self/fd/0')).toMatchObject({ stdout: '0\n/dev/null\n' });
  });

  it('have outputs that can be opened by name', async () => {
    const script = 'echo one > /dev/stdout; echo two | tee /dev/stderr; echo three > /dev/stderr';
    expect(await bash(script)).toMatchObject({ stdout: 'one\ntwo\n', stderr: 'two\nthree\n' });
  });

  it('leave nothing behind in the temporary directory', async () => {
    const before = readdirSync(tmpdir()).filter((name) => /^jeeves-\w{6}$/.test(name));
    await bash('true');
    expect(readdirSync(tmpdir()).filter((name) => /^jeeves-\w{6}$/.test(name))).toEqual(before);
  });

  it('do without real pipes where none can be made', async () => {
    expect(await bash('echo out; echo err >&2', { mkfifo: null })).toMatchObject({
      stdout: 'out\n',
      stderr: 'err\n',
    });
  });
});

it('finds the program for its pipes on no path that a caller sets', async () => {
  const planted = join(directory, 'planted');
  writeTree(planted, { mkfifo: `#!/bin/sh\ntouch ${planted}/ran\nexec ${mkfifo} "$@"\n` });
  chmodSync(join(planted, 'mkfifo'), 0o755);
  const env = { PATH: `${planted}:${process.env.PATH}` };
  expect(await bash('echo out > /dev/stdout', { env })).toMatchObject({ stdout: 'out\n' });
  expect(existsSync(join(planted, 'ran'))).toBe(false);
});

describe('the cap', () => {
  it.each([
    ['fits both', 300, 700, [300, 700, false]],
    ['goes to stdout when stderr is short', 5000, 100, [900, 100, true]],
    ['goes to stderr when stdout is short', 100, 5000, [100, 900, true]],
    ['gives stdout a third when both are long', 5000, 5000, [333, 667, true]],
    ['lets stdout have its third alone', 333, 5000, [333, 667, true]],
    ['goes to one stream alone', 1000, 0, [1000, 0, false]],
  ])('%s', async (_, out, err, expected) => {
    const result = await bash(`${letters('o', out, 1)}; ${letters('e', err, 2)}`, { maxOutputBytes: 1000 });
    expect([result.stdout.length, result.stderr.length, result.truncated]).toEqual(expected);
    expect(result.stdout + result.stderr).toMatch(/^o*e*$/);
  });

  it.each([0, 1, 2, 3])('splits no character, %i bytes before it', async (before) => {
    const { stdout, truncated } = await bash(`printf '%${before}s' ''; for i in {1..500}; do printf '😀'; done`, {
      maxOutputBytes: 1024,
    });
    expect(stdout).toBe(' '.repeat(before) + '😀'.repeat(before === 0 ? 256 : 255));
    expect(truncated).toBe(true);
  });

  it('counts what decoding adds', async () => {
    const { stdout } = await bash(`head -c 5000 /dev/zero | tr '\\0' '\\377'`, { maxOutputBytes: 1000 });
    expect(stdout).toBe('\uFFFD'.repeat(333));
  });

  it('lets the command finish, so that its exit code is true', async () => {
    const script = 'head -c 50000000 /dev/zero; echo done >&2; exit 7';
    expect(await bash(script, { maxOutputBytes: 3000 })).toMatchObject({
      exitCode: 7,
      stderr: 'done\n',
      truncated: true,
    });
  });
});

describe('floods', () => {
  it.each(['yes', 'cat /dev/zero', 'yes >&2 & yes'])('%s ends at its time and fills no memory', async (script) => {
    const before = process.memoryUsage.rss();
    const result = await bash(script, { timeoutMs: 1000 });
    expect(result).toMatchObject({ timedOut: true, truncated: true });
    expect(result.durationMs).toBeLessThan(1750);
    expect(Buffer.byteLength(result.stdout + result.stderr)).toBeLessThanOrEqual(1 << 20);
    expect(process.memoryUsage.rss() - before).toBeLessThan(150 * 1024 ** 2);
  });
});

describe('what a command leaves running', () => {
  it('has a moment to finish', async () => {
    expect((await bash('echo late > >(sleep 0.1; cat)')).stdout).toBe('late\n');
  });

  it('is killed soon, as nobody could stop it later', async () => {
    const result = await bash('sleep 60 & echo started');
    expect(result).toMatchObject({ stdout: 'started\n', exitCode: 0, timedOut: false });
    expect(result.durationMs).toBeLessThan(1500);
  });

  it('delays the answer by two seconds at most if it cannot be found', async () => {
    // No group, no parent, no environment: all that is left of it is the output that it holds open.
    const result = await bash('env -i setsid sleep 5 & disown; echo started');
    expect(result).toMatchObject({ stdout: 'started\n', exitCode: 0 });
    expect(result.durationMs).toBeLessThan(2600);
  });
});

describe('a command that does not start', () => {
  it.each([
    ['a missing program', { command: '/nowhere/bash' }],
    ['a missing directory', { cwd: '/nowhere' }],
    ['an argument with a NUL byte', { args: ['-c', 'a\0b'] }],
    ['arguments beyond what the system takes', { args: ['-c', 'x'.repeat(5_000_000)] }],
  ])('is a spawn_error: %s', async (_, overrides) => {
    const attempt = bash('true', overrides);
    await expect(attempt).rejects.toBeInstanceOf(ProcessError);
    await expect(attempt).rejects.toMatchObject({ code: 'spawn_error' });
  });

  it('says that it is too long, if that is why', async () => {
    await expect(bash('€'.repeat(49_000))).rejects.toThrow('the command is too long for the operating system');
  });

  it('gives its place back', async () => {
    const slots = createSemaphore(1);
    await expect(bash('true', { command: '/nowhere' }, slots)).rejects.toThrow('could not be started');
    expect(await bash('echo next', {}, slots)).toMatchObject({ stdout: 'next\n' });
  });
});

describe('a wait for a place', () => {
  it('ends at the time limit', async () => {
    const slots = createSemaphore(1);
    const first = bash('sleep 1', {}, slots);
    const begun = performance.now();
    const attempt = bash('echo never', { timeoutMs: 200 }, slots);
    await expect(attempt).rejects.toMatchObject({ name: 'WaitError', code: 'timeout' });
    await expect(attempt).rejects.toThrow('waited 200 ms for a free shell');
    expect(performance.now() - begun).toBeLessThan(700);
    expect(await first).toMatchObject({ exitCode: 0 });
    expect(await bash('echo next', {}, slots)).toMatchObject({ stdout: 'next\n' });
  });

  it('leaves the command only the rest of the time', async () => {
    const slots = createSemaphore(1);
    const begun = performance.now();
    const first = bash('sleep 0.6', {}, slots);
    expect(await bash('sleep 60', { timeoutMs: 1500 }, slots)).toMatchObject({ timedOut: true });
    expect(performance.now() - begun).toBeLessThan(2050);
    await first;
  });
});

describe('an abort', () => {
  it('rejects with its reason once the command is dead', async () => {
    const controller = new AbortController();
    const begun = performance.now();
    setTimeout(() => controller.abort(new Error('no longer wanted')), 100);
    await expect(bash('sleep 60', { signal: controller.signal })).rejects.toThrow('no longer wanted');
    expect(performance.now() - begun).toBeLessThan(1000);
  });

  it('before the start starts nothing', async () => {
    const marker = join(directory, 'started');
    await expect(bash(`touch ${marker}`, { signal: AbortSignal.abort(new Error('too late')) })).rejects.toThrow(
      'too late',
    );
    expect(readdirSync(directory)).not.toContain('started');
  });
});

it('runs eight commands at once and no more', async () => {
  const script = 'echo $(date +%s%N); sleep 0.3; echo $(date +%s%N)';
  const results = await Promise.all(Array.from({ length: 12 }, () => bash(script)));
  const times = results.map(({ stdout }) => stdout.trim().split('\n').map(Number) as [number, number]);
  const atOnce = times.map(([start]) => times.filter(([from, to]) => from <= start && start < to).length);
  expect(Math.max(...atOnce)).toBeLessThanOrEqual(8);
  expect(Math.max(...atOnce)).toBeGreaterThan(1);
});

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { verifies } from '../../../../test/e2e/verifies.ts';
import { inherited } from '../../src/exec/environment.ts';
import { type CappedRequest, runProcess } from '../../src/exec/process.ts';
import { findProgram } from '../../src/exec/program.ts';
import { commandLinesWith, processesWith, temporaryDirectory } from './world.ts';

vi.setConfig({ testTimeout: 60_000 });

const SCRIPTS = {
  background: 'sleep 300 & sleep 300 & sleep 300',
  'new sessions': 'setsid sleep 300 & setsid -f sleep 300; sleep 300',
  'no hang-up': 'nohup sleep 300 >/dev/null 2>&1 & nohup sleep 300 & sleep 300',
  'double fork': '( (setsid sleep 300 >/dev/null 2>&1 &) & ); (sleep 300 &); sleep 300',
  'deaf to SIGTERM': 'trap "" TERM INT HUP; while :; do sleep 1; done',
  'holder of the output': 'setsid bash -c \'trap "" TERM HUP; while :; do echo x; sleep 0.05; done\' & exit 0',
  'chain of forks': 'export C=\'sleep 0.01; setsid bash -c "$C" >/dev/null 2>&1 &\'; bash -c "$C"; sleep 300',
  'stopped process': "sleep 300 & kill -STOP $!; setsid bash -c 'kill -STOP $$' & kill -STOP $$",
};
const ROUNDS = 13;
const AT_ONCE = 4;
const TIMEOUT_MS = 200;

const cwd = temporaryDirectory();
const mkfifo = await findProgram('mkfifo', process.env);

interface Tree {
  readonly title: string;
  readonly mark: string;
  /** From the time limit or the abort to the answer. */
  readonly lateMs: number;
}

function requestFor(script: string, overrides: Record<string, string>, timeoutMs: number): CappedRequest {
  const env = { ...inherited(process.env), ...overrides };
  const { signal } = new AbortController();
  return { command: 'bash', args: ['-c', script], cwd, env, mkfifo, timeoutMs, maxOutputBytes: 1 << 20, signal };
}

/** Runs a script to its time limit or, every other time, to an abort at the same moment. */
async function runTree(title: string, script: string, round: number): Promise<Tree> {
  const mark = randomUUID();
  const aborts = round % 2 === 1;
  const controller = new AbortController();
  const begun = performance.now();
  const timer = aborts ? setTimeout(() => controller.abort(new Error('cancelled')), TIMEOUT_MS) : undefined;
  const request = requestFor(script, { MARK: mark }, aborts ? 60_000 : TIMEOUT_MS);
  const run = runProcess({ ...request, signal: controller.signal });
  await run.catch((error: unknown) => expect(String(error)).toBe('Error: cancelled'));
  clearTimeout(timer);
  return { title, mark, lateMs: performance.now() - begun - TIMEOUT_MS };
}

verifies(
  'security.t10.process-tree',
  'no process of a hundred hostile trees is left a second after the answer',
  async () => {
    // Round by round, so that the trees at one time differ.
    const jobs = Array.from({ length: ROUNDS }, (_, round) =>
      Object.entries(SCRIPTS).map(
        ([title, script]) =>
          () =>
            runTree(title, script, round),
      ),
    ).flat();
    expect(jobs.length).toBeGreaterThanOrEqual(100);
    const late: number[] = [];
    const leftovers: Promise<string[]>[] = [];
    const workers = Array.from({ length: AT_ONCE }, async () => {
      for (let job = jobs.pop(); job !== undefined; job = jobs.pop()) {
        const { title, mark, lateMs } = await job();
        late.push(lateMs);
        leftovers.push(sleep(1000).then(() => processesWith(mark).map((pid) => `${title}: ${pid}`)));
      }
    });
    await Promise.all(workers);
    expect((await Promise.all(leftovers)).flat()).toEqual([]);
    // A busy machine may hold single answers up: nearly all come at once, and none very late.
    expect(late.filter((ms) => ms > 750).length).toBeLessThanOrEqual(5);
    expect(Math.max(...late)).toBeLessThan(5000);
  },
);

test.each(Object.entries(SCRIPTS))('there is something to kill: %s', async (_, script) => {
  const mark = randomUUID();
  const controller = new AbortController();
  const run = runProcess({ ...requestFor(script, { MARK: mark }, 10_000), signal: controller.signal });
  await vi.waitUntil(() => processesWith(mark).length > 0, { timeout: 5000, interval: 10 });
  controller.abort(new Error('seen'));
  await run.catch((error: unknown) => expect(String(error)).toBe('Error: seen'));
});

test('a process that left the group and emptied its environment dies with its parents', async () => {
  // A number of seconds that no other process sleeps for.
  const seconds = `3${process.pid}.${Date.now()}`;
  const env = inherited(process.env);
  const common = {
    command: 'bash',
    cwd,
    env,
    mkfifo,
    timeoutMs: 500,
    maxOutputBytes: 1024,
    signal: new AbortController().signal,
  };
  const run = runProcess({ ...common, args: ['-c', `env -i setsid sleep ${seconds} & wait`] });
  await sleep(250);
  expect(commandLinesWith(seconds)).toContain(`sleep\0${seconds}\0`);
  await run;
  expect(commandLinesWith(seconds)).toEqual([]);
});

vi.resetConfig();

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunFile } from '@jeeves/protocol';
import { afterAll, describe, expect } from 'vitest';
import { commandsWith, logWithError, processesWith } from '../../../../packages/runner/test/world.ts';
import { verifies } from '../../verifies.ts';
import { desk, PROGRAM } from '../cli/program.ts';

const { path, file, run } = desk();
file('app.log', logWithError());

const READ = `
  - call: read
    with: { file_path: app.log }
    goal: why is the database connection refused`;
file('read.yaml', `steps:${READ}\n  - recover: first\n`);
file('fail.yaml', 'steps: [{ fail: the model is overloaded }]\n');
file('wait.yaml', 'steps: [{ wait: 600000 }]\n');

const FAKE = ['run', '--provider', 'fake', '--prompt', 'go'];
const RUNS = join(path, '.local/state/jeeves/runs');
const children: ChildProcessWithoutNullStreams[] = [];
afterAll(() => children.forEach((child) => child.kill('SIGKILL')));

/** A run that is busy: its server is up, and a command of the agent is on its way. */
async function busy(name: string): Promise<{ child: ChildProcessWithoutNullStreams; directory: string; mark: string }> {
  const mark = `600.${process.pid}${name.length}`;
  file(`${name}.yaml`, `steps: [{ call: bash, with: { command: "sleep ${mark}", timeout_ms: 300000 } }]\n`);
  const directory = join(path, name);
  const child = spawn(process.execPath, [PROGRAM, ...FAKE, '--script', `${name}.yaml`, '--run-dir', directory], {
    cwd: path,
    env: { PATH: process.env['PATH'], HOME: path, MCP_PRUNER_SHELL_LOGIN: '0' },
  });
  children.push(child);
  await expect.poll(() => commandsWith(`sleep\0${mark}`).length, { timeout: 15_000 }).toBe(1);
  return { child, directory, mark };
}

function recorded(directory: string): RunFile {
  return JSON.parse(readFileSync(join(directory, 'run.json'), 'utf8')) as RunFile;
}

async function statesWith(env: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const { out } = await run([...FAKE, '--json'], { env });
  return (JSON.parse(out) as RunFile).states;
}

describe('jeeves run', () => {
  verifies(['runner.fake', 'runner.run-dir'], 'with the fake agent needs no key and less than a second', async () => {
    const times: number[] = [];
    // The best of a few: a busy machine is not what this is about.
    for (let round = 0; round < 15 && Math.min(...times) >= 1000; round += 1) {
      const started = performance.now();
      const { code, out } = await run(FAKE);
      times.push(performance.now() - started);
      expect({ code, out }).toEqual({ code: 0, out: '<promise>COMPLETE</promise>\n' });
    }
    expect(Math.min(...times)).toBeLessThan(1000);
    const [name = ''] = readdirSync(RUNS);
    expect(name).toMatch(/^\d{8}T\d{6}Z-\d+\.[\w-]{8}$/);
    expect(recorded(join(RUNS, name))).toMatchObject({ run_id: name, status: 'succeeded', provider: 'fake' });
  });

  verifies(
    ['runner.json', 'runner.run-default', 'runner.ledger', 'runner.simulated'],
    'tells programs how it went, ledger included',
    async () => {
      const { code, out, err } = await run([...FAKE, '--script', 'read.yaml', '--run-dir', 'here', '--json']);
      expect({ code, err }).toEqual({ code: 0, err: '' });
      const told = JSON.parse(out) as RunFile & Record<string, unknown>;
      expect(told).toMatchObject({
        schema: 'jeeves.run.v1',
        status: 'succeeded',
        run_dir: join(path, 'here'),
        result: '<promise>COMPLETE</promise>',
        simulated: true,
        stats: { tool_call_count: 2, simulated: true },
        ledger: {
          simulated: true,
          reader: 'limitless',
          counter: 'o200k',
          removed: { basis: 'measured' },
          calls: { pruner: 2, pruned: 1 },
        },
      });
      expect(told.ledger?.removed.tokens).toBeGreaterThan(3000);
      expect(recorded(join(path, 'here')).ledger).toEqual(told.ledger);
    },
  );

  verifies(
    'runner.config-file',
    'takes its settings from the configuration file, too; the environment wins',
    async () => {
      const config = file('own.toml', '[runner]\npruner_enabled = false\n');
      const JEEVES_CONFIG = join(path, config);
      expect(await statesWith({ JEEVES_CONFIG })).toContain('run:mcp_pruner_disabled');
      expect(await statesWith({ JEEVES_CONFIG, JEEVES_PRUNER_ENABLED: '1' })).toContain('run:mcp_pruner_running');
    },
  );

  verifies('runner.no-prune', 'gives the agent no pruner when told so', async () => {
    const { out } = await run([...FAKE, '--script', 'read.yaml', '--no-prune', '--json']);
    const told = JSON.parse(out) as RunFile;
    expect(told.states).toEqual(['run:init', 'run:mcp_pruner_disabled', 'run:shutdown']);
    expect(told.ledger).toMatchObject({ calls: { pruner: 0, other: 1 }, net: { tokens: 0 } });
  });

  verifies(
    ['runner.exit-codes', 'runner.failed', 'runner.cancelled'],
    'ends with a code that tells how it went',
    async () => {
      expect((await run([...FAKE, '--script', 'read.yaml'])).code).toBe(0);
      const failed = await run([...FAKE, '--script', 'fail.yaml']);
      expect(failed.code).toBe(1);
      expect(failed.err).toContain('error: the model is overloaded');
      expect((await run([...FAKE, '--script', 'wait.yaml', '--timeout', '1'])).code).toBe(124);
    },
  );

  verifies('runner.exit-codes', 'says what is wrong with a call, with a code of its own', async () => {
    const WRONG: readonly (readonly [readonly string[], string])[] = [
      [['run', '--provider', 'fake'], 'say what to do'],
      [[...FAKE, '--prompt-file', 'read.yaml'], 'exclude each other'],
      [['run', '--prompt', 'go'], 'say who runs'],
      [['run', '--provider', 'nobody', '--prompt', 'go'], 'nobody'],
      [['run', '--provider', 'fake', '--prompt-file', 'missing.md'], 'missing.md: cannot be read'],
      [[...FAKE, '--cwd', 'missing'], 'no such directory'],
      [[...FAKE, '--script', 'app.log'], 'script of the fake provider'],
      [[...FAKE, '--prices', '1,2'], 'USD per million tokens'],
      [[...FAKE, '--run-dir', 'app.log/inside'], 'ENOTDIR'],
      [[...FAKE, '--run-dir', '/proc/nowhere/run'], 'ENOENT'],
      [['run', '--provider', 'codex', '--prompt', 'go', '--script', 'read.yaml'], 'for the fake provider'],
    ];
    for (const [args, problem] of WRONG) {
      const { code, err } = await run(args);
      expect({ args, code }).toEqual({ args, code: 2 });
      expect(err).toContain(problem);
    }
  });

  verifies('runner.run-dir', 'never writes over the record of another run', async () => {
    expect((await run([...FAKE, '--run-dir', 'mine'])).code).toBe(0);
    const again = await run([...FAKE, '--run-dir', 'mine']);
    expect(again.code).toBe(2);
    expect(again.err).toContain('another run');
  });

  verifies(['runner.interrupt', 'runner.exit-codes'], 'stops cleanly when interrupted', async () => {
    const { child, directory, mark } = await busy('interrupted');
    child.kill('SIGINT');
    const [code] = (await once(child, 'exit')) as [number | null];
    expect(code).toBe(130);
    expect(recorded(directory)).toMatchObject({ status: 'cancelled', error_type: 'aborted' });
    expect(recorded(directory).states.at(-1)).toBe('run:shutdown');
    expect(processesWith(directory)).toEqual([]);
    expect(commandsWith(mark)).toEqual([]);
  });

  for (const round of [1, 2, 3, 4, 5]) {
    verifies('runner.orphans', `leaves no server behind even when it is killed hard (${round})`, async () => {
      const { child, directory, mark } = await busy('k'.repeat(round));
      expect(processesWith(directory).length).toBeGreaterThan(0);
      child.kill('SIGKILL');
      await once(child, 'exit');
      await expect.poll(() => [...processesWith(directory), ...commandsWith(mark)], { timeout: 5000 }).toEqual([]);
    });
  }

  verifies('runner.workflow', 'runs a workflow from one file', async () => {
    file(
      'flow.yaml',
      `workflow: { name: two steps, start: look, default_provider: fake }
phases:
  look:
    prompt: Look at the log.
    transitions: [{ to: tell, when: phase.success }]
  tell:
    prompt: Tell what you found.
    transitions: [{ to: done, auto: true }]
  done: { type: terminal }
`,
    );
    const { code } = await run(['run', '--workflow', 'flow.yaml', '--script', 'read.yaml', '--run-dir', 'flow']);
    expect(code).toBe(0);
    expect(recorded(join(path, 'flow'))).toMatchObject({
      workflow: 'two steps',
      status: 'succeeded',
      phases: [
        { phase: 'look', next: 'tell' },
        { phase: 'tell', next: 'done' },
      ],
    });
    expect(existsSync(join(path, 'flow/phases/002-tell/events.jsonl'))).toBe(true);
    const wrong = await run(['run', '--workflow', 'read.yaml', '--provider', 'fake']);
    expect(wrong.code).toBe(2);
    expect(wrong.err).toContain('the workflow cannot be used');
  });
});

describe('jeeves compare', () => {
  verifies('runner.compare', 'writes a report for people and one for programs', async () => {
    file(
      'task.yaml',
      `name: find the port\nprompt: Which port?\nsetup: cp ${join(path, 'app.log')} .\nscript:\n  steps:${READ.replaceAll('\n', '\n  ')}\n`,
    );
    const { code, out } = await run(['compare', '--task', 'task.yaml', '--runs', '2', '--out', 'compared']);
    expect(code).toBe(0);
    expect(out).toContain('# find the port');
    expect(out).toMatch(/^\| tokens, all requests \| \d+ \| \d+ \| \d+ \| \d+ … \d+ \| \d+ … \d+ \| 2 \|$/m);
    expect(readFileSync(join(path, 'compared/report.md'), 'utf8')).toBe(out);
    const report = JSON.parse(readFileSync(join(path, 'compared/report.json'), 'utf8')) as Record<string, unknown>;
    expect(report).toMatchObject({ schema: 'jeeves.compare.v1', runs: 2, provider: 'fake' });
    const wrong = await run(['compare', '--task', 'missing.yaml']);
    expect(wrong.code).toBe(2);
    const nowhere = await run(['compare', '--task', 'task.yaml', '--runs', '1', '--out', '/proc/nowhere/report']);
    expect(nowhere).toMatchObject({ code: 2, err: expect.stringContaining('ENOENT') });
  });
});

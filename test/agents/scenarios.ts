import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect } from 'vitest';
import { buildCase, fileCase } from '../e2e/scenarios/server/answers.ts';
import { verifies } from '../e2e/verifies.ts';
import type { Client } from './client.ts';
import { killHard, LEFT_MS, startBusyWorld } from './hard.ts';
import type { ScriptedStep, Seen, Step } from './model/script.ts';
import { until } from './processes.ts';
import { ANSWER, LINES, LOG, QUESTION } from './texts.ts';
import { type Ended, startWorld, type World, type WorldOptions } from './world.ts';

const READ: Step = { call: 'pruner/read', input: { file_path: 'jobs.log', context_focus_question: QUESTION } };
const DONE: Step = { say: 'Job 4711: disk quota.' };
const FILES = { 'jobs.log': LOG };

const START_FAILED = [
  'mcp_pruner.spawn_error',
  'mcp_pruner.start_failed',
  'mcp_pruner.disabled',
  'mcp_pruner.not_running',
];
const RAN = ['mcp_pruner.ready', 'mcp_pruner.stopped'];
const LOST = ['mcp_pruner.ready', 'mcp_pruner.exited', 'mcp_pruner.degraded', 'mcp_pruner.shutdown_after_degraded'];

/** What holds for every client. */
export function describeClient(client: Client): void {
  let world: World;
  afterEach(() => world.remove());

  async function run(options: Omit<WorldOptions, 'client'>): Promise<Ended> {
    world = await startWorld({ client, files: FILES, ...options });
    const ended = await world.ended;
    expect(world.processes()).toEqual([]);
    return ended;
  }

  /** What the runner said; Codex kills its servers when it is done, others say themselves that they stopped. */
  function said(): readonly string[] {
    const { events } = world.record();
    return [...events('runner'), ...events('server').filter((event) => event === 'mcp_pruner.stopped')];
  }

  /** The run itself is fine, whatever became of the server. */
  async function runFinishes(options: Omit<WorldOptions, 'client'>): Promise<void> {
    const { code, output } = await run(options);
    expect(output).toContain('Job 4711');
    expect(code).toBe(0);
    expect(world.record().run.status).toBe('succeeded');
  }

  describe('an agent that asks about something large', () => {
    const build = buildCase(3, 40_000, 'middle');
    const file = fileCase(3, 8000, 0.98);

    verifies('agents.large', 'gets the answer of a build and of a file, and its client cuts neither', async () => {
      const command = { command: 'cat build.log; exit 1', context_focus_question: build.question };
      const read = { file_path: 'source.ts', context_focus_question: file.question };
      const script = [{ call: 'pruner/bash', input: command }, { call: 'pruner/read', input: read }, DONE];
      await runFinishes({ script, files: { 'build.log': build.text, 'source.ts': file.text } });
      const [built = '', found = ''] = world.model.seen.at(-1)?.results ?? [];
      for (const line of build.answer) expect(built).toContain(line);
      for (const line of file.answer) expect(found).toContain(line);
      for (const shown of [built, found]) {
        expect(shown).toMatch(/⟦prune_id=prn_\w+ · /);
        expect(shown).not.toMatch(/tokens truncated|persisted-output|exceeds maximum/);
      }
    });
  });

  describe('an agent that asks about a file', () => {
    verifies(
      [
        'agents.pruned',
        'agents.recovered',
        'agents.claude.always-loaded',
        'agents.codex.approved',
        'agents.codex.grace',
        'runner.events.ready',
        'runner.shutdown',
      ],
      'gets the lines that serve its question and any gap byte for byte; the record shows it',
      async () => {
        await runFinishes({ script: [READ, recoverGap, DONE] });
        const [first, second, third] = world.model.seen as [Seen, Seen, Seen];
        expect(first.tools).toEqual(
          expect.arrayContaining(['pruner/read', 'pruner/bash', 'pruner/grep', 'pruner/recover_text']),
        );
        expect(first.raw).toContain('context_focus_question');

        const pruned = second.results[0] ?? '';
        expect(pruned).toContain(ANSWER);
        expect(pruned).toMatch(/⟦pruned \d+-\d+ \(\d+ lines\)⟧/);
        expect(pruned.length).toBeLessThan(LOG.length / 2);
        expect(second.raw.split('disk quota exceeded')).toHaveLength(2);
        expect(second.raw).not.toMatch(/structuredContent|jeeves\/result|raw_bytes/);

        expect(third.results[1]).toContain(LINES.slice(18, 34).join(''));

        const { events, calls } = world.record();
        expect(said()).toEqual(RAN);
        expect(events('server')).toEqual(expect.arrayContaining(['mcp_pruner.ready', 'pruner.call_ok']));
        expect(calls).toEqual(['mcp:pruner/read', 'mcp:pruner/recover_text']);
      },
    );

    verifies(
      ['agents.claude.always-loaded', 'agents.codex.grace'],
      'has the tools from the start, slow as it may be',
      async () => {
        await runFinishes({ server: 'starts-slowly', script: [READ, DONE] });
        expect(world.model.seen[0]?.tools).toContain('pruner/read');
        expect(world.model.seen[1]?.results[0]).toContain(ANSWER);
        expect(said()).toEqual(RAN);
      },
    );

    verifies('agents.service-down', 'gets the raw text when the service is down', async () => {
      const JEEVES_PRUNER_URL = `http://127.0.0.1:${await closedPort()}/prune`;
      await runFinishes({
        files: { 'jobs.log': LINES.slice(120, 180).join('') },
        script: [READ, DONE],
        env: { JEEVES_PRUNER_URL },
      });
      expect(world.model.seen[1]?.results[0]).toContain(LINES.slice(120, 180).join(''));
      expect(world.record().events('server')).toContain('pruner.call_failed');
      expect(said()).toEqual(RAN);
    });

    verifies('agents.slow-tool', 'waits for a slow tool', async () => {
      const slow: Step = { call: 'pruner/bash', input: { command: 'sleep 4; echo at last' } };
      await runFinishes({ script: [slow, DONE] });
      expect(world.model.seen[1]?.results[0]).toContain('at last');
      expect(said()).toEqual(RAN);
    });

    verifies('agents.claude.unattended', 'may use its own tools, too, with nobody there to be asked', async () => {
      await runFinishes({ script: [client.shell('echo made > made.txt'), DONE] });
      expect(readFileSync(join(world.project, 'made.txt'), 'utf8')).toBe('made\n');
    });

    verifies('runner.no-prune', 'has its own tools alone when it is to have no pruner', async () => {
      await runFinishes({ script: [DONE], args: ['--no-prune'] });
      expect(world.model.seen[0]?.raw).not.toContain('pruner');
      expect(world.record().events('runner')).toEqual(['mcp_pruner.disabled', 'mcp_pruner.not_running']);
    });
  });

  describe('a server that does not start', () => {
    const faults: readonly [string, Omit<WorldOptions, 'client' | 'script'>, readonly string[]][] = [
      [
        'is missing',
        { server: 'no-such-server' },
        ['mcp_pruner.config_invalid', 'mcp_pruner.disabled', 'mcp_pruner.not_running'],
      ],
      ['has no program to run it', { env: { PATH: '/nonexistent' } }, START_FAILED],
      ['exits at once', { server: 'exits-at-once' }, START_FAILED],
      ['hangs', { server: 'hangs-at-start', env: { MCP_TIMEOUT: '1500' } }, START_FAILED],
    ];
    for (const [what, options, events] of faults) {
      verifies(['agents.start-failure', 'agents.no-process-left'], `because it ${what} is reported`, async () => {
        await runFinishes({ script: [READ, DONE], ...options });
        expect(world.record().events('runner')).toEqual(events);
        expect(world.model.seen[0]?.tools).not.toContain('pruner/read');
        expect(world.model.seen[1]?.results[0]).not.toContain(ANSWER);
      });
    }
  });

  describe('a server that dies', () => {
    verifies(['agents.death', 'agents.no-process-left'], 'in a call is reported and stays away', async () => {
      await runFinishes({ server: 'dies-in-call', script: [READ, READ, DONE] });
      expect(world.record().events('runner')).toEqual(LOST);
      for (const result of world.model.seen[2]?.results ?? []) expect(result).not.toContain(ANSWER);
    });

    verifies(['agents.death', 'agents.no-process-left'], 'between calls is reported and stays away', async () => {
      const onceItIsGone = async (): Promise<Step> => {
        await until(() => !world.processes().some(({ command }) => command.endsWith('/dies-between-calls.mjs')));
        return READ;
      };
      await runFinishes({ server: 'dies-between-calls', script: [READ, onceItIsGone, READ, DONE] });
      const results = world.model.seen[3]?.results ?? [];
      expect(results[0]).toContain(ANSWER);
      expect(results[2]).not.toContain(ANSWER);
      expect(world.record().events('runner')).toEqual(LOST);
    });
  });

  describe('a run', () => {
    verifies(
      ['agents.cancelled', 'agents.no-process-left'],
      'that is interrupted ends everything it started',
      async () => {
        world = await startBusyWorld(client);
        world.runner.kill('SIGINT');
        const { code } = await world.ended;
        expect(world.processes()).toEqual([]);
        expect(code).toBe(130);
        expect(world.record().run.status).toBe('cancelled');
      },
    );

    verifies(
      ['agents.no-process-left', 'runner.orphans'],
      'killed hard leaves no server, five times out of five',
      async () => {
        for (let time = 0; time < 5; time += 1) {
          world = await startBusyWorld(client);
          killHard(world, client);
          await until(() => world.processes().length === 0, LEFT_MS);
          await world.remove();
        }
      },
    );

    verifies(['agents.claude.api-failure', 'agents.codex.api-failure'], 'whose model fails says so', async () => {
      const fails: ScriptedStep = { status: client.fatalStatus };
      const { code, output } = await run({ script: [fails, fails, fails, fails, fails] });
      expect(code).toBe(1);
      expect(output).toContain('scripted failure');
      expect(world.record().run.status).toBe('failed');
    });
  });
}

/** Asks for a part of the first gap: the lines that are easily damaged lie in it. */
function recoverGap({ results }: Seen): Step {
  const pruneId = /prune_id=(prn_\w+)/.exec(results[0] ?? '')?.[1];
  const ranges = [{ start_line: 19, end_line: 34 }];
  return { call: 'pruner/recover_text', input: { prune_id: pruneId, ranges } };
}

async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

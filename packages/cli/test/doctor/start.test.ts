import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { verifies } from '../../../../test/e2e/verifies.ts';
import { freePort, START_LIMITS, type StartLimits, type StartOutcome, startAndWait } from '../../src/doctor/start.ts';

const directory = mkdtempSync(join(tmpdir(), 'jeeves-start-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const SERVE = `require('node:http').createServer((_, response) => response.end('{}')).listen(Number(process.argv[2]), '127.0.0.1');`;

async function start(script: string, limits: Partial<StartLimits> = {}, at?: number): Promise<StartOutcome> {
  const file = join(directory, `${Math.random().toString(36).slice(2)}.cjs`);
  writeFileSync(file, script);
  const port = at ?? (await freePort());
  return await startAndWait({
    command: [file, String(port)],
    port,
    env: { PATH: process.env['PATH'] },
    cwd: directory,
    isReady: () =>
      fetch(`http://127.0.0.1:${port}/`).then(
        ({ ok }) => ok,
        () => false,
      ),
    limits: { waitMs: 30_000, intervalMs: 50, ...limits },
  });
}

describe('a start', () => {
  test('is waited for as long as seed 002 says', () => {
    expect(START_LIMITS).toEqual({ waitMs: 12_000, intervalMs: 1000 });
  });

  verifies(
    ['http.start.readiness', 'http.start.no-log-heuristic'],
    'that takes its time and prints nothing is a success, told by asking',
    async () => {
      const outcome = await start(`setTimeout(() => { ${SERVE} }, 2600)`);
      expect(outcome.kind).toBe('ready');
      if (outcome.kind === 'ready') await outcome.stop();
    },
  );

  verifies(
    ['http.start.readiness', 'http.start.failure-log'],
    'that dies is over at once, and shows the last 80 lines of its log',
    async () => {
      const script = 'for (let line = 1; line <= 200; line += 1) console.log("line " + line); process.exitCode = 3;';
      const started = Date.now();
      const outcome = await start(script, { waitMs: 60_000, intervalMs: 50_000 });
      expect(Date.now() - started).toBeLessThan(40_000);
      const log = Array.from({ length: 80 }, (_, at) => `line ${at + 121}`);
      expect(outcome).toEqual({ kind: 'died', code: 3, log });
    },
  );

  verifies(
    ['http.start.readiness', 'http.start.failure-log'],
    'that never serves is given up in time, and ended',
    async () => {
      const outcome = await start('console.error("still thinking"); setInterval(() => {}, 1000)', { waitMs: 1500 });
      expect(outcome).toEqual({ kind: 'not_ready', log: ['still thinking'] });
    },
  );

  verifies(
    'http.start.orphan',
    'at a port that another process has is no start, however well that one answers',
    async () => {
      const orphan: Server = createServer((_, response) => response.end('{}'));
      await new Promise<void>((resolve) => orphan.listen(0, '127.0.0.1', resolve));
      const { port } = orphan.address() as AddressInfo;
      const marker = join(directory, 'started');
      const outcome = await start(
        `require('node:fs').writeFileSync(${JSON.stringify(marker)}, ''); ${SERVE}`,
        {},
        port,
      );
      expect(outcome).toEqual({ kind: 'port_taken' });
      await new Promise((resolve) => orphan.close(resolve));
    },
  );
});

import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { JeevesEvent } from '@jeeves/protocol';
import { describe, expect, onTestFinished, test } from 'vitest';
import { verifies } from '../../../test/e2e/verifies.ts';
import { type HttpServer, type HttpServerLimits, startHttpServer } from '../src/httpServer.ts';
import { world } from './world.ts';

const { path, env } = world();
const FAULTY = fileURLToPath(new URL('faulty-http-server.mjs', import.meta.url));

async function start(
  args: readonly string[],
  limits: Partial<HttpServerLimits> = {},
): Promise<{ server: HttpServer; events: JeevesEvent[]; names: () => string[] }> {
  const events: JeevesEvent[] = [];
  const options = { command: process.execPath, args, cwd: path, env: env(), fetch: globalThis.fetch };
  const emit = (event: JeevesEvent): void => void events.push(event);
  const server = await startHttpServer({ ...options, emit, limits: { checkMs: 50, ...limits } });
  onTestFinished(() => server.stop());
  return { server, events, names: () => events.map(({ event }) => event.replace('mcp_pruner.', '')) };
}

describe('a server over HTTP', () => {
  verifies(
    ['runner.http.readiness', 'runner.http.root'],
    'is ready when its health route answers, on a port of its own',
    async () => {
      const program = createRequire(import.meta.url).resolve('@jeeves/mcp-pruner/dist/http.js');
      const { server, events, names } = await start([program]);
      const url = server.url() ?? '';
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
      expect(events[0]).toMatchObject({ event: 'mcp_pruner.ready', data: { root: path, host: '127.0.0.1' } });
      expect((await fetch(`${url}/healthz`)).status).toBe(200);
      await server.stop();
      expect(server.state()).toBe('run:shutdown');
      expect(names()).toEqual(['ready', 'stopped']);
      expect(events[1]).toMatchObject({ data: { graceful: true } });
      await expect(fetch(`${url}/healthz`)).rejects.toThrow();
    },
  );

  verifies(
    ['runner.http.readiness', 'runner.http.start-timeout'],
    'that only says that it is ready is not, and is killed when its time is up',
    async () => {
      const { server, names } = await start([FAULTY, 'never-well'], { startMs: 1000 });
      expect(server.url()).toBeUndefined();
      expect(names()).toEqual(['start_timeout', 'spawn_error', 'start_failed', 'disabled']);
      await server.stop();
      expect(names().at(-1)).toBe('not_running');
    },
  );

  verifies('runner.http.shutdown', 'that ignores SIGTERM is killed after its time of grace', async () => {
    const { server, names } = await start([FAULTY, 'stubborn'], { shutdownMs: 300 });
    await server.stop();
    expect(names()).toEqual(['ready', 'kill_escalated', 'stopped']);
    expect(server.state()).toBe('run:shutdown');
  });

  verifies('runner.http.unreachable', 'that fails to answer again and again is lost for the run', async () => {
    const { server, events, names } = await start([FAULTY, 'sickens']);
    await expect.poll(() => server.state(), { timeout: 10_000 }).toBe('run:mcp_pruner_degraded');
    expect(server.url()).toBeUndefined();
    expect(names()).toEqual(['ready', 'unreachable', 'degraded']);
    expect(events[1]).toMatchObject({ data: { failures: 3, message: 'the health route answered 503' } });
    await server.stop();
    expect(names().slice(3)).toEqual(['stopped', 'shutdown_after_degraded']);
  });

  test('that ends by itself is lost, too', async () => {
    const { server, events, names } = await start([FAULTY, 'well']);
    const pid = events[0]?.event === 'mcp_pruner.ready' ? (events[0].data.pid ?? 0) : 0;
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => server.state(), { timeout: 10_000 }).toBe('run:mcp_pruner_degraded');
    expect(names()).toEqual(['ready', 'exited', 'degraded']);
    expect(events[2]).toMatchObject({ data: { reason: 'exited', signal: 'SIGKILL' } });
  });

  test.each([
    ['exits at once', [FAULTY, 'exits'], 'the server ended with exit code 4'],
    ['is not there', ['/nowhere.mjs'], 'the server ended with exit code 1'],
  ])('that %s is given up at once', async (_, args, message) => {
    const { names, events } = await start(args);
    expect(names()).toEqual(['spawn_error', 'start_failed', 'disabled']);
    expect(events[1]).toMatchObject({ data: { message } });
  });
});

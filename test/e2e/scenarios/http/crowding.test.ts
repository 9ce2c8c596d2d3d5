import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { startFaultServer } from '../../../../packages/engine/test/backends/fault-server.ts';
import { verifies } from '../../verifies.ts';
import { cleanUpServices, type Service, startService } from '../text/service.ts';
import { callOf, postMcp } from './posting.ts';

cleanUpServices();

const LINES = Array.from(
  { length: 400 },
  (_, at) => `${at === 200 ? 'the port is 8006' : `row ${at} of no interest`}\n`,
);

describe('a service whose pruner is at its own address', () => {
  verifies('http.asks-not-itself', 'prunes many outputs at once, and none over HTTP', async () => {
    const port = await freePort();
    const env = { PRUNER_URL: `http://localhost:${port}/prune` };
    const service = await startService({ args: ['--port', String(port)], env });
    writeFileSync(join(service.home, 'rows.txt'), LINES.join(''));
    const args = { file_path: 'rows.txt', context_focus_question: 'Which port is it?' };
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, at) => postMcp(service, callOf('read', args, at))),
    );
    const pruned = replies.map(({ json }) => json.result.structuredContent.pruning);
    const embedded: unknown = expect.objectContaining({ applied: true, backend: 'embedded' });
    expect(pruned).toEqual(pruned.map(() => embedded));
  });
});

describe('callers that leave', () => {
  verifies('http.gone-callers', 'free their places, and what waited is never sent to the cloud', async () => {
    const cloud = await startFaultServer();
    try {
      const service = await startService({
        env: {
          KIMI_PRUNING_BACKEND: 'deepinfra',
          DEEPINFRA_API_KEY: 'sk_0123456789abcdefghijklmnop',
          DEEPINFRA_ENDPOINT_URL: cloud.url('no-answer'),
          DEEPINFRA_TIMEOUT_MS: '600000',
        },
      });
      const leaving = new AbortController();
      const calls = Array.from({ length: 60 }, (_, at) => callThatLeaves(service, at, leaving.signal));
      await expect.poll(() => gauge(service, 'waiting'), { timeout: 15_000 }).toBe(44);
      await expect.poll(() => cloud.openExchanges(), { timeout: 15_000 }).toBe(16);
      leaving.abort();
      await Promise.all(calls);
      const left = async (): Promise<number> => (await gauge(service, 'running')) + (await gauge(service, 'waiting'));
      await expect.poll(left, { timeout: 15_000 }).toBe(0);
      expect(cloud.requests).toHaveLength(16);
      await expect.poll(() => cloud.openExchanges(), { timeout: 15_000 }).toBe(0);
    } finally {
      await cloud.close();
    }
  });
});

async function callThatLeaves({ port }: Service, at: number, signal: AbortSignal): Promise<void> {
  const options = { max_prune_ratio: 0.9, min_keep_lines: 1, timeout_ms: 300_000, annotate_lines: false };
  const args = { text: `${at}\n${LINES.join('')}`, goal_hint: 'port', source_type: 'logs' };
  await fetch(`http://127.0.0.1:${port}/rpc`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(callOf('prune_text', { ...args, options: { ...options, include_markers: true } }, at)),
    signal,
  }).catch(() => undefined);
}

async function gauge({ get }: Service, what: 'running' | 'waiting'): Promise<number> {
  const { text } = await get('/metrics');
  return Number(new RegExp(`^jeeves_requests_${what} (\\d+)$`, 'm').exec(text)?.[1]);
}

/** One that nobody had a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import { verifies } from '../../verifies.ts';
import { cleanUpServices, type Service, startService } from '../text/service.ts';
import { callOf, postMcp, requestOf } from './posting.ts';

cleanUpServices();
let service: Service;
beforeAll(async () => {
  service = await startService({ program: 'jeeves-mcp-pruner' });
  writeFileSync(join(service.home, 'server.log'), LOG);
});

const LOG = Array.from({ length: 400 }, (_, at) => `12:00:${at} INFO request ${at} was served from the cache\n`)
  .toSpliced(200, 1, '12:00:200 ERROR the port 8006 is taken\n')
  .join('');

const BOTH = { accept: 'application/json, text/event-stream' };

describe('POST /mcp', () => {
  verifies('http.mcp.post', 'answers plain posts, and errors of JSON-RPC with status 200', async () => {
    const hello = await postMcp(service, requestOf('initialize', { protocolVersion: '2025-11-25' }));
    expect(hello.json.result).toMatchObject({
      protocolVersion: '2025-11-25',
      serverInfo: { name: '@jeeves/mcp-pruner' },
      capabilities: { tools: { listChanged: false } },
      jeeves: { schemaVersion: 1 },
    });
    const list = await postMcp(service, requestOf('tools/list'));
    expect(list.json.result.tools[0]).toMatchObject({ name: 'read', inputSchema: { type: 'object' } });
    const read = await postMcp(service, callOf('read', { file_path: 'server.log' }));
    expect(read.json.result.structuredContent.content).toBe(LOG);
    for (const [message, code] of [
      ['{', -32700],
      [[], -32600],
      [requestOf('nope'), -32601],
      [callOf('read', {}), -32602],
    ] as const) {
      const { status, json } = await postMcp(service, message);
      expect([status, json.error.code]).toEqual([200, code]);
    }
  });

  verifies('http.notifications', 'answers a notification with 202 and nothing', async () => {
    for (const headers of [{}, await greeted('2025-11-25')]) {
      const { status, json } = await postMcp(service, { jsonrpc: '2.0', method: 'notifications/initialized' }, headers);
      expect([status, json]).toEqual([202, undefined]);
    }
  });

  verifies('http.mcp.headers', 'holds a post with protocol headers to the rules of its revision', async () => {
    const legacy = await greeted('2025-06-18');
    expect((await postMcp(service, requestOf('ping'), { accept: 'application/json' })).status).toBe(200);
    expect((await postMcp(service, requestOf('ping'), { ...legacy, accept: 'application/json' })).status).toBe(406);
    expect((await postMcp(service, requestOf('ping'), legacy)).status).toBe(200);
    expect((await postMcp(service, '{', legacy)).status).toBe(400);
    const modern = { ...BOTH, 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };
    const missing = await postMcp(service, requestOf('tools/list', {}), modern);
    expect([missing.status, missing.json.error.code]).toEqual([400, -32602]);
    const mismatch = await postMcp(service, requestOf('prompts/list', {}), modern);
    expect([mismatch.status, mismatch.json.error.code]).toEqual([400, -32020]);
  });

  verifies(
    'http.protocol-version',
    'refuses a revision it does not know, and takes none for a plain post',
    async () => {
      const unknown = await postMcp(service, requestOf('ping'), { ...BOTH, 'mcp-protocol-version': '1999-01-01' });
      expect([unknown.status, unknown.json.error.code]).toEqual([400, -32022]);
      expect(unknown.json.error.data).toMatchObject({ requested: '1999-01-01' });
      expect(unknown.json.error.data.supported).toContain('2026-07-28');
      expect((await postMcp(service, requestOf('ping'), { 'mcp-session-id': 'x', ...BOTH })).status).toBe(404);
      expect((await postMcp(service, requestOf('ping'))).status).toBe(200);
    },
  );

  verifies('http.sessions', 'gives random sessions, asks for them, and knows none that it did not give', async () => {
    const hello = (): Promise<Awaited<ReturnType<typeof postMcp>>> =>
      postMcp(service, requestOf('initialize', { protocolVersion: '2025-11-25' }), BOTH);
    const [one, two] = [await hello(), await hello()].map(({ headers }) => headers.get('mcp-session-id') ?? '');
    expect(one).toMatch(/^[\x21-\x7e]{20,}$/);
    expect(one).not.toBe(two);
    const legacy = { ...BOTH, 'mcp-protocol-version': '2025-11-25' };
    const status = async (session: object): Promise<number> =>
      (await postMcp(service, requestOf('ping'), { ...legacy, ...session })).status;
    expect(await status({ 'mcp-session-id': one })).toBe(200);
    expect(await status({})).toBe(400);
    expect(await status({ 'mcp-session-id': `${one}x` })).toBe(404);
    // A restart loses nobody: what a session means stands in its id.
    const next = await startService({ program: 'jeeves-mcp-pruner' });
    const again = await postMcp(next, requestOf('ping'), { ...legacy, 'mcp-session-id': one ?? '' });
    expect(again.status).toBe(200);
  });
});

describe('parallel clients', () => {
  verifies('security.t16.no-cross-talk', 'see only their own answers', async () => {
    const clients = 50;
    const calls = 10;
    const legacy = await greeted('2025-11-25');
    const wrong = await Promise.all(
      Array.from({ length: clients }, async (_, client) => {
        let others = 0;
        for (let at = 0; at < calls; at += 1) {
          const canary = `canary-${client}-${at}`;
          const headers = client % 2 === 0 ? {} : legacy;
          const { json, status } = await patient(() =>
            postMcp(service, callOf('read', { file_path: canary }, at), headers),
          );
          const own = json?.id === at && JSON.stringify(json.result).includes(canary);
          if (status !== 200 || !own) others += 1;
        }
        return others;
      }),
    );
    expect(wrong.reduce((sum, count) => sum + count, 0)).toBe(0);
  });
});

/** The headers of a client after its handshake. */
async function greeted(version: string): Promise<Record<string, string>> {
  const { headers } = await postMcp(service, requestOf('initialize', { protocolVersion: version }), BOTH);
  return { ...BOTH, 'mcp-protocol-version': version, 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
}

/** Does as a client that is told to come back: comes back. */
async function patient(ask: () => ReturnType<typeof postMcp>): ReturnType<typeof postMcp> {
  for (;;) {
    const answer = await ask();
    if (answer.status !== 503) return answer;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

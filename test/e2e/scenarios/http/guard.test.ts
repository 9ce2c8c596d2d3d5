import { beforeAll, describe, expect } from 'vitest';
import { postText, requestText, sendRaw } from '../../../../packages/mcp-pruner/test/host/http/raw.ts';
import { verifies } from '../../verifies.ts';
import { cleanUpServices, launch, type Service, startService } from '../text/service.ts';
import { callOf, postMcp, requestOf, tokenOf } from './posting.ts';

cleanUpServices();
let service: Service;
beforeAll(async () => {
  service = await startService();
});

const ROUTES = [
  ['/mcp', 'POST'],
  ['/rpc', 'POST'],
  ['/prune', 'POST'],
  ['/health', 'GET'],
  ['/healthz', 'GET'],
  ['/metrics', 'GET'],
] as const;

const JSON_TYPE = ['content-type', 'application/json'] as const;
const HUGE = ['content-length', String(16 * 1024 * 1024 + 1)] as const;
const WRONG = ['authorization', 'Bearer wrong'] as const;
const HOST = ['host', 'localhost'] as const;

async function tools(headers: Readonly<Record<string, string>>): Promise<string[]> {
  const reply = await postMcp(service, requestOf('tools/list'), headers);
  return reply.json.result.tools.map(({ name }: { name: string }) => name);
}

describe('the guard', () => {
  verifies(['http.guard-order', 'http.one-listener'], 'checks in one order on every route', async () => {
    for (const [path, verb] of ROUTES) {
      const codes: string[] = [];
      // Each request breaks every rule but those that come before it.
      for (const [line, headers] of [
        [`PUT ${path}`, [['host', 'evil.example'], WRONG, HUGE]],
        [`PUT ${path}`, [HOST, ['origin', 'http://evil.example'], WRONG, HUGE]],
        [`PUT ${path}`, [HOST, WRONG, HUGE]],
        [`${verb} ${path}`, [HOST, WRONG, HUGE]],
        [`${verb} ${path}`, [HOST, JSON_TYPE, WRONG, HUGE]],
        [`${verb} ${path}`, [HOST, JSON_TYPE, HUGE]],
      ] as const) {
        const { status, body } = await sendRaw(service.port, requestText(line, headers));
        codes.push(`${status} ${JSON.parse(body).error.code}`);
      }
      expect(codes, path).toEqual([
        '403 forbidden',
        '403 forbidden',
        '405 method_not_allowed',
        verb === 'POST' ? '415 unsupported_media_type' : '401 unauthorized',
        '401 unauthorized',
        '413 payload_too_large',
      ]);
    }
  });

  verifies(['http.verb', 'http.media-type'], 'says which verb a route takes, and refuses other bodies', async () => {
    for (const [path, verb] of ROUTES) {
      const other = verb === 'POST' ? 'GET' : 'DELETE';
      const reply = await sendRaw(service.port, requestText(`${other} ${path}`, [HOST]));
      expect([reply.status, reply.headers.get('allow'), JSON.parse(reply.body)]).toEqual([
        405,
        verb,
        { ok: false, error: { code: 'method_not_allowed', message: expect.any(String) } },
      ]);
    }
    const text = await sendRaw(service.port, postText('/mcp', '{}', { 'content-type': 'text/plain' }));
    expect([text.status, JSON.parse(text.body).error.code]).toEqual([415, 'unsupported_media_type']);
  });

  verifies('http.size-limit', 'reads a body of 16 MiB and not a byte more', async () => {
    const shell = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'nope', params: '' });
    const padded = (bytes: number): string => shell.replace('""', `"${'x'.repeat(bytes - shell.length)}"`);
    const limit = 16 * 1024 * 1024;
    const largest = await service.post('/rpc', JSON.parse(padded(limit)));
    expect([largest.status, largest.json.error.code]).toEqual([200, -32601]);
    const { status, json } = await service.post('/rpc', JSON.parse(padded(limit + 1)));
    expect([status, json.error.code]).toEqual([413, 'payload_too_large']);
    expect((await service.get('/health')).status).toBe(200);
  });

  verifies('http.guard-order', 'knows no other route, for whoever asks', async () => {
    const { status, json } = await service.get('/nothing');
    expect([status, json]).toEqual([404, { ok: false, error: { code: 'not_found', message: 'no such route' } }]);
    const strange = await sendRaw(service.port, requestText('GET /nothing', [['host', 'evil.example']]));
    expect(strange.status).toBe(403);
  });
});

describe('a shell over HTTP', () => {
  verifies('http.bash-needs-token', 'is there for callers with the token, and unknown to others', async () => {
    const shown = tokenOf(service);
    expect(await tools({})).toEqual(['read', 'grep', 'prune_text', 'recover_text', 'health']);
    expect(await tools(shown)).toEqual(['read', 'bash', 'grep', 'prune_text', 'recover_text', 'health']);
    const call = callOf('bash', { command: 'echo $((6 * 7))' });
    const without = await postMcp(service, call);
    const unknown = await postMcp(service, callOf('no_such_tool', {}));
    expect([without.status, without.json.error.code]).toEqual([200, -32602]);
    expect(without.json.error.data.issues).toEqual(unknown.json.error.data.issues);
    const allowed = await postMcp(service, call, shown);
    expect(allowed.json.result.structuredContent.stdout).toBe('42\n');
    const wrong = await postMcp(service, call, { authorization: 'Bearer no' });
    expect([wrong.status, wrong.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  });

  verifies('http.loopback-without-token', 'is not needed to read, search and prune', async () => {
    const read = await postMcp(service, callOf('read', { file_path: 'nothing.txt' }));
    expect(read.json.result.structuredContent.error.code).toBe('not_found');
    const grep = await postMcp(service, callOf('grep', { pattern: 'x' }));
    expect(grep.json.result.structuredContent.match_count).toBe(0);
    expect((await service.rpc('health')).result.status).toBe('healthy');
  });
});

describe('another address than loopback', () => {
  const START_FAILED = 'mcp_pruner.start_failed';

  verifies(
    'http.non-loopback',
    'is refused without a token of the user’s, and without names to answer to',
    async () => {
      for (const env of [
        {},
        { MCP_PRUNER_TOKEN: 'mine' },
        { MCP_PRUNER_ALLOWED_HOSTS: 'pruner.example' },
        { MCP_PRUNER_TOKEN: '', MCP_PRUNER_ALLOWED_HOSTS: 'pruner.example' },
      ]) {
        const started = launch({ args: ['--host', '0.0.0.0'], env });
        expect(await started.exit).toBe(2);
        const failed = started.events.find(({ event }) => event === START_FAILED);
        expect(failed?.data?.['message']).toMatch(/^invalid_host: .* not loopback/);
      }
    },
  );

  verifies('http.non-loopback', 'is served with both, to callers that show the token', async () => {
    const env = { MCP_PRUNER_TOKEN: 'mine', MCP_PRUNER_ALLOWED_HOSTS: 'pruner.example' };
    const open = await startService({ args: ['--host', '0.0.0.0'], env });
    expect(open.events[0]?.data).not.toHaveProperty('token_file');
    const get = async (headers: readonly (readonly [string, string])[]): Promise<number> =>
      (await sendRaw(open.port, requestText('GET /health', headers))).status;
    expect(await get([['host', 'pruner.example']])).toBe(401);
    expect(await get([HOST])).toBe(401);
    expect(await get([HOST, ['authorization', 'Bearer mine']])).toBe(200);
    expect(
      await get([
        ['host', 'other.example'],
        ['authorization', 'Bearer mine'],
      ]),
    ).toBe(403);
  });
});

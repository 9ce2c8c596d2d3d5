import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { createOwners, ownerIn } from '../../../../packages/mcp-pruner/src/host/http/owners.ts';
import { verifies } from '../../verifies.ts';
import { callOf, postMcp, requestOf, tokenOf } from '../http/posting.ts';
import { cleanUpServices, type Service, startService } from '../text/service.ts';
import { asAnotherUser, canBeAnotherUser } from './other-user.ts';

cleanUpServices();

type Asked = readonly [method: string, path: string, body: unknown, headers?: Readonly<Record<string, string>>];

/** What another user of this machine gets: the status and the body of every request. */
async function askedByAnother({ port }: Service, requests: readonly Asked[]): Promise<[number, string][]> {
  const out = await asAnotherUser(`
    (async () => {
      const answers = [];
      for (const [method, path, body, headers] of ${JSON.stringify(requests)}) {
        const reply = await fetch('http://127.0.0.1:${port}' + path, {
          method,
          headers: { 'content-type': 'application/json', ...headers },
          ...(method === 'POST' && { body: JSON.stringify(body) }),
        });
        answers.push([reply.status, await reply.text()]);
      }
      console.log(JSON.stringify(answers));
    })();`);
  return JSON.parse(out);
}

const PRUNE = { query: 'x', code: 'a\nb\n' };
const POSTS: readonly Asked[] = [
  ['POST', '/mcp', requestOf('tools/list')],
  ['POST', '/mcp', callOf('read', { file_path: 'secret.txt' })],
  ['POST', '/mcp', callOf('context_search_stashed', { all_projects: true })],
  [
    'POST',
    '/mcp',
    callOf('context_gc_prune', { project_id: 'p', segment_ids: ['a'], action: 'delete', confirm: true }),
  ],
  ['POST', '/rpc', requestOf('tools/list')],
  ['POST', '/prune', PRUNE],
];

describe('HTTP on a shared host', () => {
  verifies('doors.same-user', 'serves its own user without a token and nobody else', async () => {
    const service = await startService({ env: { MCP_PRUNER_TOOLS: 'files,text,context' } });
    writeFileSync(join(service.home, 'secret.txt'), 'the owner’s secret\n', { mode: 0o600 });
    const own = await postMcp(service, callOf('read', { file_path: 'secret.txt' }));
    expect(JSON.stringify(own.json)).toContain('the owner’s secret');
    expect((await service.post('/prune', PRUNE)).status).toBe(200);
    if (canBeAnotherUser) {
      for (const [status, body] of await askedByAnother(service, POSTS)) {
        expect(status).toBe(401);
        expect(JSON.parse(body)).toMatchObject({ ok: false, error: { code: 'unauthorized' } });
      }
    } else await expectOwnersAreTold(service);
  });

  verifies('doors.same-user', 'serves another user that shows the token', async () => {
    const service = await startService({ env: { MCP_PRUNER_TOOLS: 'files,text' } });
    const headers = tokenOf(service);
    const asked: Asked[] = [['POST', '/mcp', requestOf('tools/list'), headers]];
    if (canBeAnotherUser) {
      const [[status, body] = [0, '']] = await askedByAnother(service, asked);
      expect(status).toBe(200);
      expect(body).toContain('"bash"');
    } else await expectOwnersAreTold(service);
  });

  verifies('doors.same-user', 'leaves health and metrics open to everybody', async () => {
    const service = await startService();
    const paths = ['/health', '/healthz', '/metrics'];
    for (const path of paths) expect((await service.get(path)).status).toBe(200);
    if (canBeAnotherUser) {
      const answers = await askedByAnother(
        service,
        paths.map((path) => ['GET', path, undefined] as const),
      );
      expect(answers.map(([status]) => status)).toEqual([200, 200, 200]);
    } else await expectOwnersAreTold(service);
  });

  verifies('doors.same-user', 'does nothing for another user that sends and hangs up', async () => {
    const service = await startService({ env: { MCP_PRUNER_TOOLS: 'context' } });
    const stash = callOf('context_stash', { project_id: 'p', segments: [{ segment_id: 'a', text: 'kept' }] });
    expect(JSON.stringify((await postMcp(service, stash)).json)).toContain('"a"');
    const remove = { project_id: 'p', segment_ids: ['a'], action: 'delete', confirm: true };
    const body = JSON.stringify(callOf('context_gc_prune', remove));
    const head = `POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`;
    if (canBeAnotherUser) {
      await asAnotherUser(`
        let left = 50;
        const next = () => {
          if (left-- === 0) return;
          const socket = require('node:net').connect(${service.port}, '127.0.0.1', () => {
            socket.write(${JSON.stringify(head + body)}, () => { socket.destroy(); next(); });
          });
        };
        next();`);
    } else await expectOwnersAreTold(service);
    const found = await postMcp(service, callOf('context_search_stashed', { project_id: 'p' }));
    expect(JSON.stringify(found.json)).toContain('kept');
  });
});

/** Where nobody can become another user: the lookup that decides, on a real connection of this one. */
async function expectOwnersAreTold({ port }: Service): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  await new Promise((resolve) => socket.once('connect', resolve));
  const { localAddress, localPort, remoteAddress, remotePort } = socket;
  // Seen from the service, the ends are the other way round.
  const ends = {
    remoteAddress: localAddress,
    remotePort: localPort,
    localAddress: remoteAddress,
    localPort: remotePort,
  };
  const seen = Object.assign(Object.create(socket) as typeof socket, {});
  Object.defineProperties(seen, Object.fromEntries(Object.entries(ends).map(([name, value]) => [name, { value }])));
  const own = process.geteuid?.() ?? -1;
  expect(await createOwners(own).isSameUser(seen)).toBe(process.platform === 'linux');
  expect(await createOwners(own + 1).isSameUser(seen)).toBe(false);
  expect(ownerIn('', ends)).toBe(undefined);
  socket.destroy();
}

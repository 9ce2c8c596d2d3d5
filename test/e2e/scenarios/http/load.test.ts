import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import { openRaw, type RawConnection } from '../../../../packages/mcp-pruner/test/host/http/raw.ts';
import { verifies } from '../../verifies.ts';
import { cleanUpServices, type Service, startService } from '../text/service.ts';
import { callOf, postMcp, tokenOf } from './posting.ts';

cleanUpServices();
let service: Service;
beforeAll(async () => {
  service = await startService({ env: { MCP_PRUNER_SHELL_LOGIN: '0' } });
});

async function called(message: object): Promise<{ readonly status: number; readonly retryAfter: string | null }> {
  const { status, headers } = await postMcp(service, message, tokenOf(service));
  return { status, retryAfter: headers.get('retry-after') };
}

describe('more than there is room for', () => {
  verifies('http.busy', 'is told so at once, while health answers and what is taken is done', async () => {
    // Sixteen are worked on and sixty-four wait, all of them until there is a file.
    const command = 'until [ -e go ]; do sleep 0.2; done';
    const calls = Array.from({ length: 120 }, (_, at) => called(callOf('bash', { command }, at)));
    await expect.poll(() => shedCount(service), { timeout: 15_000 }).toBe(40);
    expect((await service.get('/healthz')).status).toBe(200);
    expect((await service.get('/health')).status).toBe(200);
    writeFileSync(join(service.home, 'go'), '');
    const replies = await Promise.all(calls);
    const [done, turned] = [200, 503].map((status) => replies.filter((reply) => reply.status === status));
    expect([done?.length, turned?.length]).toEqual([80, 40]);
    expect(new Set(turned?.map(({ retryAfter }) => retryAfter))).toEqual(new Set(['1']));
    // And when it is over, it is over.
    expect((await called(callOf('bash', { command: 'true' }))).status).toBe(200);
  });
});

describe('five hundred connections that drip', () => {
  verifies('security.t25.slow-clients', 'do not delay others', async () => {
    const connections: RawConnection[] = [];
    for (let at = 0; at < 500; at += 1) {
      const connection = await openRaw(service.port);
      const half = at % 2 === 0;
      connection.write(half ? 'POST /rpc HTTP/1.1\r\nHost: localh' : BODY_TO_COME);
      connections.push(connection);
    }
    const drip = setInterval(() => {
      for (const { write } of connections) write('x');
    }, 500);
    const times: number[] = [];
    for (let at = 0; at < 20; at += 1) {
      const started = performance.now();
      expect((await service.rpc('tools/list')).result.tools).toHaveLength(3);
      times.push(performance.now() - started);
    }
    clearInterval(drip);
    const [median = Number.NaN] = times.toSorted((a, b) => a - b).slice(10);
    expect(median).toBeLessThan(500);
    for (const { socket } of connections) socket.destroy();
  });
});

const BODY_TO_COME =
  'POST /rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{';

async function shedCount({ get }: Service): Promise<number> {
  const { text } = await get('/metrics');
  const line = text.split('\n').find((each) => each.includes('status="503"') && each.includes('_total'));
  return Number(line?.split(' ').at(-1) ?? 0);
}

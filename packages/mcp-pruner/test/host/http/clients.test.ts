import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { beforeAll, describe, expect } from 'vitest';
import { tokenOf } from '../../../../../test/e2e/scenarios/http/posting.ts';
import { cleanUpServices, type Service, startService } from '../../../../../test/e2e/scenarios/text/service.ts';
import { verifies } from '../../../../../test/e2e/verifies.ts';

cleanUpServices();
let service: Service;
beforeAll(async () => {
  service = await startService({ program: 'jeeves-mcp-pruner' });
  writeFileSync(join(service.home, 'server.log'), LOG);
});

const LOG = Array.from({ length: 400 }, (_, at) => `12:00:${at} INFO request ${at} was served from the cache\n`)
  .toSpliced(200, 1, '12:00:200 ERROR the port 8006 is taken\n')
  .join('');

describe('the official client', () => {
  const ERAS = [
    ['with a handshake', 'legacy', '2025-11-25'],
    ['without one', { pin: '2026-07-28' }, '2026-07-28'],
    ['that finds out itself', 'auto', '2026-07-28'],
  ] as const;

  for (const [title, mode, version] of ERAS) {
    verifies(
      'http.mcp.streamable',
      `${title} lists and calls tools, over a stream where it wants to hear of progress`,
      async () => {
        const requestInit = { headers: tokenOf(service) };
        const url = new URL(`http://127.0.0.1:${service.port}/mcp`);
        const client = new Client({ name: 'tester', version: '1' }, { versionNegotiation: { mode } });
        await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
        expect(client.getNegotiatedProtocolVersion()).toBe(version);
        expect(client.getServerVersion()?.name).toBe('@jeeves/mcp-pruner');
        const { tools } = await client.listTools();
        expect(tools.map(({ name }) => name)).toContain('bash');
        const args = { file_path: 'server.log', context_focus_question: 'Which port is taken?' };
        const pruned = await client.callTool({ name: 'read', arguments: args });
        expect(JSON.stringify(pruned.content)).toContain('ERROR the port 8006 is taken');
        expect(pruned.structuredContent).toMatchObject({ pruning: { applied: true } });
        const slow = { name: 'bash', arguments: { command: 'for i in 1 2 3; do echo $i; sleep 0.1; done' } };
        const ran = await client.callTool(slow, { onprogress: () => undefined });
        expect(ran.structuredContent).toMatchObject({ stdout: '1\n2\n3\n', exit_code: 0 });
        await expect(client.callTool({ name: 'read', arguments: {} })).rejects.toMatchObject({ code: -32602 });
        await client.close();
      },
    );
  }

  verifies('http.mcp.streamable', 'stops a command that it gives up on', async () => {
    const url = new URL(`http://127.0.0.1:${service.port}/mcp`);
    const mode = { pin: '2026-07-28' };
    const client = new Client({ name: 'tester', version: '1' }, { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers: tokenOf(service) } }));
    const file = join(service.home, 'alive');
    const command = `trap 'echo ended > ${file}' TERM; echo started > ${file}; sleep 600 & wait`;
    const controller = new AbortController();
    const calling = client.callTool({ name: 'bash', arguments: { command } }, { signal: controller.signal });
    await expect.poll(() => contentOf(file), { timeout: 15_000 }).toBe('started\n');
    controller.abort();
    await expect(calling).rejects.toThrow();
    await expect.poll(() => contentOf(file), { timeout: 15_000 }).toBe('ended\n');
    await client.close();
  });
});

async function contentOf(file: string): Promise<string> {
  return await readFile(file, 'utf8').catch(() => '');
}

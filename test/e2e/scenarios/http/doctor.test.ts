import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { verifies } from '../../verifies.ts';
import { desk } from '../cli/program.ts';
import { cleanUpServices, type Service, startService } from '../text/service.ts';

cleanUpServices();
const home = desk();
let service: Service;
beforeAll(async () => {
  service = await startService();
});

/** Somebody else's server, at a port that Jeeves was told to use. */
const stranger = createServer((_, response) => response.writeHead(404).end('not here'));
let strangersPort = 0;
beforeAll(async () => {
  await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
  strangersPort = (stranger.address() as AddressInfo).port;
});
afterAll(() => new Promise((resolve) => stranger.close(resolve)));

function tokens(text: string): number {
  return Number(text.replaceAll(',', ''));
}

interface Finding {
  readonly name: string;
  readonly status: string;
  readonly found: string;
  readonly fix?: string;
}

async function visit(args: readonly string[], env: Record<string, string> = {}) {
  const { code, out, err } = await home.run(['doctor', '--json', ...args], { env });
  const { ok, checks } = JSON.parse(out) as { ok: boolean; checks: Finding[] };
  return { code, ok, err, find: (name: string) => checks.find((check) => check.name === name), checks };
}

describe('jeeves doctor', () => {
  verifies('cli.doctor', 'finds every part of a fresh install in order, and shows what pruning does', async () => {
    const { code, ok, checks, find, err } = await visit([]);
    expect([code, ok, err]).toEqual([0, true, '']);
    expect(checks.filter(({ status }) => status === 'broken')).toEqual([]);
    for (const name of ['stdio server', 'HTTP service']) {
      const [, before = '', after = ''] = /from ([\d,]+) to ([\d,]+) tokens/.exec(find(name)?.found ?? '') ?? [];
      expect(tokens(after)).toBeGreaterThan(0);
      expect(tokens(after)).toBeLessThan(tokens(before) / 2);
    }
    expect(find('store')?.found).toContain(join(home.path, '.local', 'state', 'jeeves', 'jeeves.db'));
    expect(find('login shell')?.found).toMatch(/^bash -lc takes \d+ ms, bash -c \d+ ms$/);
    expect(find('Node')?.found).toBe(process.versions.node);
  });

  verifies(
    ['cli.doctor', 'http.start.orphan'],
    'names what is broken and how to mend it, and ends with 1',
    async () => {
      const { code, ok, find } = await visit(['--url', `http://127.0.0.1:${strangersPort}`], {
        PRUNER_URL: `http://127.0.0.1:${strangersPort}/prune`,
        JEEVES_STORE: 'sqlite:/proc/jeeves.db',
        MCP_PRUNER_PORT: String(strangersPort),
        MCP_PRUNER_CWD: '/nowhere',
        KIMI_PRUNING_BACKEND: 'deepinfra',
      });
      expect([code, ok]).toEqual([1, false]);
      for (const name of ['settings', 'store', 'HTTP service', 'pruner', 'DeepInfra']) {
        expect(find(name)).toMatchObject({ status: 'broken', fix: expect.stringMatching(/\w/) });
      }
      expect(find('settings')?.fix).toContain('MCP_PRUNER_CWD');
      expect(find('DeepInfra')?.fix).toContain('set DEEPINFRA_API_KEY');
      expect(find(`port ${strangersPort}`)).toMatchObject({
        status: 'broken',
        fix: expect.stringContaining('--port 0'),
        found: expect.stringContaining('not Jeeves'),
      });
    },
  );

  verifies('cli.doctor', 'asks a service that runs already, and a pruner that is one', async () => {
    const env = { PRUNER_URL: `${service.url}/prune`, MCP_PRUNER_PORT: String(service.port) };
    const { out, code } = await home.run(['doctor', '--url', service.url], { env });
    expect(code).toBe(0);
    expect(out).toMatch(/^✓ HTTP service +pruned a log/m);
    expect(out).toMatch(/^✓ pruner +http:\S+ prunes$/m);
    expect(out).toMatch(/^✓ port \d+ +a Jeeves [\d.]+ answers there already$/m);
    expect((await service.call('health', {})).metrics.calls_total).toBe(2);
  });
});

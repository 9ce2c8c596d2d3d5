import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type FaultServer, startFaultServer } from '../../../../packages/engine/test/backends/fault-server.ts';
import { cleanUp, startServer } from '../../../../packages/mcp-pruner/test/harness.ts';
import { verifies } from '../../verifies.ts';
import { desk } from '../cli/program.ts';
import { unprivileged } from '../server/site.ts';
import {
  cleanUpServices,
  launch,
  type Service,
  type ServiceOptions,
  startService,
  temporaryHome,
} from '../text/service.ts';

cleanUpServices();
afterAll(cleanUp);

const KEY = 'sk_deepinfra_0123456789abcdefghijklmnop';
const TEXT = Array.from(
  { length: 60 },
  (_, at) => `Item ${at} has ${at === 17 ? 'the zebra' : 'other colours'}.\n`,
).join('\n');
const ASKED = { text: TEXT, goal_hint: 'Where is the zebra?', source_type: 'docs' } as const;

let cloud: FaultServer;
beforeAll(async () => {
  cloud = await startFaultServer();
  cloud.reply = (body) => ({ scores: (body as { documents: string[] }).documents.map(() => 0.4) });
});
afterAll(() => cloud.close());

/** A home with a configuration file in it. */
function homeWith(toml: string): string {
  const home = temporaryHome();
  mkdirSync(join(home, '.config', 'jeeves'), { recursive: true });
  writeFileSync(join(home, '.config', 'jeeves', 'config.toml'), toml);
  return home;
}

async function withService(options: ServiceOptions, use: (service: Service) => Promise<void>): Promise<void> {
  const service = await startService(options);
  try {
    await use(service);
  } finally {
    await service.stop();
  }
}

/** The backend that the stats of a call name, and how many requests it cost. */
async function asked(service: Service): Promise<[string, number]> {
  const before = cloud.requests.length;
  const { stats } = await service.prune(ASKED);
  return [stats.backend, cloud.requests.length - before];
}

/** An environment in which the reranker can be asked. */
function env(backend?: string): Record<string, string | undefined> {
  return { DEEPINFRA_API_KEY: KEY, DEEPINFRA_ENDPOINT_URL: cloud.url('ok'), KIMI_PRUNING_BACKEND: backend };
}

/** That so many characters are pruned, and one more is too many. */
async function isLimit(options: ServiceOptions, limit: number): Promise<void> {
  await withService(options, async (service) => {
    expect((await service.prune({ text: 'x'.repeat(limit) })).warnings).toEqual([]);
    expect((await service.prune({ text: 'x'.repeat(limit + 1) })).warnings).toEqual(['input_too_large']);
  });
}

describe('who judges', () => {
  verifies(
    ['config.backend.env', 'config.backend.env-over-toml', 'config.rollback'],
    'is settled by the environment, then the file, then the default',
    async () => {
      const rows: [string | undefined, string, 'deepinfra' | 'heuristic', string[]][] = [
        ['cloud', '', 'deepinfra', []],
        ['heuristic', 'backend = "deepinfra"', 'heuristic', []],
        [undefined, 'backend = "deepinfra"', 'deepinfra', []],
        ['onnx', 'backend = "deepinfra"', 'deepinfra', ['KIMI_PRUNING_BACKEND']],
      ];
      for (const [backend, toml, wanted, problems] of rows) {
        await withService({ env: env(backend), home: homeWith(`[mcp_pruner]\n${toml}\n`) }, async (service) => {
          const calls = wanted === 'deepinfra' ? 1 : 0;
          expect([backend, toml, ...(await asked(service))]).toEqual([backend, toml, wanted, calls]);
          expect(service.problems()).toEqual(problems);
        });
      }
    },
  );

  verifies(
    ['config.backend.toml-key-ignored', 'deepinfra.fallback.config'],
    'gets no key from the file: it is ignored with a warning, and the embedded engine judges',
    async () => {
      const toml = `[mcp_pruner]\nbackend = "deepinfra"\ndeepinfra_api_key = "${KEY}"\ntoken = "${KEY}"\n`;
      const options = { env: { ...env(), DEEPINFRA_API_KEY: undefined }, home: homeWith(toml) };
      await withService(options, async (service) => {
        const before = cloud.requests.length;
        const { stats, warnings } = await service.prune(ASKED);
        expect(warnings).toEqual(['deepinfra_error', 'deepinfra_config_error']);
        expect(stats).toMatchObject({ backend: 'deepinfra', used_fallback: true });
        expect(cloud.requests.length).toBe(before);
        expect(service.problems()).toEqual(['DEEPINFRA_API_KEY', 'MCP_PRUNER_TOKEN']);
        expect(service.out() + service.err()).not.toContain(KEY);
      });
    },
  );

  verifies('deepinfra.secrets.key-silent', 'keeps its key out of logs, replies and the process list', async () => {
    await withService(
      { env: { ...env('deepinfra'), DEEPINFRA_ENDPOINT_URL: cloud.url('status-401') } },
      async (service) => {
        const result = await service.prune({ ...ASKED, text: `${TEXT}${KEY}\n` });
        expect(result.warnings).toEqual(['deepinfra_error', 'deepinfra_http_error']);
        expect(result.stats.deepinfra_http_status).toBe(401);
        const said = [
          service.out(),
          service.err(),
          (await service.get('/health')).text,
          (await service.get('/metrics')).text,
        ];
        expect(said.join('') + JSON.stringify(result.stats)).not.toContain(KEY);
        expect(readFileSync(`/proc/${service.child.pid}/cmdline`, 'utf8')).not.toContain(KEY);
        expect(cloud.requests.at(-1)?.body).not.toContain(KEY);
      },
    );
  });

  verifies(
    ['health.metrics', 'http.env.cache', 'config.cache.alias', 'deepinfra.cache.hit'],
    'is asked again as the cache’s settings say, under both names of its size; health counts it all',
    async () => {
      const rows: [Record<string, string>, string, string[]][] = [
        [{}, '', ['cache_hit']],
        [{ MCP_PRUNER_CACHE_MAX_ENTRIES: '0' }, '', []],
        [{}, 'cache_ttl_s = 0', []],
      ];
      for (const [variables, toml, warnings] of rows) {
        const options = { env: { ...env('deepinfra'), ...variables }, home: homeWith(`[mcp_pruner]\n${toml}\n`) };
        await withService(options, async (service) => {
          await service.prune(ASKED);
          expect([toml, variables, (await service.prune(ASKED)).warnings]).toEqual([toml, variables, warnings]);
          const { metrics } = await service.call('health', {});
          expect(metrics).toMatchObject({ calls_total: 2, calls_deepinfra: 2, fallbacks_deepinfra: 0 });
        });
      }
    },
  );
});

describe('the configuration file', () => {
  verifies('config.file', 'is the user’s own: neither XDG variables nor the working tree count', async () => {
    const home = homeWith('[mcp_pruner]\nmax_input_chars = 10\n');
    const trap = '[mcp_pruner]\nmax_input_chars = 20\n';
    writeFileSync(join(home, 'config.toml'), trap);
    mkdirSync(join(home, 'xdg', 'jeeves'), { recursive: true });
    writeFileSync(join(home, 'xdg', 'jeeves', 'config.toml'), trap);
    await isLimit({ home, env: { XDG_CONFIG_HOME: join(home, 'xdg') } }, 10);
    writeFileSync(join(home, 'other.toml'), '[mcp_pruner]\nmax_input_chars = 30\n');
    await isLimit({ home, env: { JEEVES_CONFIG: '~/other.toml' } }, 30);
    await isLimit({ home, env: { MCP_PRUNER_MAX_INPUT_CHARS: '40' } }, 40);
  });

  verifies(
    'config.toml-unreadable',
    'leaves the defaults in force when it cannot be read, and that is said',
    async () => {
      const home = homeWith('[mcp_pruner\nsecret = "do not repeat me"\n');
      await withService({ home }, async (service) => {
        expect((await service.prune({ text: 'a\n' })).stats.backend).toBe('heuristic');
        expect(service.problems()).toEqual(['JEEVES_CONFIG']);
        expect(service.out()).not.toContain('do not repeat me');
      });
      await withService({ env: { JEEVES_CONFIG: '/nowhere/config.toml' } }, async (service) => {
        expect(service.problems()).toEqual(['JEEVES_CONFIG']);
      });
      const file = join(home, '.config', 'jeeves', 'config.toml');
      chmodSync(file, 0);
      const server = await startServer({ root: home, nodeArgs: unprivileged() });
      await server.until(() => server.events.some(({ event }) => event === 'mcp_pruner.ready'));
      expect(server.events.filter(({ event }) => event.endsWith('config_invalid'))).toMatchObject([
        { data: { variable: 'JEEVES_CONFIG', message: expect.stringContaining('EACCES') } },
      ]);
      await server.close();
    },
  );

  verifies('config.integer-unparsable', 'and the environment get a default for what cannot be read', async () => {
    const toml = '[mcp_pruner]\ndeepinfra_max_docs = 9999\ncache_ttl_s = "soon"\nmax_input_chars = 1.5\nnonsense = 1\n';
    await withService({ home: homeWith(toml), env: { MCP_PRUNER_PRUNE_ID_TTL_S: 'x' } }, async (service) => {
      expect(service.problems()).toEqual([
        'MCP_PRUNER_CACHE_TTL_S',
        'JEEVES_CONFIG',
        'MCP_PRUNER_PRUNE_ID_TTL_S',
        'MCP_PRUNER_MAX_INPUT_CHARS',
        'DEEPINFRA_MAX_DOCS',
      ]);
      expect((await service.prune({ text: 'x'.repeat(2_000_000) })).warnings).toEqual([]);
    });
  });

  verifies('config.file', 'speaks to the server of an agent too, its root among the rest', async () => {
    const root = temporaryHome();
    writeFileSync(join(root, 'where.txt'), 'below\n');
    const home = homeWith(`[mcp_pruner]\ncwd = ${JSON.stringify(root)}\ntools = ["read", "health"]\n`);
    const server = await startServer({ env: { HOME: home, MCP_PRUNER_CWD: undefined } });
    expect((await server.call('read', { file_path: 'where.txt' })).content?.[0]?.text).toBe('below\n');
    const { result } = await server.ask('tools/list');
    const tools = result?.['tools'] as { name: string }[];
    expect(tools.map(({ name }) => name)).toEqual(['read', 'recover_text', 'health']);
    await server.close();
    const lost = homeWith('[mcp_pruner]\ncwd = "/nowhere/at/all"\n');
    const refused = await startServer({ env: { HOME: lost, MCP_PRUNER_CWD: undefined }, client: false });
    expect((await refused.exit).code).toBe(2);
    expect(refused.events.map(({ event }) => event)).toEqual(['mcp_pruner.config_invalid', 'mcp_pruner.start_failed']);
  });
});

describe('limits', () => {
  verifies(
    ['http.env.input-limit', 'text.noop.input-too-large', 'text.noop.recoverable'],
    'of a text are counted in characters; a longer one comes back whole and is recoverable',
    async () => {
      await withService({ env: { MCP_PRUNER_MAX_INPUT_CHARS: '1000' } }, async (service) => {
        const text = `${'é'.repeat(99)}\n`.repeat(10);
        expect((await service.prune({ text })).warnings).toEqual([]);
        const result = await service.prune({ text: `${text}x` });
        expect(result).toMatchObject({ pruned_text: `${text}x`, annotations: [], warnings: ['input_too_large'] });
        expect(result.stats.used_fallback).toBe(true);
        const ranges = [{ start_line: 11, end_line: 11 }];
        const back = await service.call('recover_text', {
          prune_id: result.prune_id,
          ranges,
          include_line_numbers: false,
        });
        expect(back.raw_text).toBe('x');
      });
    },
  );

  verifies(['http.env.ttl', 'store.ttl.rpc'], 'of a text’s life are seconds, 600 unless set', async () => {
    await withService({ env: { MCP_PRUNER_PRUNE_ID_TTL_S: '1' } }, async (service) => {
      const { prune_id } = await service.prune({ text: 'a\n' });
      const args = { prune_id, ranges: [], include_line_numbers: false };
      await expect
        .poll(async () => (await service.rpc('recover_text', args)).error?.code, { timeout: 10_000 })
        .toBe(-32004);
    });
    const home = temporaryHome();
    const store = { JEEVES_STORE: `sqlite:${join(home, 'texts.db')}` };
    const leap = 'data:text/javascript,const now = Date.now; Date.now = () => now() + Number(process.env.LEAP_MS)';
    const later = (ms: number) => ({
      home,
      env: { ...store, LEAP_MS: String(ms), NODE_OPTIONS: `--import "${leap}"` },
    });
    let prune_id = '';
    await withService({ home, env: store }, async (service) => {
      ({ prune_id } = await service.prune({ text: 'a\n' }));
    });
    const ask = { prune_id, ranges: [{ start_line: 1, end_line: 1 }], include_line_numbers: false };
    await withService(later(300_000), async (service) => {
      expect((await service.rpc('recover_text', ask)).result.raw_text).toBe('a\n');
    });
    await withService(later(601_000), async (service) => {
      expect((await service.rpc('recover_text', ask)).error.code).toBe(-32004);
    });
  });
});

describe('jeeves config', () => {
  const home = desk();

  verifies('cli.config', 'shows every setting, where it comes from and what is wrong, and no secret', async () => {
    mkdirSync(join(home.path, '.config', 'jeeves'), { recursive: true });
    writeFileSync(
      join(home.path, '.config', 'jeeves', 'config.toml'),
      `store = "postgres://user:hunter2@db/jeeves?password=hunter2"\n[mcp_pruner]\nport = 9000\nbackend = "cloud"\ndeepinfra_api_key = "${KEY}"\n`,
    );
    const env = { DEEPINFRA_API_KEY: KEY, MCP_PRUNER_HOST: '127.0.0.1', PRUNER_TIMEOUT_MS: 'soon' };
    const { code, out, err } = await home.run(['config', '--json'], { env });
    expect([code, err]).toEqual([0, '']);
    const { file, settings, problems } = JSON.parse(out);
    expect(file).toEqual({ path: join(home.path, '.config', 'jeeves', 'config.toml'), exists: true });
    const byName = new Map(settings.map((row: { name: string }) => [row.name, row]));
    for (const [name, value, from] of [
      ['MCP_PRUNER_HOST', '127.0.0.1', 'env'],
      ['MCP_PRUNER_PORT', '9000', 'file'],
      ['KIMI_PRUNING_BACKEND', 'deepinfra', 'file'],
      ['PRUNER_TIMEOUT_MS', '30000', 'default'],
      ['DEEPINFRA_MAX_DOCS', '64', 'default'],
      ['DEEPINFRA_API_KEY', '********', 'env'],
      ['JEEVES_STORE', 'postgres://********@db/jeeves?password=********', 'file'],
    ]) {
      expect(byName.get(name)).toMatchObject({ value, from });
    }
    expect(problems.map(({ variable }: { variable: string }) => variable)).toEqual([
      'DEEPINFRA_API_KEY',
      'PRUNER_TIMEOUT_MS',
    ]);
    const text = await home.run(['config'], { env });
    expect(text.out).toMatch(/^MCP_PRUNER_PORT +9000 +file$/m);
    expect(text.out).toMatch(/^problem: PRUNER_TIMEOUT_MS: expected an integer/m);
    expect(out + text.out).not.toContain(KEY);
    expect(out + text.out).not.toContain('hunter2');
  });
});

describe('jeeves serve', () => {
  verifies(
    ['cli.serve', 'http.env.listen'],
    'serves where flags, environment or file say, and tells where',
    async () => {
      await withService({ program: 'jeeves serve' }, async (service) => {
        expect(service.err()).toContain(`http://127.0.0.1:${service.port}/rpc`);
        expect((await service.get('/healthz')).json.ok).toBe(true);
        const taken = launch({ program: 'jeeves serve', args: ['--port', String(service.port)] });
        expect(await taken.exit).toBe(2);
        expect(taken.events.at(-1)).toMatchObject({ event: 'mcp_pruner.start_failed' });
      });
      const listens = launch({
        program: 'jeeves serve',
        args: ['--port', '70000'],
        env: { MCP_PRUNER_HOST: 'no host' },
      });
      expect(await listens.exit).toBe(2);
      expect(listens.events.map(({ event, data }) => [event, data?.['variable']])).toEqual([
        ['mcp_pruner.config_invalid', 'MCP_PRUNER_HOST'],
        ['mcp_pruner.config_invalid', 'MCP_PRUNER_PORT'],
        ['mcp_pruner.start_failed', undefined],
      ]);
    },
  );

  verifies('cli.serve', 'ends with 0 when it is told to stop, and leaves no token behind', async () => {
    const service = await startService({ program: 'jeeves serve' });
    expect(await service.stop('SIGINT')).toBe(0);
    expect(service.events.at(-1)).toMatchObject({ event: 'mcp_pruner.stopped', data: { graceful: true } });
    expect(readdirSync(join(service.home, '.local', 'state', 'jeeves'))).toEqual([]);
  });
});

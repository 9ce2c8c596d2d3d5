import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ENV_VARIABLES } from '@jeeves/protocol';
import { afterAll, describe, expect, test } from 'vitest';
import { type Launch, readConfig } from '../../src/config.ts';
import { effectiveSettings } from '../../src/settings/effective.ts';
import { readConfigFile } from '../../src/settings/file.ts';
import { overlaid } from '../../src/settings/values.ts';
import { readSettings, type Settings } from '../../src/settings.ts';

const home = mkdtempSync(join(tmpdir(), 'jeeves-settings-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

let files = 0;

/** Settings as a file and an environment make them. */
async function settings(
  toml: string,
  env: Record<string, string> = {},
  flags: Partial<Launch> = {},
): Promise<Settings> {
  const file = join(home, `${(files += 1)}.toml`);
  writeFileSync(file, toml);
  return await readSettings(readConfig({ JEEVES_CONFIG: file, ...env }, { cwd: home, home, ...flags }));
}

const HTTP = { http: { defaultPort: 8006 } };

function variables({ problems }: Pick<Settings, 'problems'>): string[] {
  return problems.map(({ variable }) => variable);
}

describe('a configuration file', () => {
  test('can say everything that is not a secret', async () => {
    const toml = `
      store = "sqlite:~/texts.db"
      event_file = "events.jsonl"
      [mcp_pruner]
      pruner_url = "embedded:"
      pruner_timeout_ms = 100
      cwd = "."
      tools = ["read", "text"]
      output = "text"
      shell_login = false
      host = "::1"
      port = 1
      allowed_hosts = ["a.example", "b.example"]
      max_input_chars = 2
      prune_id_ttl_s = 3
      cache_ttl_s = 4
      cache_max_items = 5
      backend = "deepinfra"
      deepinfra_endpoint_url = "https://rerank.example/v1"
      deepinfra_timeout_ms = 6
      deepinfra_max_docs = 7
      [upstreams]
      anything = "is somebody else's"
    `;
    const { config, problems, eventFile } = await settings(toml);
    expect(problems).toEqual([]);
    expect(eventFile).toBe(join(home, 'events.jsonl'));
    expect(config).toMatchObject({
      storeUrl: `sqlite:${home}/texts.db`,
      pruner: { kind: 'embedded' },
      prunerTimeoutMs: 100,
      root: home,
      tools: ['read', 'prune_text', 'recover_text', 'health'],
      toolsChosen: true,
      output: 'text',
      shellLogin: false,
      listen: { host: '::1', port: 1 },
      allowedHosts: ['a.example', 'b.example'],
      maxInputChars: 2,
      pruneIdTtlMs: 3000,
      rpcTtlMs: 3000,
      judge: {
        backend: 'deepinfra',
        cache: { ttlMs: 4000, maxItems: 5 },
        deepinfra: { endpointUrl: 'https://rerank.example/v1', timeoutMs: 6, maxDocs: 7 },
      },
    });
  });

  test('has a key for every variable but secrets and its own place, each of them once', () => {
    const rows = Object.entries(ENV_VARIABLES);
    const silent = rows.filter(([name, { kind }]) => kind === 'secret' || name === 'JEEVES_CONFIG');
    expect(silent.filter(([, { toml }]) => toml !== undefined)).toEqual([]);
    const served = rows.filter((row) => !silent.includes(row) && row[1].readBy.includes('server'));
    expect(served.filter(([, { toml }]) => toml === undefined)).toEqual([]);
    const keys = rows.flatMap(([, { toml }]) => toml ?? []);
    expect(new Set(keys).size).toBe(keys.length);
  });

  test.each([
    ['[mcp_pruner]\nport = "8006"', ['MCP_PRUNER_PORT']],
    ['[mcp_pruner]\nshell_login = 1', ['MCP_PRUNER_SHELL_LOGIN']],
    ['[mcp_pruner]\ntools = [1]', ['MCP_PRUNER_TOOLS']],
    ['[mcp_pruner]\nprot = 1', ['JEEVES_CONFIG']],
    ['mcp_pruner = 1', []],
    ['store = 7', ['JEEVES_STORE']],
    [
      'api_key = "x"\n[runner]\ntoken = "y"\npassword = "z"',
      ['DEEPINFRA_API_KEY', 'MCP_PRUNER_TOKEN', 'JEEVES_CONFIG'],
    ],
    ['[mcp_pruner]\n__proto__ = 1', ['JEEVES_CONFIG']],
    ['not toml', ['JEEVES_CONFIG']],
  ])('that holds %j is understood as far as it goes', async (toml, problems) => {
    expect(variables(await settings(toml))).toEqual(problems);
  });

  test('that is a directory is as good as none, and said to be', async () => {
    const { problems, config } = await readSettings(readConfig({ JEEVES_CONFIG: home }, { cwd: home, home }));
    expect(problems).toMatchObject([{ variable: 'JEEVES_CONFIG', message: expect.stringContaining('EISDIR') }]);
    expect(config.maxInputChars).toBe(2_000_000);
  });
});

describe('settings', () => {
  test.each([
    ['deepinfra', '', 'deepinfra', 0],
    ['CLOUD', '', 'deepinfra', 0],
    ['heuristic', 'deepinfra', 'heuristic', 0],
    ['', 'cloud', 'deepinfra', 0],
    ['', 'heuristic', 'heuristic', 0],
    ['', '', 'heuristic', 0],
    ['onnx', '', 'heuristic', 1],
    ['onnx', 'deepinfra', 'deepinfra', 1],
    ['', 'onnx', 'heuristic', 1],
  ])('with %j in the environment and %j in the file have %s judge', async (env, file, backend, problems) => {
    const toml = file === '' ? '' : `[mcp_pruner]\nbackend = "${file}"`;
    const read = await settings(toml, { KIMI_PRUNING_BACKEND: env });
    expect([read.config.judge.backend, read.problems.length]).toEqual([backend, problems]);
  });

  test.each([
    [{}, '', 256],
    [{ MCP_PRUNER_CACHE_MAX_ITEMS: '1' }, '', 1],
    [{ MCP_PRUNER_CACHE_MAX_ENTRIES: '2' }, '', 2],
    [{ MCP_PRUNER_CACHE_MAX_ENTRIES: '2', MCP_PRUNER_CACHE_MAX_ITEMS: '1' }, '', 1],
    [{}, 'cache_max_entries = 3', 3],
    [{}, 'cache_max_entries = 3\ncache_max_items = 4', 4],
    [{ MCP_PRUNER_CACHE_MAX_ENTRIES: '2' }, 'cache_max_items = 4', 2],
    [{ MCP_PRUNER_CACHE_MAX_ITEMS: 'many' }, 'cache_max_items = 4', 256],
  ])('with %j and %j keep %i judgements', async (env, toml, maxItems) => {
    const { config } = await settings(`[mcp_pruner]\n${toml}`, env);
    expect(config.judge.cache.maxItems).toBe(maxItems);
  });

  test('keep texts of /rpc for ten minutes and others for a day, unless a time is set', async () => {
    expect((await settings('')).config).toMatchObject({ pruneIdTtlMs: 86_400_000, rpcTtlMs: 600_000 });
    const set = await settings('', { MCP_PRUNER_PRUNE_ID_TTL_S: '5' });
    expect(set.config).toMatchObject({ pruneIdTtlMs: 5000, rpcTtlMs: 5000 });
    const bad = await settings('', { MCP_PRUNER_PRUNE_ID_TTL_S: 'x' });
    expect(bad.config).toMatchObject({ pruneIdTtlMs: 86_400_000, rpcTtlMs: 600_000 });
    expect(variables(bad)).toEqual(['MCP_PRUNER_PRUNE_ID_TTL_S']);
  });

  test('let flags win, and take an empty variable for unset, but for the pruner’s', async () => {
    const toml = '[mcp_pruner]\npruner_url = "embedded:"\nport = 1\noutput = "text"';
    const env = { PRUNER_URL: '', MCP_PRUNER_PORT: '2', MCP_PRUNER_OUTPUT: '' };
    const { config } = await settings(toml, env, { ...HTTP, port: '3', root: home });
    expect(config).toMatchObject({ pruner: { kind: 'off' }, output: 'text', listen: { port: 3 }, root: home });
  });

  test('cannot be changed', async () => {
    const { config } = await settings('');
    expect(Object.isFrozen(config) && Object.isFrozen(config.judge) && Object.isFrozen(config.listen)).toBe(true);
    expect(Object.isFrozen(config.judge.deepinfra) && Object.isFrozen(config.tools)).toBe(true);
  });
});

describe('an address', () => {
  test.each([
    ['127.0.0.1', '', undefined],
    ['localhost', '', undefined],
    ['::1', '', undefined],
    ['0.0.0.0', '', 'invalid_host'],
    ['0.0.0.0', 'pruner.example', undefined],
    ['not a host', 'pruner.example', 'invalid_host'],
    ['', '', undefined],
  ])('%j with allowed hosts %j is refused: %s', async (host, allowed, code) => {
    const env = { MCP_PRUNER_HOST: host, MCP_PRUNER_ALLOWED_HOSTS: allowed };
    const { refusal, problems } = await settings('', env, HTTP);
    expect([refusal?.split(':')[0], problems.length]).toEqual([code, code === undefined ? 0 : 1]);
  });

  test.each(['-1', '65536', '8006.5', 'http'])('with the port %s is refused', async (port) => {
    expect((await settings('', { MCP_PRUNER_PORT: port }, HTTP)).refusal).toMatch(/^invalid_port: /);
  });

  test('is nothing to a program that does not listen', async () => {
    const { refusal, problems } = await settings('', { MCP_PRUNER_PORT: 'x', MCP_PRUNER_HOST: 'no host' });
    expect([refusal, problems]).toEqual([undefined, []]);
  });
});

describe('what is in force', () => {
  test('is told with its origin, a replaced name among the problems', async () => {
    const env = { JEEVES_MCP_PRUNER_PORT: '1', JEEVES_MCP_PRUNER_MAX_PRUNE_INPUT_BYTES: '1', PRUNER_URL: 'nonsense' };
    const { settings: rows, problems } = await effectiveSettings(env, { cwd: home, home });
    expect(rows.find(({ name }) => name === 'PRUNER_URL')).toMatchObject({ value: '', origin: 'env' });
    expect(problems.map(({ variable, message }) => `${variable}: ${message}`)).toEqual([
      expect.stringMatching(/^PRUNER_URL: .*pruning is off$/),
      'JEEVES_MCP_PRUNER_PORT: nothing reads it; set MCP_PRUNER_PORT',
      'JEEVES_MCP_PRUNER_MAX_PRUNE_INPUT_BYTES: nothing reads it',
    ]);
  });

  test('show the root as the directory it is, however it was given', async () => {
    const rootFor = async (env: Record<string, string>): Promise<unknown> => {
      const { settings: rows } = await effectiveSettings(env, { cwd: home, home });
      return rows.find(({ name }) => name === 'MCP_PRUNER_CWD');
    };
    expect(await rootFor({})).toMatchObject({ value: home, origin: 'default' });
    expect(await rootFor({ MCP_PRUNER_CWD: '.' })).toMatchObject({ value: home, origin: 'env' });
  });

  test.each([
    ['postgres://u:x@h/db?password=hush', 'postgres://********@h/db?password=********'],
    ['postgres://u:pa ss@h/db', 'postgres://********@h/db'],
    ['postgres://u:p/a?s#s@h/db?sslmode=no', 'postgres://********@h/db?sslmode=********'],
    ['http://h:1/@x?token=a=b&hush&c#d=e', 'http://h:1/@x?token=********&********&********#d=********'],
    ['sqlite:/a@b/c?d=e', 'sqlite:/a@b/c?d=e'],
    ['memory:', 'memory:'],
  ])('shows the address %s as %s', async (value, shown) => {
    const { settings: rows } = await effectiveSettings({ JEEVES_STORE: value }, { cwd: home, home });
    expect(rows.find(({ name }) => name === 'JEEVES_STORE')?.value).toBe(shown);
  });

  test.each([
    [{ MCP_PRUNER_CACHE_MAX_ENTRIES: '2' }, '', '2', 'env'],
    [{ MCP_PRUNER_CACHE_MAX_ENTRIES: '2', MCP_PRUNER_CACHE_MAX_ITEMS: '1' }, '', '1', 'env'],
    [{}, 'cache_max_entries = 3', '3', 'file'],
    [{}, '', '256', 'default'],
  ])('with %j and %j is told the same under both names of the cache', async (env, toml, value, origin) => {
    const file = join(home, 'cache.toml');
    writeFileSync(file, `[mcp_pruner]\n${toml}`);
    const { settings: rows } = await effectiveSettings({ ...env, JEEVES_CONFIG: file }, { cwd: home, home });
    const cache = rows.filter(({ name }) => name.startsWith('MCP_PRUNER_CACHE_MAX'));
    expect(cache).toEqual([
      { name: 'MCP_PRUNER_CACHE_MAX_ITEMS', toml: 'mcp_pruner.cache_max_items', value, origin },
      { name: 'MCP_PRUNER_CACHE_MAX_ENTRIES', toml: 'mcp_pruner.cache_max_entries', value, origin },
    ]);
  });

  test('can be laid over an environment for who reads no files', async () => {
    const file = join(home, 'overlay.toml');
    writeFileSync(file, '[runner]\npruner_enabled = true\npruner_url = "embedded:"\n[mcp_pruner]\nport = 5\n');
    const env = { JEEVES_CONFIG: file, MCP_PRUNER_PORT: '6', OTHER: 'x' };
    expect(overlaid(env, await readConfigFile(env, home))).toEqual({
      ...env,
      JEEVES_PRUNER_ENABLED: 'true',
      JEEVES_PRUNER_URL: 'embedded:',
    });
  });
});

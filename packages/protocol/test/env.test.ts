import { DEFAULT_TOOLS, ENV_VARIABLES, type EnvVariable, REPLACED_ENV_NAMES } from '@jeeves/protocol';
import { describe, expect, it } from 'vitest';

describe('environment variables', () => {
  it('have these names, kinds, defaults and bounds', () => {
    const rows = Object.entries(ENV_VARIABLES).map(([name, e]) => [name, e.kind, e.default].concat(allowed(e)));
    expect(rows).toEqual([
      ['PRUNER_URL', 'url', 'embedded:'],
      ['PRUNER_TIMEOUT_MS', 'integer', 30_000, 100, 300_000],
      ['MCP_PRUNER_CWD', 'path', null],
      ['MCP_PRUNER_TOOLS', 'list', 'read,bash,grep,recover_text'],
      ['MCP_PRUNER_OUTPUT', 'text', 'auto', 'auto', 'structured', 'text'],
      ['MCP_PRUNER_SHELL_LOGIN', 'boolean', true],
      ['MCP_PRUNER_ENV_PASS', 'list', null],
      ['MCP_PRUNER_HOST', 'text', '127.0.0.1'],
      ['MCP_PRUNER_PORT', 'integer', 8006, 0, 65_535],
      ['MCP_PRUNER_TOKEN', 'secret', null],
      ['MCP_PRUNER_ALLOWED_HOSTS', 'list', null],
      ['MCP_PRUNER_MAX_INPUT_CHARS', 'integer', 2_000_000, 1, 16_777_216],
      ['MCP_PRUNER_PRUNE_ID_TTL_S', 'integer', 86_400, 1, 31_536_000],
      ['MCP_PRUNER_CACHE_TTL_S', 'integer', 30, 0, 86_400],
      ['MCP_PRUNER_CACHE_MAX_ITEMS', 'integer', 256, 0, 100_000],
      ['MCP_PRUNER_CACHE_MAX_ENTRIES', 'integer', 256, 0, 100_000],
      ['KIMI_PRUNING_BACKEND', 'text', 'heuristic', 'heuristic', 'deepinfra', 'cloud'],
      ['DEEPINFRA_API_KEY', 'secret', null],
      ['DEEPINFRA_ENDPOINT_URL', 'url', 'https://api.deepinfra.com/v1/inference/Qwen/Qwen3-Reranker-0.6B'],
      ['DEEPINFRA_TIMEOUT_MS', 'integer', 20_000, 1, 120_000],
      ['DEEPINFRA_MAX_DOCS', 'integer', 64, 1, 512],
      ['JEEVES_PRUNER_ENABLED', 'boolean', false],
      ['JEEVES_PRUNER_URL', 'url', 'http://localhost:8000/prune'],
      ['JEEVES_MCP_PRUNER_PATH', 'path', null],
      ['JEEVES_EVENT_FILE', 'path', null],
      ['JEEVES_CONTEXT_LIMIT', 'integer', 200_000, 1, 1_000_000_000],
      ['JEEVES_PRICE_INPUT_CENTS', 'integer', 300, 0, 1_000_000],
      ['JEEVES_PRICE_CACHE_WRITE_PERCENT', 'integer', 125, 0, 10_000],
      ['JEEVES_PRICE_CACHE_READ_PERCENT', 'integer', 10, 0, 10_000],
      ['JEEVES_PAYBACK_TURNS', 'integer', 50, 0, 1_000_000],
      ['JEEVES_STORE', 'text', 'sqlite:~/.local/state/jeeves/jeeves.db'],
      ['JEEVES_CONFIG', 'path', '~/.config/jeeves/config.toml'],
    ]);
  });

  it('each have a reader, a source and a meaning', () => {
    for (const entry of Object.values(ENV_VARIABLES)) {
      expect(entry.readBy.length).toBeGreaterThan(0);
      expect(entry.source).toMatch(/^(seed 00[0-4]( §\d+)?|Jeeves)$/);
      expect(entry.meaning).toMatch(/\.$/);
    }
  });

  it('default to the tools that are offered by default', () => {
    expect(DEFAULT_TOOLS.map((tool) => tool.name).join(',')).toBe(ENV_VARIABLES.MCP_PRUNER_TOOLS.default);
  });

  it('replace the names of seed 000, which are none of them', () => {
    expect(REPLACED_ENV_NAMES).toEqual({
      JEEVES_MCP_PRUNER_ENABLED: 'JEEVES_PRUNER_ENABLED',
      JEEVES_MCP_PRUNER_HOST: 'MCP_PRUNER_HOST',
      JEEVES_MCP_PRUNER_PORT: 'MCP_PRUNER_PORT',
      JEEVES_MCP_PRUNER_ROOT_DIR: 'MCP_PRUNER_CWD',
      JEEVES_PRUNER_ENDPOINT: 'JEEVES_PRUNER_URL',
      JEEVES_PRUNER_TIMEOUT_MS: 'PRUNER_TIMEOUT_MS',
      JEEVES_MCP_PRUNER_MAX_PRUNE_INPUT_BYTES: null,
    });
    expect(Object.keys(REPLACED_ENV_NAMES).filter((name) => name in ENV_VARIABLES)).toEqual([]);
  });
});

function allowed(entry: EnvVariable): (string | number)[] {
  return [...(entry.values ?? []), entry.min, entry.max].filter((value) => value !== undefined);
}

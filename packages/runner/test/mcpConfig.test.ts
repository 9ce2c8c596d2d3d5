import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { verifies } from '../../../test/e2e/verifies.ts';
import { readRunnerConfig } from '../src/config.ts';
import { buildMcpConfig, type McpConfig } from '../src/mcpConfig.ts';
import { world } from './world.ts';

const { path, file } = world();
const SCRIPT = file('server.mjs', '');

function built(env: Readonly<Record<string, string>>, candidates: readonly string[] = [SCRIPT]): McpConfig {
  return buildMcpConfig({ config: readRunnerConfig(env, '/home/me'), cwd: '/work', candidates });
}

function prunerUrl(env: Readonly<Record<string, string>>): string | undefined {
  const config = built({ JEEVES_PRUNER_ENABLED: 'true', ...env });
  return config.kind === 'resolved' ? config.mcpServers['pruner']?.env?.['PRUNER_URL'] : config.kind;
}

describe('the switch', () => {
  verifies('runner.enabled', 'is on for the truthy words and off for anything else', () => {
    for (const on of ['1', 'true', 'yes', 'on', 'TRUE', ' On ']) {
      expect(built({ JEEVES_PRUNER_ENABLED: on }).kind).toBe('resolved');
    }
    for (const off of ['', '0', 'false', 'no', 'off', 'enabled', '2']) {
      expect(built({ JEEVES_PRUNER_ENABLED: off }).kind).toBe('disabled');
    }
    expect(built({}).kind).toBe('disabled');
  });

  verifies(['runner.server-name', 'runner.options-type'], 'adds one server named pruner, started by node', () => {
    expect(built({ JEEVES_PRUNER_ENABLED: '1' })).toEqual({
      kind: 'resolved',
      mcpServers: {
        pruner: {
          command: 'node',
          args: [SCRIPT],
          env: { PRUNER_URL: 'http://localhost:8000/prune', MCP_PRUNER_CWD: '/work' },
        },
      },
    });
  });
});

describe('the address', () => {
  verifies('runner.url.unset', 'is the service’s own default when unset', () => {
    expect(prunerUrl({})).toBe('http://localhost:8000/prune');
  });

  verifies('runner.url.empty', 'is forwarded when empty', () => {
    expect(prunerUrl({ JEEVES_PRUNER_URL: '' })).toBe('');
  });

  verifies(['runner.url.verbatim', 'runner.url.embedded'], 'is forwarded as it is written', () => {
    for (const url of ['https://Prune.example:8443/a/../b?x=%20#y', 'http://[::1]:9/prune', 'embedded:']) {
      expect(prunerUrl({ JEEVES_PRUNER_URL: url })).toBe(url);
    }
  });

  verifies('runner.url.invalid', 'makes the configuration invalid when it is no address', () => {
    for (const url of ['localhost:8000', 'ftp://host/prune', '/prune', 'http://', 'embedded', 'file:///etc/passwd']) {
      const config = built({ JEEVES_PRUNER_ENABLED: '1', JEEVES_PRUNER_URL: url });
      expect(config).toMatchObject({ kind: 'invalid', variable: 'JEEVES_PRUNER_URL' });
    }
  });

  test('is not repeated in the message: it may hold a password', () => {
    const config = built({ JEEVES_PRUNER_ENABLED: '1', JEEVES_PRUNER_URL: 'ftp://me:secret@host' });
    expect(JSON.stringify(config)).not.toContain('secret');
  });
});

describe('the script', () => {
  verifies(
    'runner.path.resolution',
    'is the first installed one that can be read, else the configuration is invalid',
    () => {
      const missing = join(path, 'missing.js');
      const second = built({ JEEVES_PRUNER_ENABLED: '1' }, [missing, SCRIPT]);
      expect(second).toMatchObject({ mcpServers: { pruner: { args: [SCRIPT] } } });
      const none = built({ JEEVES_PRUNER_ENABLED: '1' }, [missing, path]);
      expect(none).toMatchObject({ kind: 'invalid', variable: 'JEEVES_MCP_PRUNER_PATH' });
    },
  );

  verifies('runner.path.resolution', 'is found as a dependency without being told where it lies', () => {
    const config = buildMcpConfig({ config: { enabled: 'true' }, cwd: '/work' });
    const args = config.kind === 'resolved' ? config.mcpServers['pruner']?.args : [];
    expect(args?.[0]).toMatch(/mcp-pruner[/\\]dist[/\\]index\.js$/);
  });

  verifies('runner.path.explicit', 'is the named one alone: a missing one is never replaced', () => {
    const env = { JEEVES_PRUNER_ENABLED: '1' };
    const named = file('other.mjs', '');
    expect(built({ ...env, JEEVES_MCP_PRUNER_PATH: named })).toMatchObject({
      mcpServers: { pruner: { args: [named] } },
    });
    for (const wrong of [join(path, 'missing.js'), path]) {
      const config = built({ ...env, JEEVES_MCP_PRUNER_PATH: wrong });
      expect(config).toMatchObject({ kind: 'invalid', variable: 'JEEVES_MCP_PRUNER_PATH' });
    }
  });
});

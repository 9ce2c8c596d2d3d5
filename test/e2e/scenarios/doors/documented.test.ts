import { readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { SECRETS } from '../../../../packages/engine/test/backends/secrets.ts';
import { verifies } from '../../verifies.ts';
import { site } from '../server/site.ts';

function page(path: string): string {
  return readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');
}

describe('the guide for agents', () => {
  const guide = page('docs/guide/agents.md');
  const WITHOUT = 'MCP_PRUNER_TOOLS=read,grep,recover_text';

  verifies('doors.documented', 'says what allowing bash sidesteps before it shows how to', () => {
    const warning = guide.indexOf('sidesteps');
    expect(warning).toBeGreaterThan(0);
    expect(guide.slice(warning, warning + 500)).toMatch(/deny rules.*sandbox/s);
    expect(warning).toBeLessThan(guide.indexOf('claude mcp add'));
    expect(guide.split('\n').find((line) => line.startsWith('claude mcp add'))).toContain(WITHOUT);
    expect(guide).not.toContain('"allow": ["mcp__pruner__*"]');
  });

  verifies('doors.documented', 'has an example that offers no shell', async () => {
    const [name = '', value = ''] = WITHOUT.split('=');
    const { ask } = await site({ env: { [name]: value } });
    const { result } = await ask('tools/list');
    const tools = (result as { tools: { name: string }[] }).tools.map((tool) => tool.name);
    expect(tools.sort()).toEqual(['grep', 'read', 'recover_text']);
  });

  verifies('doors.documented', 'is matched by SECURITY.md, down to its counts', () => {
    const security = page('SECURITY.md');
    expect(security).toContain(`${SECRETS.length} forms of secrets`);
    for (const fact of ['deny rules', 'PRUNER_URL=auto', 'MCP_PRUNER_ENV_PASS', '/proc/net/tcp', 'quota']) {
      expect(security).toContain(fact);
    }
  });
});

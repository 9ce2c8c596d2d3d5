import { readFileSync } from 'node:fs';
import { DEFAULT_TOOLS, READ, TOOLS_CALL_PARAMS, toolInputSchema } from '@jeeves/protocol';
import { describe, expect, test } from 'vitest';
import { verifies } from '../../../test/e2e/verifies.ts';

const DOCS = readFileSync(new URL('../CLAUDE.md', import.meta.url), 'utf8');
const SETTINGS = ['config.ts', 'settings.ts'].map((file) => source(file)).join('\n');

function source(file: string): string {
  return readFileSync(new URL(`../src/${file}`, import.meta.url), 'utf8');
}

function blocks(language: string): string[] {
  return DOCS.split('```')
    .filter((block) => block.startsWith(`${language}\n`))
    .map((block) => block.slice(language.length + 1));
}

describe('CLAUDE.md', () => {
  verifies('stdio.docs', 'has every variable that the program reads, and those of the runner', () => {
    const read = new Set(SETTINGS.match(/\b(?:PRUNER|MCP_PRUNER|JEEVES)_[A-Z_]+\b/g));
    expect(read.size).toBeGreaterThan(8);
    const runner = ['JEEVES_PRUNER_ENABLED', 'JEEVES_PRUNER_URL', 'JEEVES_MCP_PRUNER_PATH'];
    expect([...read, ...runner].filter((name) => !DOCS.includes(`\`${name}\``))).toEqual([]);
  });

  verifies('stdio.docs', 'has every tool with every argument', () => {
    for (const tool of DEFAULT_TOOLS) {
      const names = [tool.name, ...Object.keys(toolInputSchema(tool)['properties'] ?? {})];
      expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(DOCS))).toEqual([]);
    }
  });

  verifies('stdio.docs', 'has a minimal call that the contract accepts', () => {
    const messages = blocks('json').map((block) => JSON.parse(block) as { method?: string; params?: unknown });
    const call = messages.find(({ method }) => method === 'tools/call');
    const params = TOOLS_CALL_PARAMS.parse(call?.params);
    expect(params.name).toBe('read');
    expect(READ.input.parse(params.arguments)).toHaveProperty('context_focus_question');
  });

  test('starts the built program in every client’s configuration', () => {
    const configurations = [...blocks('json').filter((block) => block.includes('ervers')), ...blocks('toml')];
    expect(configurations).toHaveLength(4);
    for (const text of configurations) expect(text).toMatch(/"?command"?\s*[:=]\s*"node"/);
  });
});

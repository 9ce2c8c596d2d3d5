import {
  DEFAULT_TOOLS,
  findTool,
  RPC_TOOLS,
  TOOL_ALIASES,
  TOOL_SETS,
  TOOLS,
  type ToolDefinition,
} from '@jeeves/protocol';
import { describe, expect, it } from 'vitest';

describe('tool sets', () => {
  it('hold these tools, in this order', () => {
    expect(Object.fromEntries(Object.entries(TOOL_SETS).map(([set, tools]) => [set, namesOf(tools)]))).toEqual({
      files: ['read', 'bash', 'grep'],
      text: ['prune_text', 'recover_text', 'health'],
      context: [
        'context_analyze_usage',
        'context_get_working_set',
        'context_gc_analyze',
        'context_gc_prune',
        'context_gc_pin',
        'context_gc_unpin',
        'context_stash',
        'context_search_stashed',
        'context_retrieve_stashed',
        'context_list_projects',
        'context_set_current_task',
        'context_get_task_context',
        'context_create_task_snapshot',
      ],
      catalogue: ['automatic_mcp', 'automatic_eval'],
    });
  });

  it('cover every tool once', () => {
    expect(namesOf(Object.values(TOOL_SETS).flat())).toEqual(namesOf(TOOLS));
    expect(new Set(namesOf(TOOLS)).size).toBe(21);
  });

  it('are offered over stdio and /rpc like this', () => {
    expect(namesOf(DEFAULT_TOOLS)).toEqual(['read', 'bash', 'grep', 'recover_text']);
    expect(namesOf(RPC_TOOLS)).toEqual(['prune_text', 'recover_text', 'health']);
  });
});

describe('hints', () => {
  const hints: [string, string[]][] = [
    [
      'readOnlyHint',
      [
        'read',
        'grep',
        'prune_text',
        'recover_text',
        'health',
        'context_analyze_usage',
        'context_get_working_set',
        'context_gc_analyze',
        'context_search_stashed',
        'context_list_projects',
        'automatic_mcp',
      ],
    ],
    ['destructiveHint', ['bash', 'context_gc_prune', 'automatic_eval']],
    ['openWorldHint', ['bash', 'automatic_eval']],
  ];
  it.each(hints)('%s is given by these tools alone', (hint, names) => {
    expect(
      namesOf(TOOLS.filter((tool) => Object.entries(tool.annotations).some(([key, on]) => key === hint && on))),
    ).toEqual(names);
  });
});

describe('findTool', () => {
  const found: [string, string | undefined][] = [
    ['read', 'read'],
    ['recover_range', 'recover_text'],
    ['mcpv.automatic_mcp', 'automatic_mcp'],
    ['mcpv.automatic_eval', 'automatic_eval'],
    ['Read', undefined],
    ['toString', undefined],
    ['__proto__', undefined],
    ['', undefined],
  ];
  it.each(found)('takes %j for %j', (name, tool) => {
    expect(findTool(name, TOOLS)?.name).toBe(tool);
  });

  it('finds only what is on offer', () => {
    expect(findTool('bash', RPC_TOOLS)).toBeUndefined();
    expect(findTool('recover_range', TOOL_SETS.files)).toBeUndefined();
  });

  it('knows three aliases, none of them a listed name', () => {
    expect(Object.keys(TOOL_ALIASES)).toEqual(['recover_range', 'mcpv.automatic_mcp', 'mcpv.automatic_eval']);
    expect(namesOf(TOOLS).filter((name) => name in TOOL_ALIASES)).toEqual([]);
  });
});

function namesOf(tools: readonly ToolDefinition[]): string[] {
  return tools.map((tool) => tool.name);
}

import { loadTokenCounter } from '@jeeves/engine/tokens';
import {
  AUTOMATIC_EVAL,
  AUTOMATIC_MCP,
  DEFAULT_TOOLS,
  findTool,
  PRUNE_TEXT,
  RPC_RECOVER_TEXT,
  RPC_TOOLS,
  TOOL_SETS,
  TOOLS,
  type ToolDefinition,
  toolInputSchema,
} from '@jeeves/protocol';
import { describe, expect } from 'vitest';
import { verifies } from '../../verifies.ts';

const BOOLEAN = { type: 'boolean' };

/** Word for word, as the seed prints it. */
const PRUNE_TEXT_SCHEMA = {
  type: 'object',
  properties: {
    text: { type: 'string' },
    goal_hint: { type: 'string' },
    source_type: { type: 'string', enum: ['code', 'logs', 'docs'] },
    options: {
      type: 'object',
      properties: {
        max_prune_ratio: { type: 'number', minimum: 0, maximum: 1 },
        min_keep_lines: { type: 'integer', minimum: 0 },
        timeout_ms: { type: 'integer', minimum: 1 },
        annotate_lines: BOOLEAN,
        include_markers: BOOLEAN,
      },
      required: ['max_prune_ratio', 'min_keep_lines', 'timeout_ms', 'annotate_lines', 'include_markers'],
      additionalProperties: false,
    },
  },
  required: ['text', 'goal_hint', 'source_type', 'options'],
  additionalProperties: false,
};

const RECOVER_TEXT_SCHEMA = {
  type: 'object',
  properties: {
    prune_id: { type: 'string' },
    ranges: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          start_line: { type: 'integer', minimum: 1 },
          end_line: { type: 'integer', minimum: 1 },
        },
        required: ['start_line', 'end_line'],
        additionalProperties: false,
      },
    },
    include_line_numbers: BOOLEAN,
  },
  required: ['prune_id', 'ranges', 'include_line_numbers'],
  additionalProperties: false,
};

const names = (tools: readonly ToolDefinition[]) => tools.map(({ name }) => name);
const accepts = (tool: ToolDefinition, args: object) => tool.input.safeParse(args).success;
const hints = (name: string) => findTool(name, TOOLS)?.annotations;
const listed = (tools: readonly ToolDefinition[]) =>
  tools.map((tool) => ({ name: tool.name, description: tool.description, inputSchema: toolInputSchema(tool) }));

describe('schemas', () => {
  verifies('protocol.schema.prune-text', 'prune_text is listed as the seed has it', () => {
    expect(toolInputSchema(PRUNE_TEXT)).toEqual(PRUNE_TEXT_SCHEMA);
    expect(JSON.stringify(toolInputSchema(PRUNE_TEXT))).toHaveLength(JSON.stringify(PRUNE_TEXT_SCHEMA).length);
  });

  verifies('protocol.schema.recover-text', 'recover_text is listed on /rpc as the seed has it', () => {
    expect(names(RPC_TOOLS)).toEqual(['prune_text', 'recover_text', 'health']);
    expect(toolInputSchema(RPC_RECOVER_TEXT)).toEqual(RECOVER_TEXT_SCHEMA);
    expect(RPC_TOOLS).toContain(RPC_RECOVER_TEXT);
  });
});

describe('the list', () => {
  verifies('protocol.tools.default', 'the default tools are four', () => {
    expect(names(DEFAULT_TOOLS)).toEqual(['read', 'bash', 'grep', 'recover_text']);
  });

  verifies('protocol.tools.sets', 'the sets hold their tools', () => {
    expect(names(TOOL_SETS.files)).toEqual(['read', 'bash', 'grep']);
    expect(names(TOOL_SETS.text)).toEqual(['prune_text', 'recover_text', 'health']);
    expect(names(TOOL_SETS.context).every((name) => name.startsWith('context_'))).toBe(true);
  });

  verifies('protocol.tools.context', 'the context tools have the seed’s names', () => {
    const seed = [
      'analyze_usage',
      'get_working_set',
      'gc_analyze',
      'gc_prune',
      'gc_pin',
      'gc_unpin',
      'stash',
      'search_stashed',
      'retrieve_stashed',
      'create_task_snapshot',
      'get_task_context',
      'set_current_task',
    ];
    expect(names(TOOL_SETS.context)).toEqual(expect.arrayContaining(seed.map((name) => `context_${name}`)));
  });

  verifies('protocol.tools.context-when', 'the tools an agent starts with say when to call them', () => {
    expect(findTool('context_analyze_usage', TOOLS)?.description).toMatch(/before/i);
    expect(findTool('context_gc_analyze', TOOLS)?.description).toMatch(/when/i);
    for (const { description } of TOOL_SETS.context) expect(description.length).toBeGreaterThan(15);
  });

  verifies(
    ['protocol.tools.catalogue', 'recover.alias'],
    'dotted and older names are accepted in calls and listed nowhere',
    () => {
      const aliases = {
        'mcpv.automatic_mcp': 'automatic_mcp',
        'mcpv.automatic_eval': 'automatic_eval',
        recover_range: 'recover_text',
      };
      for (const [alias, name] of Object.entries(aliases)) {
        expect(findTool(alias, TOOLS)?.name).toBe(name);
        expect(names(TOOLS)).not.toContain(alias);
      }
      expect(names(TOOL_SETS.catalogue)).toEqual(['automatic_mcp', 'automatic_eval']);
      expect(['toString', '__proto__', 'Read', ''].map((name) => findTool(name, TOOLS))).toEqual(
        Array.from({ length: 4 }, () => undefined),
      );
    },
  );

  verifies('protocol.tools.catalogue-args', 'the gateway’s tools take the seed’s arguments', () => {
    const find = [
      {},
      { query: 'x', sessionId: '', forceRefresh: true },
      { forceRefresh: 'yes' },
      { knownSchemaHashes: {} },
    ];
    expect(find.map((args) => accepts(AUTOMATIC_MCP, args))).toEqual([true, true, false, false]);
    const call = [
      { toolName: 'x', arguments: { a: 1 } },
      { arguments: {} },
      { toolName: '', arguments: {} },
      { toolName: 'x', arguments: [] },
    ];
    expect(call.map((args) => accepts(AUTOMATIC_EVAL, args))).toEqual([true, false, false, false]);
  });

  verifies('protocol.tools.names', 'names are of the allowed form, each once', () => {
    for (const name of names(TOOLS)) expect(name).toMatch(/^[A-Za-z0-9_.-]{1,128}$/);
    expect(new Set(names(TOOLS)).size).toBe(TOOLS.length);
  });

  verifies('protocol.tools.annotations', 'every tool states its four hints, and they are true', () => {
    for (const { annotations } of TOOLS) {
      expect(Object.keys(annotations).sort()).toEqual([
        'destructiveHint',
        'idempotentHint',
        'openWorldHint',
        'readOnlyHint',
      ]);
    }
    for (const name of ['read', 'grep', 'prune_text', 'recover_text', 'context_analyze_usage', 'context_gc_analyze']) {
      expect(hints(name), name).toMatchObject({ readOnlyHint: true, destructiveHint: false });
    }
    for (const name of ['bash', 'automatic_eval']) {
      expect(hints(name), name).toMatchObject({ readOnlyHint: false, destructiveHint: true, openWorldHint: true });
    }
    expect(hints('context_gc_prune')).toMatchObject({ readOnlyHint: false, destructiveHint: true });
  });

  verifies('protocol.tools.budget', 'the list is cheap', async () => {
    const count = await loadTokenCounter();
    const sets = [...TOOL_SETS.files, ...TOOL_SETS.text, ...TOOL_SETS.context];
    const cost = (tools: readonly ToolDefinition[]) => count(JSON.stringify(listed(tools)));
    expect(cost(DEFAULT_TOOLS)).toMatchObject({ method: 'o200k' });
    expect(cost(DEFAULT_TOOLS).tokens).toBeLessThan(1000);
    expect(cost(sets).tokens).toBeLessThan(2800);
    expect(cost(TOOLS).tokens).toBeLessThan(2800);
  });

  verifies('protocol.tools.no-output-schema', 'no tool promises a form of its output', () => {
    expect(TOOLS.filter((tool) => 'outputSchema' in tool)).toEqual([]);
    expect(JSON.stringify(listed(TOOLS))).not.toContain('outputSchema');
  });
});

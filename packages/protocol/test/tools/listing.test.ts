import {
  DEFAULT_TOOLS,
  RPC_RECOVER_TEXT,
  TOOL_SETS,
  TOOLS,
  type ToolDefinition,
  toolInputSchema,
  toolReferenceSchema,
} from '@jeeves/protocol';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';

describe('what tools/list shows', () => {
  it.each(TOOLS.map((tool) => [tool.name, tool] as const))('%s is pinned', async (name, tool) => {
    await expect(listed(tool)).toMatchFileSnapshot(`../__snapshots__/${name}.snap`);
  });

  it('recover_text over /rpc is pinned', async () => {
    await expect(listed(RPC_RECOVER_TEXT)).toMatchFileSnapshot('../__snapshots__/recover_text.rpc.snap');
  });

  it('names every argument of grep, `pattern` among them', () => {
    expect(Object.keys(toolInputSchema(named('grep'))['properties'] as object)).toEqual([
      'pattern',
      'path',
      'paths',
      'cwd',
      'fixed_string',
      'case_sensitive',
      'context_lines',
      'max_matches',
      'timeout_ms',
      'max_output_bytes',
      'max_tokens',
      'context_focus_question',
    ]);
  });

  it('is an object schema that refuses unknown arguments, without a dialect', () => {
    for (const tool of TOOLS) {
      const schema = toolInputSchema(tool);
      expect(schema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(schema).not.toHaveProperty('$schema');
    }
  });

  it('tells agents when to ask a focus question and how', () => {
    for (const tool of TOOL_SETS.files) {
      const properties = toolInputSchema(tool)['properties'] as Record<string, { description?: string }>;
      expect(properties['context_focus_question']?.description).toMatch(
        /complete, self-contained, specific question.*no file names or line numbers.*Pass it when.*omit it/,
      );
    }
  });
});

describe('what tools/list costs', () => {
  const sets: [string, readonly ToolDefinition[], number][] = [
    ['the default list', DEFAULT_TOOLS, 1000],
    ['files, text and context together', [...TOOL_SETS.files, ...TOOL_SETS.text, ...TOOL_SETS.context], 2800],
    ['the catalogue', TOOL_SETS.catalogue, 250],
  ];
  it.each(sets)('%s stays within its tokens', (_, tools, limit) => {
    const paid = tools.map((tool) => ({
      name: tool.name,
      description: tool.description,
      inputSchema: toolInputSchema(tool),
    }));
    const tokens = countTokens(JSON.stringify(paid));
    expect(tokens).toBeLessThanOrEqual(limit);
    expect(tokens).toBeGreaterThan(limit / 3);
  });
});

describe('what the reference says', () => {
  const said: [string, string, RegExp][] = [
    ['bash', 'timeout_ms', /what was captured is returned/],
    ['grep', 'timeout_ms', /no matches are returned/],
    ['grep', 'path', /relative to `cwd` when given, else to the root/],
    ['grep', 'cwd', /Where relative paths start/],
    ['read', 'max_output_bytes', /40,000 bytes/],
    ['bash', 'max_output_bytes', /40,000 bytes/],
    ['grep', 'max_output_bytes', /40,000 bytes/],
  ];
  it.each(said)('of %s about %s is true of that tool', (tool, argument, text) => {
    const properties = toolReferenceSchema(named(tool))['properties'] as Record<string, { doc?: string }>;
    expect(properties[argument]?.doc).toMatch(text);
  });
});

describe('examples', () => {
  it.each(TOOLS.map((tool) => [tool.name, tool] as const))('%s accepts its own', (_, tool) => {
    const examples = (tool.input.meta()?.['examples'] ?? [{}]) as unknown[];
    for (const example of examples) expect(tool.input.safeParse(example).error).toBeUndefined();
  });
});

function listed(tool: ToolDefinition): string {
  const { name, title, description, annotations } = tool;
  return `${JSON.stringify({ name, title, description, inputSchema: toolInputSchema(tool), annotations }, null, 2)}\n`;
}

function named(name: string): ToolDefinition {
  const tool = TOOLS.find((candidate) => candidate.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return tool;
}

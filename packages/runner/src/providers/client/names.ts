/** The name by which records know a tool of an MCP server, whatever the client calls it. */
export function mcpToolName(server: string, tool: string): string {
  return `mcp:${server}/${tool}`;
}

/** What a tool of Jeeves says beside its text; the place depends on what its client would show to the model. */
export function structuredResult(result: unknown): Readonly<Record<string, unknown>> | undefined {
  if (!isRecord(result)) return undefined;
  const meta = result['_meta'];
  const found = [
    isRecord(meta) ? meta['jeeves/result'] : undefined,
    result['structuredContent'],
    result['structured_content'],
  ];
  return found.find(isRecord);
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The text of an MCP result or of a message: a string, or blocks of which some have text. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  const texts = content.map((block) =>
    isRecord(block) && typeof block['text'] === 'string' ? block['text'] : undefined,
  );
  return texts.filter((text) => text !== undefined).join('\n');
}

import type { ToolDefinition } from '@jeeves/protocol';

/** What a tool says of these arguments: `path code` for each issue, sorted; empty when it accepts them. */
export function issuesOf(tool: ToolDefinition, args: unknown): string[] {
  const parsed = tool.input.safeParse(args);
  return (parsed.error?.issues ?? []).map((issue) => `${issue.path.join('.')} ${issue.code}`).sort();
}

/** Arguments as a test's title shows them. */
export function brief(args: unknown): string {
  const text = JSON.stringify(args) ?? 'undefined';
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

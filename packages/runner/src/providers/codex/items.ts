import { isRecord, mcpToolName, structuredResult, textOf } from '../client/names.ts';

/** A thing that Codex did or said: `item` of its events. */
export type CodexItem = Readonly<Record<string, unknown>>;

/** A tool-like item in the words of the events. */
export interface CodexCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export interface CodexAnswer {
  readonly content: string;
  readonly isError: boolean;
  readonly structured?: Readonly<Record<string, unknown>>;
}

/** What an item calls; nothing for messages and thoughts. */
export function callOf(item: CodexItem): CodexCall | undefined {
  switch (item['type']) {
    case 'mcp_tool_call':
      return { name: mcpToolName(String(item['server']), String(item['tool'])), input: record(item['arguments']) };
    case 'command_execution':
      return { name: 'command_execution', input: { command: item['command'] } };
    case 'file_change':
      return { name: 'file_change', input: { changes: item['changes'] } };
    case 'web_search':
      return { name: 'web_search', input: { query: item['query'] } };
    default:
      return undefined;
  }
}

/** What came of it, once the item is completed. */
export function answerOf(item: CodexItem): CodexAnswer {
  const isError = item['status'] === 'failed' || item['status'] === 'declined';
  switch (item['type']) {
    case 'mcp_tool_call':
      return mcpAnswer(item, isError);
    case 'command_execution':
      return { content: commandOutput(item), isError };
    case 'file_change':
      return { content: changesOf(item), isError };
    default:
      return { content: '', isError };
  }
}

/** Why a call failed before the server could answer it. */
export function errorOf(item: CodexItem): string | undefined {
  const message = record(item['error'])['message'];
  return typeof message === 'string' ? message : undefined;
}

function mcpAnswer(item: CodexItem, isError: boolean): CodexAnswer {
  const result = record(item['result']);
  const structured = structuredResult(result);
  const content = errorOf(item) ?? textOf(result['content']);
  return { content, isError, ...(structured !== undefined && { structured }) };
}

function commandOutput(item: CodexItem): string {
  const output = textOf(item['aggregated_output']);
  const code = item['exit_code'];
  if (typeof code !== 'number') return output;
  return `${output}${output === '' || output.endsWith('\n') ? '' : '\n'}[exit_code] ${code}`;
}

function changesOf(item: CodexItem): string {
  const changes = Array.isArray(item['changes']) ? item['changes'].filter(isRecord) : [];
  return changes.map(({ kind, path }) => `${String(kind)} ${String(path)}`).join('\n');
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

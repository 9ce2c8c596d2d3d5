import type { ProviderEvent, UsageEvent } from '@jeeves/protocol';
import { isRecord, mcpToolName, structuredResult, textOf } from '../client/names.ts';
import type { ClaudeMessage } from './sdk.ts';
import { addUsage, NO_USAGE, usageOfMessage, usageOfResult } from './usage.ts';

/** How a conversation ended, once its last message is there. */
export interface ClaudeOutcome {
  readonly failed: boolean;
  readonly message: string;
}

export interface ClaudeReader {
  /** What a message says, as events. */
  readonly read: (message: ClaudeMessage) => readonly ProviderEvent[];
  /** Absent while there is no result. */
  readonly outcome: () => ClaudeOutcome | undefined;
  /** What was used so far, for a conversation that ends without a result. */
  readonly usage: () => UsageEvent | undefined;
}

export interface ClaudeReaderOptions {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** How long a call took, as far as that is known. */
  readonly durationOf: (toolUseId: string) => number | undefined;
}

/** Turns the messages of the Claude Agent SDK into events. */
export function createClaudeReader({ now, durationOf }: ClaudeReaderOptions): ClaudeReader {
  let outcome: ClaudeOutcome | undefined;
  const used = new Map<string, UsageEvent>();
  const timeOf = ({ timestamp }: ClaudeMessage): string =>
    typeof timestamp === 'string' ? timestamp : new Date(now()).toISOString();

  function readAssistant(message: ClaudeMessage): ProviderEvent[] {
    const inner = isRecord(message['message']) ? message['message'] : {};
    if (typeof inner['id'] === 'string') used.set(inner['id'], usageOfMessage(inner['usage']));
    return blocksOf(inner['content']).flatMap((block) => fromBlock(block, timeOf(message)));
  }

  function readUser(message: ClaudeMessage): ProviderEvent[] {
    const content = isRecord(message['message']) ? message['message']['content'] : undefined;
    const results = blocksOf(content).filter(({ type }) => type === 'tool_result');
    // Beside a single result the SDK gives what the server really sent.
    const sent = results.length === 1 ? message['tool_use_result'] : undefined;
    return results.map((block) => fromResult(block, sent, timeOf(message)));
  }

  function fromResult(block: Block, sent: unknown, timestamp: string): ProviderEvent {
    const toolUseId = String(block['tool_use_id']);
    const structured = structuredResult(sent);
    const durationMs = durationOf(toolUseId);
    return {
      type: 'tool_result',
      toolUseId,
      content: textOf(block['content']),
      isError: block['is_error'] === true,
      ...(durationMs !== undefined && { durationMs }),
      ...(structured !== undefined && { structured }),
      timestamp,
    };
  }

  function readResult(message: ClaudeMessage): ProviderEvent[] {
    const failed = message['is_error'] === true || message['subtype'] !== 'success';
    outcome = { failed, message: resultText(message) };
    // Claude counts every call as a turn; several can come with one answer, and answers are what requests cost.
    const usage = { ...usageOfResult(message), ...(used.size > 0 && { num_turns: used.size }) };
    if (failed)
      return [{ type: 'system', subtype: 'error', content: outcome.message, timestamp: timeOf(message) }, usage];
    return [{ type: 'result', content: outcome.message, timestamp: timeOf(message) }, usage];
  }

  return {
    read(message) {
      if (message['type'] === 'system') return readSystem(message, timeOf(message));
      if (message['type'] === 'assistant') return readAssistant(message);
      if (message['type'] === 'user') return readUser(message);
      return message['type'] === 'result' ? readResult(message) : [];
    },
    outcome: () => outcome,
    usage: () => (used.size === 0 ? undefined : [...used.values()].reduce(addUsage, NO_USAGE)),
  };
}

function readSystem(message: ClaudeMessage, timestamp: string): ProviderEvent[] {
  const { subtype } = message;
  if (subtype === 'init') {
    const content = `Claude Code ${String(message['claude_code_version'])}, ${String(message['model'])}`;
    const sessionId = typeof message['session_id'] === 'string' ? message['session_id'] : null;
    return [{ type: 'system', subtype: 'init', content, sessionId, timestamp }];
  }
  if (subtype === 'compact_boundary' || (subtype === 'status' && message['status'] === 'compacting')) {
    return [{ type: 'system', subtype: 'compaction', content: 'The conversation is compacted.', timestamp }];
  }
  if (subtype === 'permission_denied') {
    return [{ type: 'system', content: `Not permitted: ${String(message['tool_name'])}`, timestamp }];
  }
  if (subtype === 'api_retry') return [{ type: 'system', content: 'The model API is asked again.', timestamp }];
  return [];
}

function fromBlock(block: Block, timestamp: string): ProviderEvent[] {
  if (block['type'] === 'text') return [{ type: 'assistant', content: String(block['text']), timestamp }];
  if (block['type'] !== 'tool_use') return [];
  const input = isRecord(block['input']) ? block['input'] : {};
  return [{ type: 'tool_use', name: toolName(String(block['name'])), input, id: String(block['id']), timestamp }];
}

/** `mcp__pruner__read` is `mcp:pruner/read`; Claude's own tools keep their names. */
export function toolName(name: string): string {
  const [prefix, server, ...tool] = name.split('__');
  if (prefix !== 'mcp' || server === undefined || tool.length === 0) return name;
  return mcpToolName(server, tool.join('__'));
}

function resultText(message: ClaudeMessage): string {
  if (typeof message['result'] === 'string') return message['result'];
  const errors = Array.isArray(message['errors']) ? message['errors'].filter((error) => typeof error === 'string') : [];
  return errors.length > 0 ? errors.join('\n') : String(message['subtype']);
}

type Block = Readonly<Record<string, unknown>>;

function blocksOf(content: unknown): Block[] {
  return Array.isArray(content) ? content.filter(isRecord) : [];
}

import type { ProviderEvent, SystemEvent, UsageEvent } from '@jeeves/protocol';
import { isRecord } from '../client/names.ts';
import { type CodexCallsOptions, createCodexCalls } from './calls.ts';
import type { CodexItem } from './items.ts';
import { addTurn } from './usage.ts';

export interface CodexReader {
  /** What a line of `codex exec --json` says, as events. */
  readonly read: (line: string) => readonly ProviderEvent[];
  /** Tool calls that came to an end. */
  readonly calls: () => number;
  /** The last word of a turn that failed. */
  readonly failure: () => string | undefined;
  readonly usage: () => UsageEvent | undefined;
}

const SHOWN_CHARACTERS = 2000;

/** Turns the events of Codex into ours. */
export function createCodexReader(options: CodexCallsOptions): CodexReader {
  const calls = createCodexCalls(options);
  let failure: string | undefined;
  let usage: UsageEvent | undefined;
  let answer: string | undefined;
  const stamp = (): { timestamp: string } => ({ timestamp: new Date(options.now()).toISOString() });
  const system = (content: string, more: Partial<SystemEvent> = {}): ProviderEvent[] => [
    { type: 'system', content, ...more, ...stamp() },
  ];

  function say(item: CodexItem): ProviderEvent[] {
    if (item['type'] === 'agent_message') {
      answer = textIn(item, 'text');
      return [{ type: 'assistant', content: answer, ...stamp() }];
    }
    const aside = asideOf(item);
    return aside === undefined ? [] : system(aside.slice(0, SHOWN_CHARACTERS));
  }

  function fail(message: string): ProviderEvent[] {
    failure = message;
    return system(message, { subtype: 'error' });
  }

  function readEvent(event: Readonly<Record<string, unknown>>): ProviderEvent[] {
    const item = isRecord(event['item']) ? event['item'] : {};
    switch (event['type']) {
      case 'thread.started':
        return system('Codex', { subtype: 'init', sessionId: textIn(event, 'thread_id') });
      case 'item.started':
      case 'item.updated':
        return calls.start(item);
      case 'item.completed':
        return [...calls.complete(item), ...say(item)];
      case 'turn.completed':
        failure = undefined;
        usage = addTurn(usage, event['usage']);
        return answer === undefined ? [] : [{ type: 'result', content: answer, ...stamp() }];
      case 'turn.failed':
        return fail(isRecord(event['error']) ? textIn(event['error'], 'message') : 'the turn failed');
      case 'error':
        return fail(textIn(event, 'message'));
      default:
        return [];
    }
  }

  return {
    read(line) {
      if (line.trim() === '') return [];
      const event = parse(line);
      if (event !== undefined) return readEvent(event);
      return system(`Not an event: ${line.slice(0, SHOWN_CHARACTERS)}`, { subtype: 'error' });
    },
    calls: calls.count,
    failure: () => failure,
    usage: () => usage,
  };
}

/** What Codex lets out beside answers and calls. */
function asideOf(item: CodexItem): string | undefined {
  switch (item['type']) {
    case 'error':
      return textIn(item, 'message');
    case 'reasoning':
      return textIn(item, 'text');
    case 'todo_list':
      return JSON.stringify(item['items'] ?? []);
    default:
      return undefined;
  }
}

function parse(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const event: unknown = JSON.parse(line);
    return isRecord(event) ? event : undefined;
  } catch {
    return undefined;
  }
}

function textIn(record: Readonly<Record<string, unknown>>, name: string): string {
  const value = record[name];
  return typeof value === 'string' ? value : '';
}

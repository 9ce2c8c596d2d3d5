import type { LogLine, ProviderEvent, UsageEvent } from '@jeeves/protocol';

/** What a line of `last-run.log` is about. */
export type LogTag =
  | 'RUNNER'
  | 'MCP'
  | 'USER'
  | 'ASSISTANT'
  | 'RESULT'
  | 'SYSTEM'
  | `SYSTEM:${string}`
  | 'TOOL'
  | 'TOOL_RESULT'
  | 'USAGE'
  | 'ERROR';

/** One entry; the lines of a text that has several are indented, so that each entry starts with a time. */
export function logEntry(at: number, tag: LogTag, text: string): string {
  return `${new Date(at).toISOString()} [${tag}] ${text.replaceAll('\n', '\n    ')}\n`;
}

/** What an agent did, as a person reads it; `shown` stands for the output of a tool. */
export function describeEvent(event: ProviderEvent, shown: string): { readonly tag: LogTag; readonly text: string } {
  if (event.type === 'system') {
    return { tag: event.subtype === undefined ? 'SYSTEM' : `SYSTEM:${event.subtype}`, text: event.content };
  }
  if (event.type === 'tool_use') return { tag: 'TOOL', text: `${event.name} ${JSON.stringify(event.input)}` };
  if (event.type === 'tool_result') {
    return { tag: 'TOOL_RESULT', text: event.isError === true ? `(error) ${shown}` : shown };
  }
  if (event.type === 'usage') return { tag: 'USAGE', text: usageText(event) };
  return { tag: TEXT_TAGS[event.type], text: event.content };
}

const TEXT_TAGS = { user: 'USER', assistant: 'ASSISTANT', result: 'RESULT' } as const;

function usageText({ input_tokens, output_tokens, total_cost_usd: cost }: UsageEvent): string {
  const price = typeof cost === 'number' ? ` cost=$${cost.toFixed(4)}` : '';
  return `in=${input_tokens} out=${output_tokens}${price}`;
}

/** An event of the runner or of a server. */
export function describeLine({ event, data }: LogLine): string {
  return data === undefined ? event : `${event} ${JSON.stringify(data)}`;
}

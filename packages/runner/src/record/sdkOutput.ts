import type {
  ProviderEvent,
  ResponseRetrieval,
  SdkMessage,
  SdkOutput,
  SdkStats,
  SdkToolCall,
  ToolResultEvent,
  UsageEvent,
} from '@jeeves/protocol';
import type { Summary } from './summarise.ts';

/** How a call was answered, as the record keeps it. */
export interface Answer {
  readonly event: ToolResultEvent;
  readonly summary: Summary;
  readonly retrieval: ResponseRetrieval;
}

export interface Ending {
  readonly success: boolean;
  readonly error?: string | undefined;
  readonly errorType?: string | undefined;
}

export interface SdkOutputBuilder {
  readonly add: (event: Exclude<ProviderEvent, ToolResultEvent>) => void;
  readonly answer: (answer: Answer) => void;
  /** The document as it stands; with an ending it is the last one. */
  readonly build: (now: number, ending?: Ending) => SdkOutput;
  /** The call a result belongs to. */
  readonly callOf: (toolUseId: string) => SdkToolCall | undefined;
}

/** Gathers a provider's events into `sdk-output.json`. */
export function createSdkOutput(startedAt: number): SdkOutputBuilder {
  const messages: SdkMessage[] = [];
  const calls = new Map<string, SdkToolCall>();
  let sessionId: string | null = null;
  let usage: UsageEvent | undefined;
  return {
    add(event) {
      if (event.type === 'usage') usage = event;
      else if (event.type === 'tool_use') calls.set(event.id, unanswered(event));
      else {
        if (event.type === 'system') sessionId = event.sessionId ?? sessionId;
        const subtype = event.type === 'system' && event.subtype !== undefined ? { subtype: event.subtype } : {};
        messages.push({ type: event.type, content: event.content, ...subtype, timestamp: event.timestamp });
      }
    },
    answer({ event, summary, retrieval }) {
      const asked = calls.get(event.toolUseId) ?? unanswered({ ...event, id: event.toolUseId, name: '', input: {} });
      calls.set(event.toolUseId, {
        ...asked,
        duration_ms: event.durationMs ?? null,
        is_error: event.isError ?? false,
        response_text: summary.text,
        response_truncated: summary.truncated,
        response_compression: summary.compression,
        response_retrieval: retrieval,
      });
    },
    build: (now, ending) => ({
      schema: 'jeeves.sdk.v1',
      session_id: sessionId,
      started_at: new Date(startedAt).toISOString(),
      ended_at: ending === undefined ? null : new Date(now).toISOString(),
      success: ending?.success ?? null,
      messages,
      tool_calls: [...calls.values()],
      stats: statsOf(usage, {
        message_count: messages.length,
        tool_call_count: calls.size,
        duration_seconds: (now - startedAt) / 1000,
      }),
      ...(ending?.error !== undefined && { error: ending.error }),
      ...(ending?.errorType !== undefined && { error_type: ending.errorType }),
    }),
    callOf: (toolUseId) => calls.get(toolUseId),
  };
}

interface Asked {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly id: string;
  readonly timestamp: string;
}

function unanswered({ name, input, id, timestamp }: Asked): SdkToolCall {
  return {
    name,
    input,
    tool_use_id: id,
    timestamp,
    duration_ms: null,
    is_error: null,
    response_text: null,
    response_truncated: false,
    response_compression: null,
    response_retrieval: null,
  };
}

type Counts = Pick<SdkStats, 'message_count' | 'tool_call_count' | 'duration_seconds'>;

function statsOf(usage: UsageEvent | undefined, counts: Counts): SdkStats {
  return {
    ...counts,
    input_tokens: usage?.input_tokens ?? null,
    output_tokens: usage?.output_tokens ?? null,
    cache_read_input_tokens: usage?.cache_read_input_tokens ?? null,
    cache_creation_input_tokens: usage?.cache_creation_input_tokens ?? null,
    total_cost_usd: usage?.total_cost_usd ?? null,
    num_turns: usage?.num_turns ?? null,
    ...(usage?.simulated === true && { simulated: true }),
  };
}

import type { UsageEvent } from '@jeeves/protocol';
import { isRecord } from '../client/names.ts';
import type { ClaudeMessage } from './sdk.ts';

export const NO_USAGE: UsageEvent = {
  type: 'usage',
  input_tokens: 0,
  output_tokens: 0,
  cache_read_input_tokens: 0,
  cache_creation_input_tokens: 0,
};

/** What one answer of the model cost. */
export function usageOfMessage(usage: unknown): UsageEvent {
  const counts = isRecord(usage) ? usage : {};
  return {
    type: 'usage',
    input_tokens: count(counts['input_tokens']),
    output_tokens: count(counts['output_tokens']),
    cache_read_input_tokens: count(counts['cache_read_input_tokens']),
    cache_creation_input_tokens: count(counts['cache_creation_input_tokens']),
  };
}

/** What the whole conversation cost. The counts per model include subagents, the plain ones do not. */
export function usageOfResult(message: ClaudeMessage): UsageEvent {
  const { modelUsage, total_cost_usd: cost, num_turns: turns } = message;
  const perModel = isRecord(modelUsage) ? Object.values(modelUsage).filter(isRecord) : [];
  const total =
    perModel.length === 0 ? usageOfMessage(message['usage']) : perModel.map(fromModel).reduce(addUsage, NO_USAGE);
  return {
    ...total,
    total_cost_usd: typeof cost === 'number' ? cost : null,
    ...(typeof turns === 'number' && { num_turns: turns }),
  };
}

export function addUsage(sum: UsageEvent, more: UsageEvent): UsageEvent {
  return {
    type: 'usage',
    input_tokens: sum.input_tokens + more.input_tokens,
    output_tokens: sum.output_tokens + more.output_tokens,
    cache_read_input_tokens: (sum.cache_read_input_tokens ?? 0) + (more.cache_read_input_tokens ?? 0),
    cache_creation_input_tokens: (sum.cache_creation_input_tokens ?? 0) + (more.cache_creation_input_tokens ?? 0),
  };
}

function fromModel(usage: Readonly<Record<string, unknown>>): UsageEvent {
  return {
    type: 'usage',
    input_tokens: count(usage['inputTokens']),
    output_tokens: count(usage['outputTokens']),
    cache_read_input_tokens: count(usage['cacheReadInputTokens']),
    cache_creation_input_tokens: count(usage['cacheCreationInputTokens']),
  };
}

function count(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

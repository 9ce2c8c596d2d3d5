import type { UsageEvent } from '@jeeves/protocol';
import { isRecord } from '../client/names.ts';

/**
 * Adds what a turn used. Codex counts cached tokens among the input; the record has them apart, as Claude
 * does. What it calls a turn is a whole conversation of many requests: how many, it does not say.
 */
export function addTurn(sum: UsageEvent | undefined, more: unknown): UsageEvent {
  const counts = isRecord(more) ? more : {};
  const count = (name: string): number => (typeof counts[name] === 'number' ? counts[name] : 0);
  const cached = count('cached_input_tokens');
  const written = count('cache_write_input_tokens');
  return {
    type: 'usage',
    input_tokens: (sum?.input_tokens ?? 0) + Math.max(0, count('input_tokens') - cached - written),
    output_tokens: (sum?.output_tokens ?? 0) + count('output_tokens'),
    cache_read_input_tokens: (sum?.cache_read_input_tokens ?? 0) + cached,
    cache_creation_input_tokens: (sum?.cache_creation_input_tokens ?? 0) + written,
    total_cost_usd: null,
  };
}

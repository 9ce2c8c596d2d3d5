import type { UsageEvent } from '@jeeves/protocol';
import { estimateTokens } from '../../ledger/tokens.ts';

/** What a model's API would have counted: every request carries the whole conversation, the known part from a cache. */
export interface Meter {
  /** Something the agent is told: the prompt, the result of a tool, definitions of tools. */
  readonly told: (text: string) => void;
  /** Something the agent writes, which takes a request. */
  readonly wrote: (text: string) => void;
  readonly usage: () => UsageEvent;
}

export function createMeter(): Meter {
  let fresh = 0;
  let known = 0;
  const total = { input: 0, output: 0, read: 0, turns: 0 };
  return {
    told: (text) => {
      fresh += estimateTokens(text).tokens;
    },
    wrote: (text) => {
      const { tokens } = estimateTokens(text);
      total.turns += 1;
      total.read += known;
      total.input += fresh;
      total.output += tokens;
      known += fresh;
      fresh = tokens;
    },
    usage: () => ({
      type: 'usage',
      input_tokens: 0,
      output_tokens: total.output,
      cache_read_input_tokens: total.read,
      cache_creation_input_tokens: total.input,
      total_cost_usd: null,
      num_turns: total.turns,
      simulated: true,
    }),
  };
}

import { MAX_REPLY_BYTES, type ToolOutcome } from '@jeeves/mcp-pruner/host';
import type { UpstreamResult } from './upstream/upstream.ts';

/** An upstream's result as the host takes it: sent as it is, or refused as a whole where no reply can hold it. */
export function outcomeOf(result: UpstreamResult, mode: ToolOutcome['mode'] = 'raw'): ToolOutcome {
  return {
    text: TOO_LARGE,
    structured: {},
    isError: result.isError === true,
    mode,
    result,
    shrink: () => outcomeOf(errorResult(TOO_LARGE)),
  };
}

/** A failure that an agent can read. */
export function errorResult(text: string): UpstreamResult {
  return { content: [{ type: 'text', text }], isError: true };
}

/** A result with what the gateway has to say about it as a text of its own, behind everything that the server said. */
export function withNotes(result: UpstreamResult, notes: readonly string[]): UpstreamResult {
  if (notes.length === 0) return result;
  return { ...result, content: [...result.content, { type: 'text', text: `note: ${notes.join('; ')}` }] };
}

const TOO_LARGE = `error: the result is larger than ${MAX_REPLY_BYTES} bytes; ask for less of it`;

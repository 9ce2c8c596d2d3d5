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

const TOO_LARGE = `error: the result is larger than ${MAX_REPLY_BYTES} bytes; ask for less of it`;

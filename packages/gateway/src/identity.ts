import type { ServerIdentity } from '@jeeves/mcp-pruner/host';
import { FOCUS_ARGUMENT } from '@jeeves/protocol';

const CATALOGUE = [
  'Many servers’ tools stand behind two: describe your task to automatic_mcp and it returns the definitions that serve it, then call them by name with automatic_eval.',
  'Definitions you were sent before are only named again, as alreadySent.',
  `For results that may be long pass ${FOCUS_ARGUMENT}, one specific question; what is left out is marked and recover_text returns it.`,
].join(' ');

const PASSTHROUGH = [
  `Every tool here also takes ${FOCUS_ARGUMENT}, one specific question: only the lines of a long result that serve it come back.`,
  'Each gap is marked with its line numbers, and recover_text returns any of them by the prune id on the last line.',
].join(' ');

/** What the gateway says of itself. */
export function identity(
  version: string,
  { passthrough, stays }: { readonly passthrough: boolean; readonly stays: boolean },
): ServerIdentity {
  return {
    name: '@jeeves/gateway',
    version,
    instructions: passthrough ? PASSTHROUGH : CATALOGUE,
    // Only the upstreams' own tools come and go, and only a peer that stays can be told.
    listChanged: passthrough && stays,
  };
}

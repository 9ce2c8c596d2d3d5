import type { SERVER_NAME } from '@jeeves/protocol';
import type { ServerIdentity } from './host/initialize.ts';

// Part of the way to the handshake: the compiler holds the name equal to the contract's, which is not loaded yet.
const name: typeof SERVER_NAME = '@jeeves/mcp-pruner';

const instructions = [
  'For long files, builds, tests and logs prefer these tools and pass context_focus_question, one specific question: only the lines that serve it come back.',
  'Each gap is marked with its line numbers, and recover_text returns any of them by the prune id on the last line.',
  'Leave the question out when the output is short or every line matters, as before an edit.',
].join(' ');

/** What the server says of itself. */
export function identity(version: string): ServerIdentity {
  return { name, version, instructions };
}

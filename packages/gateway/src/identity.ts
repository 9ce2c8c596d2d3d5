import { estimateTokens } from '@jeeves/engine';
import type { ServerIdentity } from '@jeeves/mcp-pruner/host';
import { FOCUS_ARGUMENT } from '@jeeves/protocol';
import type { ServerPurpose } from './upstream/upstream.ts';

const CATALOGUE = [
  'Many servers’ tools stand behind two: say to automatic_mcp what a tool must do and it returns the definitions that fit, then call them by name with automatic_eval.',
  `For results that may be long pass ${FOCUS_ARGUMENT}, one specific question; what is left out is marked and recover_text returns it.`,
].join(' ');

const PASSTHROUGH = [
  `Every tool here also takes ${FOCUS_ARGUMENT}, one specific question: only the lines of a long result that serve it come back.`,
  'Each gap is marked with its line numbers, and recover_text returns any of them by the prune id on the last line.',
].join(' ');

export interface IdentityOptions {
  readonly passthrough: boolean;
  readonly stays: boolean;
  /** Asked at every handshake, since more is known of the servers as time goes by. */
  readonly purposes: () => readonly ServerPurpose[];
}

/** What the gateway says of itself. */
export function identity(version: string, { passthrough, stays, purposes }: IdentityOptions): ServerIdentity {
  return {
    name: '@jeeves/gateway',
    version,
    get instructions() {
      return passthrough ? PASSTHROUGH : [CATALOGUE, ...serverLines(purposes())].join('\n');
    },
    // Only the upstreams' own tools come and go, and only a peer that stays can be told.
    listChanged: passthrough && stays,
  };
}

/** What the lines about servers may cost every conversation. */
export const MAX_SERVER_TOKENS = 300;

/** From generous to names alone: the first that fits is used. */
const PURPOSE_LENGTHS = [160, 120, 90, 60, 40, 25, 0] as const;

/** Each server with what it is for, shortened alike until all of them fit. */
export function serverLines(purposes: readonly ServerPurpose[]): readonly string[] {
  if (purposes.length === 0) return [];
  for (const length of PURPOSE_LENGTHS) {
    const lines = ['Servers:', ...purposes.map((one) => lineOf(one, length))];
    if (estimateTokens(lines.join('\n')) <= MAX_SERVER_TOKENS) return lines;
  }
  return [namesWithin(purposes.map(({ server }) => server))];
}

function lineOf({ server, purpose }: ServerPurpose, length: number): string {
  const short = purpose.length > length ? `${purpose.slice(0, Math.max(0, length - 1)).trimEnd()}…` : purpose;
  return purpose === '' || length === 0 ? `- ${server}` : `- ${server}: ${short}`;
}

/** Names in one line, and how many more there are than fit. */
function namesWithin(names: readonly string[]): string {
  for (let count = names.length; count > 0; count -= 1) {
    const rest = count < names.length ? ` and ${names.length - count} more` : '';
    const line = `Servers: ${names.slice(0, count).join(', ')}${rest}`;
    if (estimateTokens(line) <= MAX_SERVER_TOKENS) return line;
  }
  return `Servers: ${names.length}`;
}

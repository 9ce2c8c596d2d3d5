import type { Emit } from '@jeeves/protocol';
import { messageOf } from './failure.ts';
import type { KnownTools } from './known-tools.ts';
import { failedStatus, type ServerStatus, STARTING } from './status.ts';

/** What went wrong with a server, and whether it still is. */
export interface Health {
  /** It did not come up, or ended by itself. */
  readonly failed: (message: string) => void;
  /** It was listed, or could not be for this reason. */
  readonly listed: (problem: string | undefined) => void;
  /** Notes whether a start succeeds. */
  readonly watch: <Value>(start: Promise<Value>) => Promise<Value>;
  readonly status: (known: Pick<KnownTools, 'tools' | 'known'>) => ServerStatus;
}

export function createHealth(server: string, emit: Emit): Health {
  let failure: string | undefined;
  // A server that ended in a call is started again by the next one; one that does not come up is out of order.
  let outOfOrder: string | undefined;

  function failed(message: string): void {
    failure = message;
    emit({ event: 'gateway.upstream_failed', data: { server, message } });
  }

  return {
    failed,
    listed: (problem) => {
      outOfOrder = problem;
      if (problem === undefined) failure = undefined;
      else failed(problem);
    },
    watch: async (start) => {
      try {
        return await start;
      } catch (error) {
        outOfOrder = messageOf(error);
        throw error;
      }
    },
    status: ({ tools, known }) => {
      const facts = { server, tools: tools().length };
      const problem = known() ? outOfOrder : failure;
      if (problem !== undefined) return { ...facts, ...failedStatus(problem) };
      return known() ? { ...facts, state: 'listed' } : { ...facts, ...STARTING };
    },
  };
}

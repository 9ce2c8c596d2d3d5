import type { RpcId } from '@jeeves/protocol';
import type { Dispatcher } from '../dispatch.ts';
import { cancelledId } from '../params.ts';

/** Requests of sessions that are worked on, so that a later post can cancel one. */
export interface UnderWay {
  /** Gives the function that strikes it off again. Without a session nobody can mean it. */
  readonly add: (session: string | undefined, id: RpcId, dispatcher: Dispatcher) => () => void;
  /** Only of the same session: others count their requests with the same numbers. */
  readonly cancel: (session: string | undefined, params: unknown) => void;
}

export function createUnderWay(): UnderWay {
  const open = new Map<string, Dispatcher>();
  return {
    add: (session, id, dispatcher) => {
      if (session === undefined) return () => undefined;
      const key = keyOf(session, id);
      open.set(key, dispatcher);
      return () => {
        if (open.get(key) === dispatcher) open.delete(key);
      };
    },
    cancel: (session, params) => {
      const id = cancelledId(params);
      if (session !== undefined && id !== undefined) open.get(keyOf(session, id))?.cancelAll();
    },
  };
}

// By type and value: 1 and "1" are different requests.
function keyOf(session: string, id: RpcId): string {
  return `${session} ${typeof id} ${id}`;
}

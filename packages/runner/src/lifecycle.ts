import { type Emit, exitData, type RunState } from '@jeeves/protocol';

/** What can happen to the pruner server of a run, with what the events say of it. */
export type LifecycleEvent =
  | { readonly type: 'config_disabled' }
  | { readonly type: 'config_invalid'; readonly variable: string; readonly message: string }
  | { readonly type: 'config_resolved' }
  | {
      readonly type: 'server_ready';
      readonly root: string;
      readonly pid?: number | undefined;
      /** Of a server that is reached over HTTP. */
      readonly host?: string | undefined;
      readonly port?: number | undefined;
    }
  | { readonly type: 'start_failed'; readonly message: string }
  /** The agent's own client failed; before its server was ready, that says nothing about the server. */
  | { readonly type: 'client_failed' }
  | {
      readonly type: 'server_lost';
      readonly reason: 'exited' | 'unreachable';
      readonly message: string;
      /** How often it did not answer. */
      readonly failures?: number | undefined;
      readonly exitCode?: number | undefined;
      readonly signal?: string | undefined;
    }
  | { readonly type: 'phase_ended' };

type EventType = LifecycleEvent['type'];
type Of<Type extends EventType> = Extract<LifecycleEvent, { type: Type }>;

interface Transition<Event> {
  readonly to: RunState;
  readonly report?: (event: Event, emit: Emit) => void;
}

type Transitions = { readonly [Type in EventType]?: Transition<Of<Type>> };

/**
 * The machine as a whole: state → event → next state and what is reported. What is not listed changes nothing, so that
 * no news can bring a run back: a server that is lost stays lost until the next run.
 */
const TRANSITIONS: Readonly<Record<RunState, Transitions>> = {
  'run:init': {
    config_disabled: {
      to: 'run:mcp_pruner_disabled',
      report: (_, emit) => emit({ event: 'mcp_pruner.disabled', data: { reason: 'config_disabled' } }),
    },
    config_invalid: {
      to: 'run:mcp_pruner_disabled',
      report({ variable, message }, emit) {
        emit({ event: 'mcp_pruner.config_invalid', data: { variable, message } });
        emit({ event: 'mcp_pruner.disabled', data: { reason: 'config_invalid' } });
      },
    },
    config_resolved: { to: 'run:mcp_pruner_starting' },
  },
  'run:mcp_pruner_starting': {
    server_ready: {
      to: 'run:mcp_pruner_running',
      report({ root, pid, host, port }, emit) {
        const address = { ...(host !== undefined && { host }), ...(port !== undefined && { port }) };
        emit({ event: 'mcp_pruner.ready', data: { root, ...(pid !== undefined && { pid }), ...address } });
      },
    },
    start_failed: {
      to: 'run:mcp_pruner_disabled',
      report({ message }, emit) {
        emit({ event: 'mcp_pruner.spawn_error', data: { message } });
        emit({ event: 'mcp_pruner.start_failed', data: { message } });
        emit({ event: 'mcp_pruner.disabled', data: { reason: 'start_failed' } });
      },
    },
    client_failed: { to: 'run:mcp_pruner_disabled' },
  },
  'run:mcp_pruner_running': {
    server_lost: {
      to: 'run:mcp_pruner_degraded',
      report(event, emit) {
        const how = exitData(event);
        if (event.reason === 'exited') emit({ event: 'mcp_pruner.exited', data: how });
        else {
          const { failures = 1, message } = event;
          emit({ event: 'mcp_pruner.unreachable', data: { failures, message } });
        }
        emit({ event: 'mcp_pruner.degraded', data: { reason: event.reason, ...how } });
      },
    },
    phase_ended: { to: 'run:shutdown' },
  },
  'run:mcp_pruner_disabled': {
    phase_ended: {
      to: 'run:shutdown',
      report: (_, emit) => emit({ event: 'mcp_pruner.not_running', data: {} }),
    },
  },
  'run:mcp_pruner_degraded': {
    phase_ended: {
      to: 'run:shutdown',
      report: (_, emit) => emit({ event: 'mcp_pruner.shutdown_after_degraded', data: {} }),
    },
  },
  'run:shutdown': {},
};

export interface Lifecycle {
  readonly state: RunState;
  /** Every state so far, in order. */
  readonly states: readonly RunState[];
  /** Whether it changed anything. */
  readonly send: (event: LifecycleEvent) => boolean;
}

/** One machine for one phase of a run; it starts at `run:init` and ends at `run:shutdown`. */
export function createLifecycle(emit: Emit): Lifecycle {
  const states: RunState[] = ['run:init'];
  const current = (): RunState => states.at(-1) ?? 'run:init';
  function send(event: LifecycleEvent): boolean {
    // A phase that ends before its server answered never had one.
    if (event.type === 'phase_ended' && current() === 'run:mcp_pruner_starting') {
      send({ type: 'start_failed', message: 'the run ended before the server was ready' });
    }
    // Which event a transition takes follows from where it stands in the table.
    const transition = TRANSITIONS[current()][event.type] as Transition<LifecycleEvent> | undefined;
    if (transition === undefined) return false;
    states.push(transition.to);
    transition.report?.(event, emit);
    return true;
  }
  return {
    get state() {
      return current();
    },
    states,
    send,
  };
}

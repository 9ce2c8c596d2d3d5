import * as z from 'zod';

export type EventLevel = 'debug' | 'info' | 'warn' | 'error';

/** What each event carries in `data`. The request an event belongs to stands in the envelope. */
export interface EventData {
  'mcp_pruner.disabled': { readonly reason: 'config_disabled' | 'config_invalid' | 'start_failed' };
  'mcp_pruner.config_invalid': { readonly variable: string; readonly message: string };
  'mcp_pruner.ready': {
    readonly root: string;
    readonly pid?: number | undefined;
    readonly host?: string | undefined;
    readonly port?: number | undefined;
    readonly token_file?: string | undefined;
  };
  'mcp_pruner.start_failed': { readonly message: string };
  'mcp_pruner.spawn_error': { readonly message: string };
  'mcp_pruner.start_timeout': { readonly timeout_ms: number };
  'mcp_pruner.exited': { readonly exit_code?: number | undefined; readonly signal?: string | undefined };
  'mcp_pruner.unreachable': { readonly failures: number; readonly message: string };
  'mcp_pruner.degraded': {
    readonly reason: 'exited' | 'unreachable';
    readonly exit_code?: number | undefined;
    readonly signal?: string | undefined;
  };
  'mcp_pruner.stopped': { readonly graceful: boolean; readonly duration_ms: number };
  'mcp_pruner.kill_escalated': { readonly pid: number };
  'mcp_pruner.not_running': Readonly<Record<string, never>>;
  'mcp_pruner.shutdown_after_degraded': Readonly<Record<string, never>>;
  'gateway.config_invalid': { readonly field: string; readonly message: string };
  'gateway.ready': {
    readonly servers: number;
    readonly host?: string | undefined;
    readonly port?: number | undefined;
    readonly token_file?: string | undefined;
  };
  'gateway.reloaded': { readonly servers: number };
  'gateway.start_failed': { readonly message: string };
  'gateway.stopped': { readonly graceful: boolean; readonly duration_ms: number };
  'gateway.upstream_started': { readonly server: string; readonly duration_ms: number };
  'gateway.upstream_listed': { readonly server: string; readonly tools: number; readonly left_out: number };
  'gateway.upstream_failed': { readonly server: string; readonly message: string };
  'gateway.upstream_stderr': { readonly server: string; readonly tail: string };
  'gateway.upstream_stopped': {
    readonly server: string;
    readonly reason: 'idle' | 'evicted' | 'unresponsive' | 'closed';
  };
  'gateway.tool_changed': {
    readonly server: string;
    readonly tool: string;
    /** It cannot be called until its owner accepts the change. */
    readonly withheld?: boolean | undefined;
  };
  'gateway.tool_cleaned': { readonly server: string; readonly tool: string };
  'http.request': {
    /** Absent, and the path too, where the bytes that came were no request. */
    readonly method?: string | undefined;
    /** Without the query, which may hold secrets. */
    readonly path?: string | undefined;
    /** Absent when the caller left before it was answered. */
    readonly status?: number | undefined;
    readonly duration_ms: number;
  };
  'tool.request_received': { readonly tool: string };
  'tool.request_parse_failed': { readonly message: string };
  'tool.request_invalid': { readonly tool?: string | undefined; readonly message: string };
  'tool.exec_start': { readonly tool: string };
  'tool.exec_ok': { readonly tool: string; readonly duration_ms: number; readonly bytes: number };
  'tool.exec_failed': {
    readonly tool: string;
    readonly code: string;
    readonly message: string;
    readonly exit_code?: number | undefined;
    readonly duration_ms: number;
  };
  'tool.exec_timeout': { readonly tool: string; readonly timeout_ms: number };
  'pruner.call_start': { readonly endpoint: string; readonly tool: string; readonly input_bytes: number };
  'pruner.call_ok': { readonly tool: string; readonly pruner_duration_ms: number; readonly pruned_bytes: number };
  'pruner.call_failed': {
    readonly tool: string;
    readonly reason: 'timeout' | 'http_error' | 'invalid_response';
    readonly pruner_duration_ms?: number | undefined;
    readonly message?: string | undefined;
  };
  'tool.respond_ok': { readonly tool: string; readonly mode: 'raw' | 'pruned' };
  'tool.respond_failed': { readonly tool?: string | undefined; readonly message: string };
  'tool.internal_error': {
    readonly tool?: string | undefined;
    readonly message: string;
    readonly stack?: string | undefined;
  };
}

export type EventName = keyof EventData;

/** Anything a package reports, told apart by `event`. */
export type JeevesEvent = {
  [Name in EventName]: {
    readonly event: Name;
    readonly request_id?: string | undefined;
    readonly data: EventData[Name];
  };
}[EventName];

/** How packages report: they are given one of these and never write to a stream themselves. */
export type Emit = (event: JeevesEvent) => void;

/** One line of a log: stderr of a stdio program, stdout of an HTTP program, `JEEVES_EVENT_FILE`. */
export interface LogLine {
  /** ISO 8601. */
  readonly ts: string;
  readonly level: EventLevel;
  readonly event: string;
  readonly request_id?: string | undefined;
  readonly data?: Readonly<Record<string, unknown>> | undefined;
}

export interface EventEntry {
  readonly level: EventLevel;
  readonly trigger: string;
}

/** When each event is reported, and how loudly. */
export const EVENTS: Readonly<Record<EventName, EventEntry>> = {
  'mcp_pruner.disabled': { level: 'info', trigger: 'The run goes on without the pruner server.' },
  'mcp_pruner.config_invalid': { level: 'warn', trigger: 'An environment variable holds an unusable value.' },
  'mcp_pruner.ready': { level: 'info', trigger: 'The server takes requests. Over HTTP it names its address.' },
  'mcp_pruner.start_failed': { level: 'error', trigger: 'The server ended before it was ready.' },
  'mcp_pruner.spawn_error': { level: 'warn', trigger: 'The server’s process could not be started or reached.' },
  'mcp_pruner.start_timeout': { level: 'warn', trigger: 'The server was not ready in time.' },
  'mcp_pruner.exited': { level: 'warn', trigger: 'The server’s process ended during a run.' },
  'mcp_pruner.unreachable': { level: 'warn', trigger: 'The server stopped answering during a run.' },
  'mcp_pruner.degraded': { level: 'warn', trigger: 'The rest of this run has no pruner.' },
  'mcp_pruner.stopped': { level: 'info', trigger: 'The server ended after its work.' },
  'mcp_pruner.kill_escalated': { level: 'warn', trigger: 'The server ignored SIGTERM and was killed.' },
  'mcp_pruner.not_running': { level: 'debug', trigger: 'A run without the pruner ended.' },
  'mcp_pruner.shutdown_after_degraded': {
    level: 'info',
    trigger: 'A run that lost its pruner ended; no process is left.',
  },
  'gateway.config_invalid': {
    level: 'warn',
    trigger: 'A part of the gateway’s configuration is unusable and left out.',
  },
  'gateway.ready': { level: 'info', trigger: 'The gateway takes requests. Over HTTP it names its address.' },
  'gateway.reloaded': { level: 'info', trigger: 'The configuration file changed and its servers were taken over.' },
  'gateway.start_failed': { level: 'error', trigger: 'The gateway ended before it was ready.' },
  'gateway.stopped': { level: 'info', trigger: 'The gateway ended, and its upstream servers with it.' },
  'gateway.upstream_started': { level: 'info', trigger: 'An upstream server came up and shook hands.' },
  'gateway.upstream_listed': { level: 'debug', trigger: 'An upstream server told its tools.' },
  'gateway.upstream_failed': {
    level: 'warn',
    trigger: 'An upstream server did not come up, broke off or ended by itself.',
  },
  'gateway.upstream_stderr': {
    level: 'warn',
    trigger: 'An upstream server ended by itself: the end of what it wrote to its log.',
  },
  'gateway.upstream_stopped': { level: 'info', trigger: 'An upstream server was ended on purpose.' },
  'gateway.tool_changed': {
    level: 'warn',
    trigger: 'A tool’s definition is not the one that was first seen under its name.',
  },
  'gateway.tool_cleaned': {
    level: 'warn',
    trigger: 'A tool’s definition had hidden characters, which were taken out.',
  },
  'http.request': { level: 'info', trigger: 'An HTTP request is over: answered, turned away or given up.' },
  'tool.request_received': { level: 'debug', trigger: 'A tool call arrived and got its request id.' },
  'tool.request_parse_failed': { level: 'warn', trigger: 'A message was not JSON.' },
  'tool.request_invalid': { level: 'warn', trigger: 'A call broke its schema.' },
  'tool.exec_start': { level: 'debug', trigger: 'A call passed validation; the tool starts.' },
  'tool.exec_ok': { level: 'info', trigger: 'The tool succeeded.' },
  'tool.exec_failed': { level: 'warn', trigger: 'The tool failed.' },
  'tool.exec_timeout': { level: 'warn', trigger: 'The tool ran out of time and was killed.' },
  'pruner.call_start': { level: 'debug', trigger: 'The pruner is asked; `embedded:` is the engine in this process.' },
  'pruner.call_ok': { level: 'info', trigger: 'The pruner answered and its answer is used.' },
  'pruner.call_failed': { level: 'warn', trigger: 'The pruner failed; the raw output is used.' },
  'tool.respond_ok': { level: 'info', trigger: 'The reply was written.' },
  'tool.respond_failed': { level: 'error', trigger: 'The reply could not be written; the connection is closed.' },
  'tool.internal_error': { level: 'error', trigger: 'A defect: something threw that never does.' },
};

/** An event as its log line, in the order people read it. */
export function toLogLine(event: JeevesEvent, now: Date): LogLine {
  return {
    ts: now.toISOString(),
    level: EVENTS[event.event].level,
    event: event.event,
    ...(event.request_id !== undefined && { request_id: event.request_id }),
    ...(Object.keys(event.data).length > 0 && { data: { ...event.data } }),
  };
}

/** How a process ended, as events carry it. */
export function exitData(how: {
  readonly exitCode?: number | undefined;
  readonly signal?: string | undefined;
}): EventData['mcp_pruner.exited'] {
  return {
    ...(how.exitCode !== undefined && { exit_code: how.exitCode }),
    ...(how.signal !== undefined && { signal: how.signal }),
  };
}

/** For readers of log lines. `event` is any text: a reader skips what it does not know. */
export const LOG_LINE: z.ZodType<LogLine> = z.object({
  ts: z.string(),
  level: z.enum(['debug', 'info', 'warn', 'error']),
  event: z.string(),
  request_id: z.string().optional(),
  data: z.record(z.string(), z.unknown()).optional(),
});

/** The generic MCP host: framing, the protocol's rules and replies. It knows no tool; a server gives it some. */
export type { CallLimits } from './calls.ts';
export { createDispatcher, type Dispatcher } from './dispatch.ts';
export { createEventSink, type EventSink, type EventSinkOptions } from './events.ts';
export { createFrameReader, type Frame, type FrameReader, MAX_MESSAGE_BYTES } from './framing.ts';
export { type Greeting, greet } from './greeting.ts';
export type { ServerIdentity } from './initialize.ts';
export type { HostOptions } from './options.ts';
export type { Outgoing, Send } from './outgoing.ts';
export { MAX_REPLY_BYTES, type OutputMode } from './reply.ts';
export {
  type ConnectionEnd,
  connectStdio,
  type OpenDispatcher,
  type StdioConnection,
  type StdioHost,
} from './stdio.ts';
export { CallError, type Client, type Tool, type ToolCall, type ToolOutcome } from './tool.ts';

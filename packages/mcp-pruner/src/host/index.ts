/** The generic MCP host: framing, the protocol's rules and replies. It knows no tool; a server gives it some. */
// Accompanies any server that prunes.

export { isDeeperThan } from '@jeeves/protocol';
export { createRecover, type RecoverDependencies } from '../tools/recover.ts';
export type { CallLimits } from './calls.ts';
export { createDispatcher, type Dispatcher } from './dispatch.ts';
export { createEventSink, type EventSink, type EventSinkOptions } from './events.ts';
export { createFrameReader, type Frame, type FrameReader, MAX_MESSAGE_BYTES } from './framing.ts';
export { type Greeting, greet } from './greeting.ts';
export type { GuardOptions } from './http/guard.ts';
export { HTTP_LIMITS, type HttpLimits } from './http/limits.ts';
export {
  createHttpListener,
  type HttpListener,
  type HttpListenerOptions,
  type HttpLoad,
  type StopTimes,
} from './http/listener.ts';
export { createMcpRoute, type McpRouteOptions } from './http/mcp.ts';
export {
  type HttpReply,
  type HttpRequest,
  jsonReply,
  type Route,
  type StreamedReply,
  type WholeReply,
} from './http/route.ts';
export { openToken, type Token, type TokenOptions } from './http/token.ts';
export type { ServerIdentity } from './initialize.ts';
export type { HostOptions } from './options.ts';
export type { Outgoing, Send } from './outgoing.ts';
export { MAX_REPLY_BYTES, type OutputMode, replyShape, replyTokens } from './reply.ts';
export {
  type ConnectionEnd,
  connectStdio,
  type OpenDispatcher,
  type StdioConnection,
  type StdioHost,
} from './stdio.ts';
export {
  CallError,
  type Client,
  type ForeignTool,
  type ForeignTools,
  type Tool,
  type ToolCall,
  type ToolOutcome,
} from './tool.ts';

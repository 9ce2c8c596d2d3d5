import { type Emit, type RpcErrorObject, type RpcId, type RpcRequest, rpcError } from '@jeeves/protocol';
import type { Calls } from './calls.ts';
import { describe, forRequest } from './events.ts';
import type { HostOptions } from './options.ts';
import type { Send } from './outgoing.ts';
import {
  type CheckedCall,
  calledName,
  checkCall,
  cutName,
  issuesInShort,
  progressToken,
  type Refused,
} from './params.ts';
import { createProgress } from './progress.ts';
import { errorAsResult, errorLine, outcomeLine, type ReplyShape, replyShape, resultLine, resultOf } from './reply.ts';
import { CallError, type Client, type ToolOutcome } from './tool.ts';

/** What a connection gives to each of its calls. */
export interface CallContext {
  readonly options: HostOptions;
  readonly client: Client;
  readonly calls: Calls;
  readonly send: Send;
}

/** One call under way. */
interface Call {
  readonly id: RpcId;
  readonly requestId: string;
  readonly receivedAt: number;
  readonly tool: string;
  readonly shape: ReplyShape;
  readonly emit: Emit;
  readonly context: CallContext;
}

/** The pipeline of a `tools/call`: received → validated → executed → one reply. */
export function callTool({ id, params }: RpcRequest, context: CallContext): void {
  const { options, client, calls, send } = context;
  const requestId = options.newRequestId();
  const name = cutName(calledName(params));
  const call: Call = {
    id,
    requestId,
    receivedAt: options.now(),
    tool: name ?? '',
    shape: replyShape(options.output, client),
    emit: forRequest(options.emit, requestId),
    context,
  };
  if (name !== undefined) call.emit({ event: 'tool.request_received', data: { tool: name } });
  const checked = checkCall(params, options);
  if (!checked.ok) return refuse(call, name, checked);
  const valid = { ...call, tool: checked.value.tool.name };
  const started = calls.start(id, (signal) => execute(valid, { ...checked.value, params, signal }));
  if (started === 'accepted') return;
  // The first request with this id is still to be answered, so this one cannot be told apart from it.
  const code = started === 'busy' ? 'busy' : 'invalid_request';
  call.emit({ event: 'tool.request_invalid', data: { tool: call.tool, message: started } });
  send({ line: errorLine(id, rpcError(code)) });
}

async function execute(call: Call, work: CheckedCall & { params: unknown; signal: AbortSignal }): Promise<void> {
  const { requestId, receivedAt, emit, context } = call;
  const { tool, args, signal } = work;
  const { send, client, options } = context;
  const progress = createProgress(progressToken(work.params), (line) => send({ line }), options.now);
  emit({ event: 'tool.exec_start', data: { tool: call.tool } });
  try {
    const outcome = await tool.run({ args, requestId, client, signal, receivedAt, emit, progress: progress.report });
    progress.stop();
    if (!signal.aborted) respond(call, outcome);
  } catch (error) {
    progress.stop();
    // A tool whose call was cancelled may end in any way it likes.
    if (!signal.aborted) fail(call, error);
  }
}

function respond(call: Call, outcome: ToolOutcome): void {
  const { id, tool, shape, emit, context } = call;
  let line: readonly Uint8Array[] | undefined;
  try {
    line = outcomeLine(id, revised(outcome, shape, context.options.revise), shape);
  } catch (cause) {
    emit({ event: 'tool.respond_failed', data: { tool, message: describe(cause).message } });
    context.send({ line: errorLine(id, rpcError('internal_error')), last: true });
    return;
  }
  if (line === undefined) return fail(call, new Error('the result is too large for a reply and cannot be cut'));
  context.send({
    line,
    written: () => {
      outcome.written?.();
      emit({ event: 'tool.respond_ok', data: { tool, mode: outcome.mode } });
    },
    failed: ({ message }) => emit({ event: 'tool.respond_failed', data: { tool, message } }),
  });
}

function revised(outcome: ToolOutcome, shape: ReplyShape, revise: HostOptions['revise']): ToolOutcome {
  if (revise === undefined) return outcome;
  const { shrink } = outcome;
  return {
    ...outcome,
    result: revise(resultOf(outcome, shape), 'tools/call'),
    ...(shrink !== undefined && { shrink: (bytes: number) => revised(shrink(bytes), shape, revise) }),
  };
}

function fail(call: Call, cause: unknown): void {
  if (cause instanceof CallError) return sendError(call, cause.error, cause.message);
  call.emit({ event: 'tool.internal_error', data: { tool: call.tool, ...describe(cause) } });
  sendError(call, rpcError('internal_error'));
}

function refuse(call: Call, tool: string | undefined, { error, text }: Refused): void {
  const message = issuesInShort(error);
  call.emit({ event: 'tool.request_invalid', data: tool === undefined ? { message } : { tool, message } });
  sendError(call, error, text);
}

/** As an error of the protocol, or in words for a client whose model would see no more than the error's name. */
function sendError({ id, tool, shape, emit, context }: Call, error: RpcErrorObject, text?: string): void {
  const failed = ({ message }: Error): void => emit({ event: 'tool.respond_failed', data: { tool, message } });
  const inWords = shape === 'text' && text !== undefined;
  const { revise = (result: object) => result } = context.options;
  const line = inWords ? resultLine(id, revise(errorAsResult(error, text), 'tools/call')) : errorLine(id, error);
  context.send({ line, failed });
}

import { listen, sendEvents, sendJson } from './listener.ts';
import { createScript, type ScriptedModel, type ScriptedStep, type Seen, type Step } from './script.ts';

/** The part of a Messages request that is looked at. */
interface MessagesRequest {
  readonly model?: string;
  readonly stream?: boolean;
  readonly tools?: readonly { readonly name: string }[];
  readonly messages?: readonly { readonly content: string | readonly Block[] }[];
}

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly content?: string | readonly Block[];
}

/** The Anthropic Messages API, as far as Claude Code needs it. */
export async function startFakeAnthropic(steps: readonly ScriptedStep[]): Promise<ScriptedModel> {
  const follow = createScript(steps);
  const seen: Seen[] = [];
  const listener = await listen(async ({ path, text, reply }) => {
    if (path === '/v1/messages/count_tokens') return sendJson(reply, 200, { input_tokens: tokensOf(text) });
    if (path !== '/v1/messages') return sendJson(reply, 404, failure(`there is no ${path}`));
    const request = JSON.parse(text) as MessagesRequest;
    const step = await next(request, text);
    if ('status' in step) return sendJson(reply, step.status, failure('scripted failure'));
    const content = contentOf(step, seen.length);
    const message = messageOf(request, content, text);
    if (request.stream === true) sendEvents(reply, eventsOf(message, content));
    else sendJson(reply, 200, { ...message, content });
  });

  async function next(request: MessagesRequest, text: string): Promise<Step> {
    // Titles, quota probes and the like come without tools: they are no part of the conversation.
    if ((request.tools ?? []).length === 0) return { say: 'A title' };
    const now: Seen = {
      tools: (request.tools ?? []).map(({ name }) => sharedName(name)),
      results: resultsIn(request),
      raw: text,
    };
    seen.push(now);
    return await follow(now);
  }

  return { ...listener, seen };
}

type Content =
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: object }
  | { readonly type: 'text'; readonly text: string };

function contentOf(step: Exclude<Step, { status: number }>, turn: number): Content {
  if ('say' in step) return { type: 'text', text: step.say };
  return { type: 'tool_use', id: `toolu_scripted_${turn}`, name: clientName(step.call), input: step.input };
}

function messageOf(request: MessagesRequest, content: Content, text: string): Readonly<Record<string, unknown>> {
  return {
    id: `msg_scripted_${tokensOf(text)}`,
    type: 'message',
    role: 'assistant',
    model: request.model,
    stop_reason: content.type === 'tool_use' ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: {
      input_tokens: tokensOf(text),
      cache_creation_input_tokens: 3,
      cache_read_input_tokens: 5,
      output_tokens: 10,
    },
  };
}

function eventsOf(message: Readonly<Record<string, unknown>>, content: Content): [string, object][] {
  const index = 0;
  const [block, delta] =
    content.type === 'text'
      ? [
          { ...content, text: '' },
          { type: 'text_delta', text: content.text },
        ]
      : [
          { ...content, input: {} },
          { type: 'input_json_delta', partial_json: JSON.stringify(content.input) },
        ];
  const { stop_reason, stop_sequence } = message;
  return [
    ['message_start', { message: { ...message, content: [], stop_reason: null } }],
    ['content_block_start', { index, content_block: block }],
    ['content_block_delta', { index, delta }],
    ['content_block_stop', { index }],
    ['message_delta', { delta: { stop_reason, stop_sequence }, usage: { output_tokens: 10 } }],
    ['message_stop', {}],
  ];
}

function resultsIn({ messages = [] }: MessagesRequest): string[] {
  const blocks = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
  return blocks.filter(({ type }) => type === 'tool_result').map(({ content }) => textOf(content));
}

function textOf(content: string | readonly Block[] | undefined): string {
  if (content === undefined || typeof content === 'string') return content ?? '';
  return content.map(({ text }) => text ?? '').join('\n');
}

const MCP_NAME = /^mcp__([a-z]+)__([a-z_]+)$/;

function sharedName(name: string): string {
  return name.replace(MCP_NAME, '$1/$2');
}

function clientName(name: string): string {
  return name.includes('/') ? `mcp__${name.replace('/', '__')}` : name;
}

function failure(message: string): object {
  return { type: 'error', error: { type: 'api_error', message } };
}

/** Any number that grows with the text serves. */
function tokensOf(text: string): number {
  return Math.ceil(text.length / 4);
}

import { listen, sendEvents, sendJson } from './listener.ts';
import { createScript, type ScriptedModel, type ScriptedStep, type Seen, type Step } from './script.ts';

/** The part of a Responses request that is looked at. */
interface ResponsesRequest {
  readonly model?: string;
  readonly tools?: readonly Tool[];
  readonly input?: readonly Item[];
}

interface Tool {
  readonly type: string;
  readonly name?: string;
  readonly tools?: readonly Tool[];
}

interface Item {
  readonly type: string;
  readonly output?: string | readonly { readonly text?: string }[];
}

/** The OpenAI Responses API, as far as Codex needs it. Its base URL ends in `/v1`. */
export async function startFakeOpenAi(steps: readonly ScriptedStep[]): Promise<ScriptedModel> {
  const follow = createScript(steps);
  const seen: Seen[] = [];
  const { url, close } = await listen(async ({ path, text, reply }) => {
    if (path === '/v1/models') return sendJson(reply, 200, { object: 'list', data: [], models: [] });
    if (path !== '/v1/responses') return sendJson(reply, 404, failure(`there is no ${path}`));
    const request = JSON.parse(text) as ResponsesRequest;
    const now: Seen = { tools: toolsIn(request), results: resultsIn(request), raw: text };
    seen.push(now);
    const step = await follow(now);
    if ('status' in step) return sendJson(reply, step.status, failure('scripted failure'));
    sendEvents(reply, eventsOf({ request, item: itemOf(step, seen.length), text }));
  });
  return { url: `${url}/v1`, close, seen };
}

function itemOf(step: Exclude<Step, { status: number }>, turn: number): Readonly<Record<string, unknown>> {
  const status = 'completed';
  if ('say' in step) {
    const content = [{ type: 'output_text', text: step.say, annotations: [] }];
    return { type: 'message', id: `msg_${turn}`, role: 'assistant', status, content };
  }
  const [server, tool] = step.call.split('/');
  const name = tool === undefined ? { name: server } : { name: tool, namespace: `mcp__${server}` };
  const call = { id: `fc_${turn}`, call_id: `call_scripted_${turn}`, arguments: JSON.stringify(step.input) };
  return { type: 'function_call', status, ...call, ...name };
}

interface Answer {
  readonly request: ResponsesRequest;
  readonly item: Readonly<Record<string, unknown>>;
  readonly text: string;
}

function eventsOf({ request, item, text }: Answer): [string, object][] {
  const usage = {
    input_tokens: Math.ceil(text.length / 4),
    input_tokens_details: { cached_tokens: 5 },
    output_tokens: 10,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: Math.ceil(text.length / 4) + 10,
  };
  const response = { id: `resp_${text.length}`, object: 'response', model: request.model, output: [] };
  const events: [string, object][] = [
    ['response.created', { response: { ...response, status: 'in_progress' } }],
    ['response.output_item.added', { output_index: 0, item: { ...item, status: 'in_progress' } }],
    ['response.output_item.done', { output_index: 0, item }],
    ['response.completed', { response: { ...response, status: 'completed', output: [item], usage } }],
  ];
  return events.map(([name, data], sequence_number) => [name, { sequence_number, ...data }]);
}

function toolsIn({ tools = [] }: ResponsesRequest): string[] {
  return tools.flatMap(({ type, name = type, tools: inside = [] }) => {
    if (type !== 'namespace') return [name];
    return inside.map((tool) => `${name.replace(/^mcp__/, '')}/${tool.name}`);
  });
}

function resultsIn({ input = [] }: ResponsesRequest): string[] {
  return input
    .filter(({ type }) => type === 'function_call_output')
    .map(({ output = '' }) => (typeof output === 'string' ? output : output.map(({ text }) => text ?? '').join('\n')));
}

function failure(message: string): object {
  return { error: { message, type: 'server_error' } };
}

import type { UpstreamTool } from '../upstream/upstream.ts';

/** Where a model chooses tools, as the user configured it. */
export interface ModelFilterConfig {
  /** Of an OpenAI-compatible API, such as `https://host/v1`. */
  readonly baseURL: string;
  readonly model: string;
  /** Absent for a model that asks for no key. */
  readonly apiKey?: string | undefined;
  /** The most tools that are kept of its answer. */
  readonly maxTools: number;
  readonly timeoutMs: number;
}

export const DEFAULT_FILTER_TOOLS = 20;
export const DEFAULT_FILTER_TIMEOUT_MS = 10_000;

/** Chooses among ranked tools; nothing when it has no usable opinion. */
export interface ToolFilter {
  readonly choose: (
    ranked: readonly UpstreamTool[],
    goal: string,
    signal?: AbortSignal,
  ) => Promise<readonly UpstreamTool[] | undefined>;
}

export interface ModelFilterOptions extends ModelFilterConfig {
  readonly fetch: typeof globalThis.fetch;
  /** Told why the model's answer was not used. */
  readonly onProblem?: (message: string) => void;
}

const MAX_OFFERED = 1000;
const MAX_DESCRIPTION = 160;
const MAX_ANSWER_BYTES = 256 * 1024;

const INSTRUCTIONS =
  'You choose tools for a task. Answer with a JSON array of tool names from the list, the most useful first, and ' +
  'nothing else. Be selective: leave out every tool that the task does not need. An empty array means that none fits.';

/** Asks a model which tools a goal needs. Names that were not offered are skipped; whatever goes wrong, it has no say. */
export function createModelFilter(options: ModelFilterOptions): ToolFilter {
  return {
    choose: async (ranked, goal, signal) => {
      const offered = ranked.slice(0, MAX_OFFERED);
      try {
        const names = readNames(await ask(options, requestFor(options.model, offered, goal), signal));
        const chosen = [...new Set(names)]
          .map((name) => offered.find(({ displayName }) => displayName === name))
          .filter((tool) => tool !== undefined);
        if (names.length > 0 && chosen.length === 0) throw new Error('it named only tools that nobody has');
        return chosen.slice(0, options.maxTools);
      } catch (cause) {
        options.onProblem?.(cause instanceof Error ? cause.message : String(cause));
        return undefined;
      }
    },
  };
}

function requestFor(model: string, tools: readonly UpstreamTool[], goal: string): object {
  const list = tools.map(({ displayName, definition }) => `- ${displayName}: ${inShort(definition['description'])}`);
  return {
    model,
    temperature: 0,
    messages: [
      { role: 'system', content: INSTRUCTIONS },
      { role: 'user', content: `Task: ${goal}\n\nTools:\n${list.join('\n')}` },
    ],
  };
}

function inShort(description: unknown): string {
  return typeof description === 'string' ? description.replaceAll(/\s+/g, ' ').slice(0, MAX_DESCRIPTION) : '';
}

async function ask(options: ModelFilterOptions, body: object, signal?: AbortSignal): Promise<string> {
  const { baseURL, apiKey, timeoutMs, fetch } = options;
  const deadline = AbortSignal.timeout(timeoutMs);
  const response = await fetch(`${baseURL.replace(/\/$/, '')}/chat/completions`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
    },
    body: JSON.stringify(body),
    // The key goes to the configured host and nowhere else.
    redirect: 'error',
    signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]),
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`the model answered with status ${response.status}`);
  }
  return await boundedText(response);
}

async function boundedText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) throw new Error('the model answered with too much');
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function readNames(answer: string): string[] {
  const parsed = JSON.parse(answer) as { choices?: readonly { message?: { content?: unknown } }[] };
  const content = parsed?.choices?.[0]?.message?.content;
  if (typeof content !== 'string') throw new Error('the model answered in another shape');
  const names: unknown = JSON.parse(unfenced(content));
  if (!Array.isArray(names) || !names.every((name) => typeof name === 'string')) {
    throw new Error('the model answered with something else than a list of names');
  }
  return names;
}

/** Many models put JSON between fences, whatever they are told. */
function unfenced(content: string): string {
  return /```[a-z]*\s*\n?([^]*?)```/i.exec(content)?.[1] ?? content;
}

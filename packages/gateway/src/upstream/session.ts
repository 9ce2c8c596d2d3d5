import { UpstreamFailure } from './failure.ts';
import type { RequestOptions } from './pending.ts';
import { openRpc, type Rpc } from './rpc.ts';
import type { JsonObject, UpstreamResult } from './upstream.ts';
import type { OpenWire } from './wire.ts';

/** A server that shook hands. */
export interface Session {
  /** What the server says it is for, in its own words; empty when it says nothing. */
  readonly about: string;
  /** Definitions as the server gives them, page by page. */
  readonly list: () => Promise<readonly unknown[]>;
  readonly call: (name: string, args: JsonObject, options: RequestOptions) => Promise<UpstreamResult>;
  readonly close: () => Promise<void>;
}

export interface SessionEvents {
  readonly listChanged: () => void;
  readonly closed: (why: string) => void;
}

export interface SessionOptions {
  readonly openWire: OpenWire;
  readonly events: SessionEvents;
  readonly version: string;
  /** For the handshake, and for each page of a list. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

const NEWEST = '2025-11-25';
const SPOKEN: ReadonlySet<string> = new Set([NEWEST, '2025-06-18', '2025-03-26', '2024-11-05']);
const MAX_PAGES = 100;

/** Connects and shakes hands. When that fails nothing is left behind. */
export async function openSession({ openWire, events, version, timeoutMs, signal }: SessionOptions): Promise<Session> {
  const rpc = await openRpc(openWire, {
    notified: (method) => {
      if (method === 'notifications/tools/list_changed') events.listChanged();
    },
    closed: events.closed,
  });
  let about: string;
  try {
    about = await handshake(rpc, { version, timeoutMs, signal });
  } catch (error) {
    await rpc.close();
    throw error;
  }
  return {
    about,
    list: () => listAll(rpc, timeoutMs),
    call: async (name, args, options) => toResult(await rpc.request('tools/call', { name, arguments: args }, options)),
    close: rpc.close,
  };
}

async function handshake(
  rpc: Rpc,
  { version, timeoutMs, signal }: Pick<SessionOptions, 'version' | 'timeoutMs' | 'signal'>,
): Promise<string> {
  const clientInfo = { name: 'jeeves-gateway', version };
  const params = { protocolVersion: NEWEST, capabilities: {}, clientInfo };
  const answer = await rpc.request('initialize', params, { timeoutMs, signal });
  const agreed = isObject(answer) ? answer['protocolVersion'] : undefined;
  if (typeof agreed !== 'string' || !SPOKEN.has(agreed)) {
    throw new UpstreamFailure('unusable_answer', `speaks no revision of MCP that is spoken here (${String(agreed)})`);
  }
  rpc.agreed(agreed);
  rpc.notify('notifications/initialized');
  return aboutOf(answer);
}

/** A description is one line by its nature; instructions are for the agent, but their beginning mostly says as much. */
function aboutOf(answer: unknown): string {
  const { serverInfo, instructions } = isObject(answer) ? answer : {};
  const description = isObject(serverInfo) ? serverInfo['description'] : undefined;
  const told = typeof description === 'string' && description !== '' ? description : instructions;
  return typeof told === 'string' ? told.slice(0, MAX_ABOUT) : '';
}

const MAX_ABOUT = 1000;

async function listAll(rpc: Rpc, timeoutMs: number): Promise<readonly unknown[]> {
  const tools: unknown[] = [];
  let cursor: unknown;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const answer = await rpc.request('tools/list', typeof cursor === 'string' ? { cursor } : {}, { timeoutMs });
    if (!isObject(answer) || !Array.isArray(answer['tools'])) {
      throw new UpstreamFailure('unusable_answer', 'answered tools/list with something else');
    }
    for (const tool of answer['tools']) tools.push(tool);
    cursor = answer['nextCursor'];
    if (typeof cursor !== 'string' || cursor === '') break;
  }
  return tools;
}

/** Nothing is checked but what a reply needs. */
function toResult(answer: unknown): UpstreamResult {
  if (isObject(answer) && Array.isArray(answer['content'])) return answer as UpstreamResult;
  if (isObject(answer) && answer['structuredContent'] !== undefined) return { ...answer, content: [] };
  throw new UpstreamFailure('unusable_answer', 'answered the call with something that is no result');
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

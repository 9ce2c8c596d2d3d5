import { randomBytes } from 'node:crypto';
import { type RecoveryStore } from '@jeeves/engine';
import type { JeevesEvent, PruneTextArgs, PruneTextResult } from '@jeeves/protocol';
import { createMemoryStore, DEFAULT_STORE_LIMITS } from '@jeeves/store';
import { createHttpListener } from '../../src/host/http/listener.ts';
import { identity } from '../../src/identity.ts';
import { createMetrics, createTextRoutes } from '../../src/routes/index.ts';
import type { Judge } from '../../src/settings/judge.ts';
import { createTextService } from '../../src/tools/text/service.ts';

export interface SiteOptions {
  readonly judge?: Partial<Omit<Judge, 'deepinfra'>> & { readonly deepinfra?: Partial<Judge['deepinfra']> };
  readonly maxInputChars?: number;
  readonly rpcTtlMs?: number;
  readonly store?: RecoveryStore;
  readonly now?: () => number;
}

/** Whatever a reply holds: tests assert on it. */
type Parsed = ReturnType<typeof JSON.parse>;

/** What came back: the status, the headers and the body, parsed where it is JSON. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: Parsed;
}

export interface Site {
  readonly url: string;
  readonly events: readonly JeevesEvent[];
  readonly store: RecoveryStore;
  readonly post: (path: string, body: unknown) => Promise<Answer>;
  readonly get: (path: string) => Promise<Answer>;
  /** A JSON-RPC request; gives the reply. */
  readonly rpc: (method: string, params?: unknown) => Promise<Answer['json']>;
  /** A tool call over `/rpc`; gives the JSON of its text block. */
  readonly call: (name: string, args: object) => Promise<Answer['json']>;
  readonly prune: (
    args: Partial<PruneTextArgs>,
    options?: Partial<PruneTextArgs['options']>,
  ) => Promise<PruneTextResult>;
  readonly close: () => Promise<void>;
}

const JUDGE: Judge = {
  backend: 'heuristic',
  deepinfra: { timeoutMs: 20_000, maxDocs: 64 },
  cache: { ttlMs: 30_000, maxItems: 256 },
};

export const OPTIONS: PruneTextArgs['options'] = {
  max_prune_ratio: 0.75,
  min_keep_lines: 1,
  timeout_ms: 10_000,
  annotate_lines: false,
  include_markers: true,
};

/** The text routes on a real listener, in this process: clock, store and judge can be chosen. */
export async function openSite(options: SiteOptions = {}): Promise<Site> {
  const { now = Date.now, maxInputChars = 2_000_000, rpcTtlMs = 600_000 } = options;
  const judge = { ...JUDGE, ...options.judge, deepinfra: { ...JUDGE.deepinfra, ...options.judge?.deepinfra } };
  const store = options.store ?? createMemoryStore({ limits: DEFAULT_STORE_LIMITS, now });
  const events: JeevesEvent[] = [];
  const emit = (event: JeevesEvent): void => void events.push(event);
  const text = createTextService({
    config: { judge, maxInputChars },
    store,
    fetch: globalThis.fetch,
    now,
    randomBytes,
  });
  let ids = 0;
  const routes = createTextRoutes({
    config: { rpcTtlMs },
    text,
    identity: identity('1.2.3'),
    emit,
    now,
    newRequestId: () => `req_${(ids += 1)}`,
  });
  const metrics = createMetrics({
    counts: text.tally.counts,
    load: () => listener.load(),
    memory: () => 4096,
    clock: () => performance.now(),
  });
  const guard = { allowedHosts: [], token: 'secret', tokenRequired: false };
  const listener = createHttpListener({ routes: [...routes.map(metrics.measured), metrics.route], guard, emit, now });
  const address = await listener.listen('127.0.0.1', 0);
  return { store, events, ...clientOf(`http://127.0.0.1:${address.port}`), close: () => stop(listener) };
}

async function stop(listener: ReturnType<typeof createHttpListener>): Promise<void> {
  await listener.stop({ drainMs: 2000, abortMs: 2000 });
}

/** Talks to a service at this address, whoever runs it. */
export function clientOf(url: string): Omit<Site, 'store' | 'events' | 'close'> {
  const ask = async (path: string, init: RequestInit): Promise<Answer> => {
    const response = await fetch(url + path, { ...init, headers: { 'content-type': 'application/json' } });
    const text = await response.text();
    const isJson = response.headers.get('content-type') === 'application/json';
    return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined };
  };
  const post: Site['post'] = (path, body) =>
    ask(path, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) });
  let ids = 0;
  const rpc: Site['rpc'] = async (method, params) =>
    (await post('/rpc', { jsonrpc: '2.0', id: (ids += 1), method, ...(params !== undefined && { params }) })).json;
  const call: Site['call'] = async (name, args) => {
    const { result, error } = await rpc('tools/call', { name, arguments: args });
    if (error !== undefined) throw new Error(JSON.stringify(error));
    return JSON.parse(result.content[0].text);
  };
  return {
    url,
    post,
    rpc,
    call,
    get: (path) => ask(path, { method: 'GET' }),
    prune: (args, options) =>
      call('prune_text', {
        text: '',
        goal_hint: '',
        source_type: 'docs',
        ...args,
        options: { ...OPTIONS, ...options },
      }),
  };
}

import type { HttpReply, Route } from '../host/http/route.ts';
import type { TallyCounts } from '../tools/text/tally.ts';
import { createRegistry, type Sample } from './metrics/registry.ts';

export interface MetricsSources {
  readonly counts: () => TallyCounts;
  /** How many requests are worked on, and how many wait. */
  readonly load: () => { readonly running: number; readonly waiting: number };
  readonly memory: () => number;
  /** Milliseconds, from any start. */
  readonly clock: () => number;
}

export interface Metrics {
  /** `GET /metrics`. */
  readonly route: Route;
  /** One answered request. `route` is a path of this server, or `other`: never what a caller made up. */
  readonly answered: (route: string, status: number, seconds: number) => void;
  /** The same route, counted. */
  readonly measured: (route: Route) => Route;
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Numbers in Prometheus's text format. */
export function createMetrics(sources: MetricsSources): Metrics {
  const registry = createRegistry();
  const requests = registry.counter('jeeves_http_requests_total', 'Answered requests by route and status.');
  const durations = registry.histogram('jeeves_http_request_seconds', 'From arrival to answer, by route.', SECONDS);
  observe(registry, sources);
  const answered: Metrics['answered'] = (route, status, seconds) => {
    requests({ route, status: String(status) });
    durations({ route }, seconds);
  };
  return {
    answered,
    route: {
      method: 'GET',
      path: '/metrics',
      light: true,
      open: true,
      handle: () => ({
        status: 200,
        headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
        body: registry.expose(),
      }),
    },
    measured: (route) => ({
      ...route,
      handle: async (request) => {
        const started = sources.clock();
        let status = 500;
        try {
          const reply: HttpReply = await route.handle(request);
          ({ status } = reply);
          return reply;
        } finally {
          answered(route.path, status, (sources.clock() - started) / 1000);
        }
      },
    }),
  };
}

function observe({ observed }: ReturnType<typeof createRegistry>, { counts, load, memory }: MetricsSources): void {
  observed('jeeves_prune_calls_total', 'Texts pruned, by backend.', 'counter', () => byBackend(counts().calls));
  observed('jeeves_prune_fallbacks_total', 'Texts that a substitute judged or that came back whole.', 'counter', () =>
    byBackend(counts().fallbacks),
  );
  observed('jeeves_prune_cache_hits_total', 'Judgements used again.', 'counter', () => [{ value: counts().cacheHits }]);
  observed('jeeves_tokens_saved_total', 'Tokens that pruning took away.', 'counter', () => [
    { value: counts().tokensSaved },
  ]);
  observed('jeeves_lines_pruned_total', 'Lines that pruning took away.', 'counter', () => [
    { value: counts().linesPruned },
  ]);
  observed('jeeves_requests_running', 'Requests being worked on.', 'gauge', () => [{ value: load().running }]);
  observed('jeeves_requests_waiting', 'Requests waiting for their turn.', 'gauge', () => [{ value: load().waiting }]);
  observed('process_resident_memory_bytes', 'Memory of this process.', 'gauge', () => [{ value: memory() }]);
}

function byBackend(values: Readonly<Record<string, number>>): Sample[] {
  return Object.entries(values).map(([backend, value]) => ({ labels: { backend }, value }));
}

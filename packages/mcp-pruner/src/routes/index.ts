import type { Route } from '../host/http/route.ts';
import type { RouteDependencies } from './dependencies.ts';
import { createHealthRoute } from './health.ts';
import { createPruneRoute } from './prune.ts';
import { createRpcRoute } from './rpc.ts';

export type { RouteDependencies } from './dependencies.ts';
export { createMetrics, type Metrics } from './metrics.ts';

/** What a listener serves beside `/mcp`, `/healthz` and `/metrics`. */
export function createTextRoutes(dependencies: RouteDependencies): readonly Route[] {
  return [createRpcRoute(dependencies), createPruneRoute(dependencies.text), createHealthRoute(dependencies)];
}

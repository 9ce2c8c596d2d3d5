import { jsonReply, type Route } from '../host/http/route.ts';
import { healthOf } from '../tools/text/health.ts';
import type { RouteDependencies } from './dependencies.ts';

/** `GET /health`: seed 002's answer, and what clients of the swe-pruner service look for beside it. */
export function createHealthRoute({ text, identity, now }: RouteDependencies): Route {
  return {
    method: 'GET',
    path: '/health',
    light: true,
    open: true,
    handle: () =>
      jsonReply(200, { ...healthOf({ tally: text.tally, version: identity.version, now }), model_loaded: true }),
  };
}

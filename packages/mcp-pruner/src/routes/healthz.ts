import { type HealthzBody, httpError, SERVER_NAME } from '@jeeves/protocol';
import { jsonReply, type Route } from '../host/http/route.ts';

export interface HealthzOptions {
  readonly version: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Why the server is of no use, if it is not. */
  readonly problem: () => string | undefined;
}

/** `GET /healthz`: whether this server can do its work, and since when it does (seed 000). */
export function createHealthzRoute({ version, now, problem }: HealthzOptions): Route {
  const started = now();
  const handle: Route['handle'] = () => {
    const why = problem();
    if (why !== undefined) {
      const { status, body } = httpError('internal_error', why);
      return jsonReply(status, body);
    }
    const healthy: HealthzBody = {
      ok: true,
      status: 'ok',
      server: { name: SERVER_NAME, version },
      time: { started_at: new Date(started).toISOString(), uptime_ms: now() - started },
    };
    return jsonReply(200, healthy);
  };
  return { method: 'GET', path: '/healthz', light: true, open: true, handle };
}

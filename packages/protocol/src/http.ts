import { HTTP_ERRORS, type HttpErrorCode } from './errors.ts';

/** Body of every HTTP error outside JSON-RPC. */
export interface HttpErrorBody {
  readonly ok: false;
  readonly error: {
    readonly code: HttpErrorCode;
    readonly message: string;
    readonly details?: Readonly<Record<string, unknown>> | undefined;
  };
}

/** Body of `GET /healthz`. */
export interface HealthzBody {
  readonly ok: true;
  readonly status: 'ok';
  readonly server: { readonly name: '@jeeves/mcp-pruner'; readonly version: string };
  readonly time: { readonly started_at: string; readonly uptime_ms: number };
}

export interface HttpError {
  readonly status: number;
  readonly body: HttpErrorBody;
}

/** Status and body belong together: neither is ever chosen apart from the other. */
export function httpError(
  code: HttpErrorCode,
  message: string,
  details?: Readonly<Record<string, unknown>>,
): HttpError {
  const error = details === undefined ? { code, message } : { code, message, details };
  return { status: HTTP_ERRORS[code].status, body: { ok: false, error } };
}

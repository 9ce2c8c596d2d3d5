import { randomBytes } from 'node:crypto';
import type { JeevesEvent } from '@jeeves/protocol';
import { afterAll } from 'vitest';
import type { HttpLimits } from '../../../src/host/http/limits.ts';
import { createHttpListener, type HttpListener } from '../../../src/host/http/listener.ts';
import { createMcpRoute } from '../../../src/host/http/mcp.ts';
import type { Route } from '../../../src/host/http/route.ts';
import type { HostOptions } from '../../../src/host/options.ts';
import { TOOLS } from '../fixtures.ts';

export const TOKEN = 'the-right-token';

export interface SiteOptions {
  readonly routes?: readonly Route[];
  readonly limits?: Partial<HttpLimits>;
  readonly allowedHosts?: readonly string[];
  readonly tokenRequired?: boolean;
}

/** A listener in this process, with every event it reported. */
export interface Site {
  readonly port: number;
  readonly listener: HttpListener;
  readonly events: readonly JeevesEvent[];
  readonly post: (path: string, body: unknown, headers?: Readonly<Record<string, string>>) => Promise<Response>;
}

const open: HttpListener[] = [];

/** For the top of a file: stops what its tests opened. */
export function cleanUpSites(): void {
  afterAll(async () => {
    await Promise.all(open.splice(0).map((listener) => listener.stop({ drainMs: 0, abortMs: 1000 })));
  });
}

export async function openSite(options: SiteOptions = {}): Promise<Site> {
  const events: JeevesEvent[] = [];
  const emit = (event: JeevesEvent): void => void events.push(event);
  const host = hostOptions(emit);
  const listener = createHttpListener({
    routes: options.routes ?? [createMcpRoute({ host: () => host, randomBytes })],
    guard: { allowedHosts: options.allowedHosts ?? [], token: TOKEN, tokenRequired: options.tokenRequired ?? false },
    limits: options.limits ?? {},
    emit,
    now: Date.now,
  });
  open.push(listener);
  const { port } = await listener.listen('127.0.0.1', 0);
  return {
    port,
    listener,
    events,
    post: (path, body, headers = {}) =>
      fetch(`http://127.0.0.1:${port}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
  };
}

export function hostOptions(emit: HostOptions['emit']): HostOptions {
  return {
    server: { name: 'test-server', version: '1.2.3', instructions: 'None.' },
    tools: TOOLS,
    output: 'auto',
    emit,
    now: Date.now,
    newRequestId: () => randomBytes(8).toString('hex'),
  };
}

/** Resolves when something holds; the test's own time limit ends a wait in vain. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 2));
}

import { TOOL_SETS } from '@jeeves/protocol';
import { type Config, directoryProblem } from './config.ts';
import { createHttpListener, type HttpListener } from './host/http/listener.ts';
import { createMcpRoute } from './host/http/mcp.ts';
import { createOwners, type Owners } from './host/http/owners.ts';
import { openToken, type Token } from './host/http/token.ts';
import { hostFor } from './http-tools.ts';
import { createHealthzRoute } from './routes/healthz.ts';
import { createMetrics, createTextRoutes, type Metrics } from './routes/index.ts';
import { createServer, type Server, type ServerDependencies } from './server.ts';
import { isLoopback } from './settings/listen.ts';

export interface HttpServiceOptions extends ServerDependencies {
  readonly pid: number;
}

/** A listener with all routes, taking requests. */
export interface HttpService {
  readonly listener: HttpListener;
  readonly address: { readonly host: string; readonly port: number };
  /** Frees what the tools hold, and takes the token back. */
  readonly close: () => Promise<void>;
}

/** Wires the routes, starts to listen and says so. Throws with a message that says what to change. */
export async function openHttpService(options: HttpServiceOptions): Promise<HttpService> {
  const { emit, pid, randomBytes } = options;
  const config = notItself(withTools(options.config));
  const { host, port } = config.listen;
  const local = isLoopback(host);
  if (!local && config.token === undefined) {
    throw new Error(`invalid_host: ${JSON.stringify(host)} is not loopback: that needs MCP_PRUNER_TOKEN`);
  }
  // Whoever reaches the port can store texts, and none of them may cost an agent its own.
  const server = await createServer({ ...options, config, quota: 'http' });
  const token = openToken({ given: config.token, home: config.home, name: `mcp-pruner-${pid}`, randomBytes });
  const close = async (): Promise<void> => {
    token.forget();
    await server.close();
  };
  const listener = wire({ ...options, config }, server, token);
  try {
    const address = await listener.listen(host, port);
    const named = token.file === undefined ? {} : { token_file: token.file };
    emit({ event: 'mcp_pruner.ready', data: { root: config.root, pid, ...address, ...named } });
    // Nobody waits for this; the first text finds it done.
    void server.text.warm().catch(() => undefined);
    return { listener, address, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function wire(options: HttpServiceOptions, server: Server, token: Token): HttpListener {
  const { config, emit, identity, now, randomBytes } = options;
  const { newRequestId } = server.host;
  const metrics: Metrics = createMetrics({
    counts: () => server.text.tally.counts(),
    load: () => listener.load(),
    memory: () => process.memoryUsage.rss(),
    clock: () => performance.now(),
  });
  const owners = ownersHere();
  const routes = [
    createMcpRoute({ host: hostFor(server.host, owners !== undefined), randomBytes }),
    createHealthzRoute({ version: identity.version, now, problem: () => rootProblem(config) }),
    ...createTextRoutes({ config, text: server.text, identity, emit, now, newRequestId }),
  ];
  const { host } = config.listen;
  const listener = createHttpListener({
    routes: [...routes.map(metrics.measured), metrics.route],
    guard: {
      // Another address of this machine is as good as the usual one.
      allowedHosts: isLoopback(host) ? [...config.allowedHosts, host] : config.allowedHosts,
      token: token.value,
      tokenRequired: !isLoopback(host),
    },
    owners: isLoopback(host) ? owners : undefined,
    emit,
    now,
    refused: (path, status) => metrics.answered(path ?? 'other', status, 0),
  });
  return listener;
}

/** Only Linux tells every process whose a connection is. */
function ownersHere(): Owners | undefined {
  const userId = process.platform === 'linux' ? process.geteuid?.() : undefined;
  return userId === undefined ? undefined : createOwners(userId);
}

/** Over HTTP both sets are offered unless somebody chose otherwise. */
function withTools(config: Config): Config {
  if (config.toolsChosen) return config;
  return { ...config, tools: [...TOOL_SETS.files, ...TOOL_SETS.text].map(({ name }) => name) };
}

/** A service that asks itself over HTTP waits in its own queue; what it would answer, it can do without asking. */
function notItself(config: Config): Config {
  const { pruner, listen } = config;
  if (!('url' in pruner)) return config;
  const { hostname, port, protocol } = new URL(pruner.url);
  const itsHost = hostname.replace(/^\[|\]$/g, '');
  const itsPort = Number(port === '' ? (protocol === 'https:' ? 443 : 80) : port);
  const isHere = itsHost === listen.host || (isLoopback(itsHost) && (isLoopback(listen.host) || isAny(listen.host)));
  return isHere && itsPort === listen.port ? { ...config, pruner: { kind: 'embedded' } } : config;
}

function isAny(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}

function rootProblem({ root }: Config): string | undefined {
  const problem = directoryProblem(root);
  return problem === undefined ? undefined : `the root ${problem}`;
}

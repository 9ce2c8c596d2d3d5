import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Emit, type EventData, type HttpError, httpError } from '@jeeves/protocol';
import { describe } from '../events.ts';
import { type BodyOutcome, readBody } from './body.ts';
import { createExchange, type Exchange } from './exchange.ts';
import { type Guard, pathOf, type Verdict } from './guard.ts';
import type { HttpLimits } from './limits.ts';
import type { Owners } from './owners.ts';
import type { Places } from './places.ts';
import type { HttpRequest, Route } from './route.ts';
import type { Traffic } from './traffic.ts';

export interface ReceptionOptions {
  readonly guard: Guard;
  /** Absent: nobody asks whose a connection is. */
  readonly owners: Owners | undefined;
  readonly places: Places;
  readonly traffic: Traffic;
  readonly limits: HttpLimits;
  readonly emit: Emit;
  readonly now: () => number;
  readonly refused: (path: string, status: number) => void;
}

/** What is known of a request by its head. */
interface Head {
  readonly route: Route;
  readonly trusted: boolean;
  readonly receivedAt: number;
}

const NO_BODY = new Uint8Array();

type Receive = (request: IncomingMessage, response: ServerResponse) => void;

export interface Reception {
  readonly receive: Receive;
  /** For a caller that asks before it sends its body: it is told to go on, or is answered, before it does. */
  readonly receiveAsked: Receive;
}

/** A request's way through: guard → body → place → route → reply. */
export function createReception(options: ReceptionOptions): Reception {
  const { guard, owners, places, traffic, limits } = options;

  function admit(request: IncomingMessage, response: ServerResponse, asksFirst: boolean): void {
    traffic.seen.requests += 1;
    const exchange = openExchange(request, response, options);
    const proceed = (verdict: Verdict): void => {
      if (asksFirst && verdict.ok && hasRoom()) response.writeContinue();
      act(exchange, verdict);
    };
    const verdict = guard(request, owners?.known(request.socket));
    if (verdict.ok || verdict.askWhose !== true || owners === undefined) return proceed(verdict);
    void owners.isSameUser(request.socket).then((same) => {
      // Whoever left meanwhile is told nothing.
      if (!exchange.gone()) proceed(guard(request, same));
    });
  }

  function act(exchange: Exchange, verdict: Verdict): void {
    if (!verdict.ok) return refuse(exchange, verdict.error, verdict.headers);
    const { route, trusted } = verdict;
    const head: Head = { route, trusted, receivedAt: options.now() };
    if (route.light === true) {
      exchange.request.resume();
      void answer(exchange, head, NO_BODY, options);
    } else if (hasRoom()) void readAndAnswer(exchange, head);
    else shed(exchange);
  }

  async function readAndAnswer(exchange: Exchange, head: Head): Promise<void> {
    let reserved = 0;
    const reserve = (bytes: number): boolean => {
      if (traffic.held() + bytes > limits.maxHeldBytes) return false;
      traffic.hold(bytes);
      reserved += bytes;
      return true;
    };
    const read = await readBody(exchange.request, {
      maxBytes: limits.maxBodyBytes,
      idleMs: limits.bodyIdleMs,
      reserve,
    });
    const work = async (body: Uint8Array): Promise<void> => {
      // Whoever left while waiting takes nobody else's time.
      if (!exchange.gone()) await answer(exchange, head, body, options);
      traffic.hold(-reserved);
    };
    if (read.kind === 'whole' && hasRoom() && places.take(() => work(read.body))) return;
    traffic.hold(-reserved);
    turnAway(exchange, read.kind);
  }

  function turnAway(exchange: Exchange, why: BodyOutcome['kind']): void {
    if (why === 'too_large') {
      refuse(exchange, httpError('payload_too_large', `the body exceeds ${limits.maxBodyBytes} bytes`));
    } else if (why === 'too_slow') {
      refuse(exchange, httpError('request_timeout', 'the body did not arrive in time'), { connection: 'close' });
    } else if (why !== 'aborted') shed(exchange);
  }

  function hasRoom(): boolean {
    return !traffic.closing() && places.hasRoom();
  }

  function shed(exchange: Exchange): void {
    traffic.seen.shed += 1;
    const error = httpError('busy', traffic.closing() ? 'the server is stopping' : 'too many requests wait already');
    refuse(exchange, error, { 'retry-after': String(limits.retryAfterS) });
  }

  function refuse(exchange: Exchange, error: HttpError, headers: Readonly<Record<string, string>> = {}): void {
    options.refused(pathOf(exchange.request), error.status);
    exchange.refuse(error, headers);
  }

  return {
    receive: (request, response) => admit(request, response, false),
    receiveAsked: (request, response) => admit(request, response, true),
  };
}

function openExchange(
  request: IncomingMessage,
  response: ServerResponse,
  { traffic, limits, emit, now }: ReceptionOptions,
): Exchange {
  const receivedAt = now();
  const exchange = createExchange(request, response, {
    replyMs: limits.replyMs,
    keepAlive: () => !traffic.closing(),
    hold: traffic.hold,
    closed: () => {
      traffic.closed(exchange);
      emit({ event: 'http.request', data: { ...requestLine(exchange), duration_ms: now() - receivedAt } });
    },
  });
  traffic.exchanges.add(exchange);
  return exchange;
}

// Whatever a caller makes up is not worth more of the log.
const MAX_LOGGED = 200;

/** What the log says of a request: nothing of its query, its headers or its body. */
function requestLine({ request, response }: Exchange): Omit<EventData['http.request'], 'duration_ms'> {
  const { method = '' } = request;
  const path = pathOf(request).slice(0, MAX_LOGGED);
  const { headersSent, statusCode } = response;
  // A connection that broke off was answered past the response, which has the status of that all the same.
  return { method, path, ...((headersSent || statusCode !== 200) && { status: statusCode }) };
}

async function answer(exchange: Exchange, head: Head, body: Uint8Array, options: ReceptionOptions): Promise<void> {
  const { traffic, emit } = options;
  const { request, response } = exchange;
  const { route, trusted, receivedAt } = head;
  const passed: HttpRequest = {
    method: route.method,
    path: route.path,
    headers: request.headers,
    body,
    trusted,
    receivedAt,
    stopping: traffic.stopping,
    get signal() {
      return exchange.signal();
    },
  };
  traffic.working(1);
  try {
    await exchange.send(await route.handle(passed));
  } catch (cause) {
    emit({ event: 'tool.internal_error', data: describe(cause) });
    if (response.headersSent) response.destroy();
    else exchange.refuse(httpError('internal_error', 'a defect of the server'));
  }
  traffic.working(-1);
}

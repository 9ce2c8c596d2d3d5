/**
 * One WebSocket shared by every widget of the dashboard.
 *
 * Widgets ask for topics; the connection multiplexes them, survives network changes, and tells the
 * status bar what is going on. It knows nothing about what travels on a topic.
 */

export type Status = 'idle' | 'connecting' | 'open' | 'waiting' | 'closed';

export interface LiveOptions {
  readonly url: string;
  readonly token: () => Promise<string>;
  readonly makeSocket?: (url: string, protocols: string[]) => WebSocket;
  readonly onStatus?: (status: Status) => void;
  readonly heartbeatMs?: number;
  readonly queueLimit?: number;
}

type Listener = (payload: unknown, meta: Meta) => void;

interface Meta {
  readonly topic: string;
  readonly sequence: number;
  readonly sentAt: number;
}

interface TopicState {
  readonly listeners: Set<Listener>;
  lastSequence: number;
  acknowledged: boolean;
}

type Frame =
  | { readonly type: 'event'; readonly topic: string; readonly seq: number; readonly at: number; readonly data: unknown }
  | { readonly type: 'ack'; readonly topic: string; readonly seq: number }
  | { readonly type: 'error'; readonly topic?: string; readonly code: string; readonly message: string }
  | { readonly type: 'pong' };

const DEFAULT_HEARTBEAT_MS = 20_000;
const DEFAULT_QUEUE_LIMIT = 256;
const BACKOFF_MS = [0, 500, 1_000, 2_000, 5_000, 10_000, 30_000] as const;

export class LiveConnection {
  readonly #options: LiveOptions;
  readonly #topics = new Map<string, TopicState>();
  readonly #outbox: string[] = [];
  #socket: WebSocket | undefined;
  #status: Status = 'idle';
  #failures = 0;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  #heartbeat: ReturnType<typeof setInterval> | undefined;
  #pongDue = false;
  #closedByUser = false;

  constructor(options: LiveOptions) {
    this.#options = options;
    if (typeof window !== 'undefined') {
      window.addEventListener('online', this.#onOnline);
      window.addEventListener('pagehide', this.#onPageHide);
    }
  }

  get status(): Status {
    return this.#status;
  }

  /** Starts listening; the returned function stops. The first listener of a topic opens it on the server. */
  listen(topic: string, listener: Listener): () => void {
    let state = this.#topics.get(topic);
    if (state === undefined) {
      state = { listeners: new Set(), lastSequence: 0, acknowledged: false };
      this.#topics.set(topic, state);
      this.#send({ type: 'subscribe', topic, after: 0 });
    }
    state.listeners.add(listener);
    if (this.#status === 'idle') void this.#connect();
    return () => this.#unlisten(topic, listener);
  }

  publish(topic: string, data: unknown): void {
    this.#send({ type: 'publish', topic, data });
  }

  close(): void {
    this.#closedByUser = true;
    clearTimeout(this.#retryTimer);
    this.#stopHeartbeat();
    this.#socket?.close(1000, 'bye');
    this.#socket = undefined;
    this.#topics.clear();
    this.#outbox.length = 0;
    this.#setStatus('closed');
    if (typeof window !== 'undefined') {
      window.removeEventListener('online', this.#onOnline);
      window.removeEventListener('pagehide', this.#onPageHide);
    }
  }

  #unlisten(topic: string, listener: Listener): void {
    const state = this.#topics.get(topic);
    if (state === undefined) return;
    state.listeners.delete(listener);
    if (state.listeners.size > 0) return;
    this.#topics.delete(topic);
    this.#send({ type: 'unsubscribe', topic });
  }

  async #connect(): Promise<void> {
    if (this.#closedByUser) return;
    this.#setStatus('connecting');
    let token: string;
    try {
      token = await this.#options.token();
    } catch {
      this.#retryLater();
      return;
    }
    const make = this.#options.makeSocket ?? ((url, protocols) => new WebSocket(url, protocols));
    const socket = make(this.#options.url, ['dashboard.v2', `bearer.${token}`]);
    this.#socket = socket;
    socket.addEventListener('open', () => this.#opened(socket));
    socket.addEventListener('message', (event) => this.#received(String(event.data)));
    socket.addEventListener('close', (event) => this.#dropped(socket, event.code));
    // A failing socket always reports `close` as well, so `error` has nothing to add.
    socket.addEventListener('error', () => undefined);
  }

  #opened(socket: WebSocket): void {
    this.#failures = 0;
    this.#setStatus('open');
    this.#startHeartbeat(socket);
    // The server forgot us: ask again for what somebody still looks at, from where we stopped.
    for (const [topic, state] of this.#topics) {
      state.acknowledged = false;
      socket.send(JSON.stringify({ type: 'subscribe', topic, after: state.lastSequence }));
    }
    for (const text of this.#outbox.splice(0)) {
      if (!text.startsWith('{"type":"subscribe"')) socket.send(text);
    }
  }

  #received(text: string): void {
    const frame = parseFrame(text);
    if (frame === undefined) return;
    switch (frame.type) {
      case 'pong':
        this.#pongDue = false;
        return;
      case 'ack': {
        const state = this.#topics.get(frame.topic);
        if (state !== undefined) state.acknowledged = true;
        return;
      }
      case 'error':
        if (frame.topic !== undefined) this.#topics.delete(frame.topic);
        console.warn(`live: ${frame.code} ${frame.message}`);
        return;
      case 'event':
        this.#deliver(frame);
        return;
    }
  }

  #deliver(frame: Extract<Frame, { type: 'event' }>): void {
    const state = this.#topics.get(frame.topic);
    if (state === undefined) return;
    // Two servers may overlap during a deployment; whatever we already showed is dropped here.
    if (frame.seq <= state.lastSequence) return;
    state.lastSequence = frame.seq;
    const meta: Meta = { topic: frame.topic, sequence: frame.seq, sentAt: frame.at };
    for (const listener of state.listeners) {
      try {
        listener(frame.data, meta);
      } catch (error) {
        console.error(`live: a listener of ${frame.topic} threw`, error);
      }
    }
  }

  #dropped(socket: WebSocket, code: number): void {
    if (socket !== this.#socket) return;
    this.#socket = undefined;
    this.#stopHeartbeat();
    if (this.#closedByUser) return;
    if (code === 4401) {
      // Signed out elsewhere: trying again would only lock the account.
      this.close();
      return;
    }
    this.#retryLater();
  }

  #retryLater(): void {
    const wait = BACKOFF_MS[Math.min(this.#failures, BACKOFF_MS.length - 1)] ?? 30_000;
    this.#failures += 1;
    this.#setStatus('waiting');
    clearTimeout(this.#retryTimer);
    this.#retryTimer = setTimeout(() => void this.#connect(), wait * (0.75 + Math.random() / 2));
  }

  #startHeartbeat(socket: WebSocket): void {
    this.#pongDue = false;
    this.#heartbeat = setInterval(() => {
      if (this.#pongDue) {
        socket.close(4000, 'no pong');
        return;
      }
      this.#pongDue = true;
      socket.send('{"type":"ping"}');
    }, this.#options.heartbeatMs ?? DEFAULT_HEARTBEAT_MS);
  }

  #stopHeartbeat(): void {
    clearInterval(this.#heartbeat);
    this.#heartbeat = undefined;
  }

  #send(frame: object): void {
    const text = JSON.stringify(frame);
    if (this.#status === 'open' && this.#socket !== undefined) {
      this.#socket.send(text);
      return;
    }
    this.#outbox.push(text);
    if (this.#outbox.length > (this.#options.queueLimit ?? DEFAULT_QUEUE_LIMIT)) this.#outbox.shift();
  }

  #setStatus(status: Status): void {
    if (status === this.#status) return;
    this.#status = status;
    this.#options.onStatus?.(status);
  }

  readonly #onOnline = (): void => {
    if (this.#status !== 'waiting') return;
    clearTimeout(this.#retryTimer);
    void this.#connect();
  };

  readonly #onPageHide = (): void => {
    this.#socket?.close(1001, 'page hidden');
  };
}

function parseFrame(text: string): Frame | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || !('type' in value)) return undefined;
    return value as Frame;
  } catch {
    return undefined;
  }
}

import {
  type Basis,
  DEFAULT_TOOLS,
  type Ledger,
  type LedgerFigure,
  type LedgerPrices,
  type LedgerTotal,
  type ProviderEvent,
  toolInputSchema,
  type UsageEvent,
} from '@jeeves/protocol';
import { type Booking, bookCalls, toLedgerCall } from './booking.ts';
import { type Call, createCallLog } from './calls.ts';
import { withoutMarkers } from './markers.ts';
import { type OwnTools, ownToolsOf } from './own/own.ts';
import { type CountTokens, estimateTokens } from './tokens.ts';

export interface LedgerOptions {
  readonly cwd: string;
  readonly prices: LedgerPrices;
  /** What the agent's client shows by itself. Default: everything. */
  readonly own?: OwnTools | undefined;
  /** The figures come from a provider that asks no model. */
  readonly simulated?: boolean | undefined;
  /** Called only when there is something to count: a tokenizer takes a while to load. */
  readonly loadCounter?: (() => Promise<CountTokens>) | undefined;
  /** Looks a raw output up by its prune id, so that what was removed can be counted instead of estimated. */
  readonly rawText?: ((pruneId: string) => Promise<string | undefined>) | undefined;
}

export interface LedgerKeeper {
  readonly add: (event: ProviderEvent) => void;
  /** `offered`: the agent had the pruner's tools, and paid for their definitions. */
  readonly close: (offered: boolean) => Promise<Ledger>;
}

/** Counts what pruning took away during a run, and everything that it cost in turn. */
export function openLedger(options: LedgerOptions): LedgerKeeper {
  const { cwd, prices, loadCounter, rawText, own = ownToolsOf('', undefined), simulated = false } = options;
  const log = createCallLog(cwd);
  let usage: UsageEvent | undefined;
  return {
    add(event) {
      if (event.type === 'usage') usage = event;
      log.add(event);
    },
    async close(offered) {
      const countTokens = log.calls.length === 0 ? estimateTokens : ((await loadCounter?.()) ?? estimateTokens);
      const seen = Math.max(1, log.requests());
      const requests = usage?.num_turns ?? seen;
      const book = createBook({ prices, seen, requests });
      const bookings = await bookCalls(log.calls, { own, countTokens, rawText });
      const removed = book.figure(removedBy(bookings));
      const spent = spentOn(log.calls, { bookings, own, countTokens, book, offered, usage });
      const gross = totalOf(removed);
      return {
        schema: 'jeeves.ledger.v1',
        ...(simulated && { simulated }),
        reader: own.reader,
        counter: countTokens('').method,
        requests: { count: requests, basis: usage?.num_turns === undefined ? 'estimated' : 'measured' },
        prices,
        calls: {
          pruner: log.calls.filter(({ facts }) => facts.pruner).length,
          pruned: log.calls.filter(({ result }) => result?.applied === true).length,
          other: log.calls.filter(({ facts }) => !facts.pruner).length,
        },
        per_call: bookings.map(toLedgerCall),
        removed,
        spent,
        gross,
        net: Object.values(spent).reduce<LedgerTotal>(minus, gross),
      };
    },
  };
}

interface Entry {
  readonly tokens: number;
  readonly basis: Basis;
  /** The request whose answer brought them in; 0 when they are there from the start. */
  readonly request: number;
  /** Tokens the model wrote are also paid as output. */
  readonly written?: boolean;
}

interface Book {
  readonly figure: (entries: readonly Entry[]) => LedgerFigure;
  readonly prices: LedgerPrices;
  readonly requests: number;
}

/** Events may show fewer or more requests than the provider counted: places are scaled to its count. */
function createBook(facts: { prices: LedgerPrices; seen: number; requests: number }): Book {
  const { prices, seen, requests } = facts;
  const later = ({ request }: Entry): number =>
    request === 0 ? requests : Math.round(((seen - request) * requests) / seen);
  function costOf(entry: Entry): number {
    const carried = later(entry);
    const kept = carried === 0 ? 0 : prices.cache_write + (carried - 1) * prices.cache_read;
    return (entry.tokens * (kept + (entry.written === true ? prices.output : 0))) / 1_000_000;
  }
  return {
    prices,
    requests,
    figure: (entries) => ({
      count: entries.length,
      tokens: sum(entries, ({ tokens }) => tokens),
      processed_tokens: sum(entries, (entry) => entry.tokens * later(entry)),
      cost_usd: sum(entries, costOf),
      basis: entries.some(({ basis }) => basis === 'estimated') ? 'estimated' : 'measured',
    }),
  };
}

/** Reading something again would not have been needed without pruning, so its gaps are no gain. */
function removedBy(bookings: readonly Booking[]): readonly Entry[] {
  return bookings.filter(({ call, own, kept }) => !call.repeated && own > kept).map(differenceOf);
}

/** A reply that is longer than the client's own would have been is a loss, however much was taken out of it. */
function overshownBy(bookings: readonly Booking[]): readonly Entry[] {
  return bookings.filter(({ call, own, kept }) => !call.repeated && own < kept).map(differenceOf);
}

function differenceOf({ call, own, kept, measured }: Booking): Entry {
  return { tokens: Math.abs(own - kept), basis: measured ? 'measured' : 'estimated', request: call.request };
}

interface Spending {
  readonly bookings: readonly Booking[];
  readonly own: OwnTools;
  readonly countTokens: CountTokens;
  readonly book: Book;
  readonly offered: boolean;
  readonly usage: UsageEvent | undefined;
}

function spentOn(calls: readonly Call[], spending: Spending): Ledger['spent'] {
  const { bookings, own, countTokens, book, offered, usage } = spending;
  const counted = (text: string, request: number): Entry => {
    const { tokens, method } = countTokens(text);
    return { tokens, basis: method === 'o200k' ? 'measured' : 'estimated', request };
  };
  const recovering = calls.filter(({ facts }) => facts.pruner && facts.kind === 'recover');
  const repeated = calls.filter((call) => call.repeated);
  const basis: Basis = countTokens('').method === 'o200k' ? 'measured' : 'estimated';
  const markers = bookings
    .filter((booking) => booking.markers > 0)
    .map(({ call, markers: tokens }): Entry => ({ tokens, basis, request: call.request }));
  const written = calls.flatMap(({ facts, input, request }) => {
    const text = facts.kind === 'recover' && facts.pruner ? JSON.stringify(input) : (facts.goal ?? '');
    return text === '' ? [] : [{ ...counted(text, request), written: true }];
  });
  const definitions = offered ? [{ ...counted(definitionsText(), 0), basis: 'estimated' as const }] : [];
  const extra = new Set([...recovering, ...repeated].map(({ request }) => request)).size;
  const seen = (call: Call): string => (call.facts.pruner ? own.passOn(call.content) : call.content);
  return {
    overshown: book.figure(overshownBy(bookings)),
    recovered: book.figure(recovering.map((call) => counted(seen(call), call.request))),
    reread: book.figure(repeated.map((call) => counted(withoutMarkers(seen(call)), call.request))),
    markers: book.figure(markers),
    schemas: book.figure(definitions),
    questions: book.figure(written),
    extra_requests: extraRequests(extra, book, usage),
  };
}

/** An average conversation, read once more from the cache. */
function extraRequests(count: number, book: Book, usage: UsageEvent | undefined): LedgerFigure {
  const all =
    (usage?.input_tokens ?? 0) + (usage?.cache_read_input_tokens ?? 0) + (usage?.cache_creation_input_tokens ?? 0);
  const processed = Math.round((count * all) / book.requests);
  const cost = (processed * book.prices.cache_read) / 1_000_000;
  return { count, tokens: 0, processed_tokens: processed, cost_usd: cost, basis: 'estimated' };
}

/** The definitions as they are listed; how a client words them to its model is its own business. */
function definitionsText(): string {
  const tools = DEFAULT_TOOLS.map((tool) => ({
    name: tool.name,
    description: tool.description,
    inputSchema: toolInputSchema(tool),
  }));
  return JSON.stringify(tools);
}

function totalOf({ tokens, processed_tokens, cost_usd, basis }: LedgerTotal): LedgerTotal {
  return { tokens, processed_tokens, cost_usd, basis };
}

function minus(total: LedgerTotal, figure: LedgerTotal): LedgerTotal {
  return {
    tokens: total.tokens - figure.tokens,
    processed_tokens: total.processed_tokens - figure.processed_tokens,
    cost_usd: total.cost_usd - figure.cost_usd,
    basis: total.basis === 'estimated' || figure.basis === 'estimated' ? 'estimated' : 'measured',
  };
}

function sum<Item>(items: readonly Item[], value: (item: Item) => number): number {
  return items.reduce((total, item) => total + value(item), 0);
}

import { Buffer } from 'node:buffer';
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
import { type Call, createCallLog } from './calls.ts';
import { type CountTokens, estimateTokens } from './tokens.ts';

export interface LedgerOptions {
  readonly cwd: string;
  readonly prices: LedgerPrices;
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
  const { cwd, prices, loadCounter, rawText } = options;
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
      const removed = await removedFrom(log.calls, { rawText, countTokens, book });
      const spent = spentOn(log.calls, { countTokens, book, offered, usage });
      const gross = totalOf(removed);
      return {
        schema: 'jeeves.ledger.v1',
        counter: countTokens('').method,
        requests: { count: requests, basis: usage?.num_turns === undefined ? 'estimated' : 'measured' },
        prices,
        calls: {
          pruner: log.calls.filter(({ facts }) => facts.pruner).length,
          pruned: log.calls.filter(({ result }) => result?.applied === true).length,
          other: log.calls.filter(({ facts }) => !facts.pruner).length,
        },
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

type Removing = Pick<LedgerOptions, 'rawText'> & { readonly countTokens: CountTokens; readonly book: Book };

/** Reading something again would not have been needed without pruning, so its gaps are no gain. */
async function removedFrom(calls: readonly Call[], options: Removing): Promise<LedgerFigure> {
  const entries: Entry[] = [];
  for (const call of calls) {
    if (call.result?.applied !== true || call.repeated) continue;
    entries.push({ ...(await removedBy(call, options)), request: call.request });
  }
  return options.book.figure(entries);
}

async function removedBy(call: Call, { countTokens, rawText }: Removing): Promise<Pick<Entry, 'tokens' | 'basis'>> {
  const { rawBytes = 0, prunedBytes = 0, pruneId } = call.result ?? {};
  const { gaps, kept } = withoutMarkers(call.content);
  const raw = pruneId === undefined ? undefined : await rawText?.(pruneId);
  // Only where the text is nothing but the pruned output can the two be compared as they are.
  if (raw !== undefined && Buffer.byteLength(kept) + Buffer.byteLength(gaps) === prunedBytes) {
    const [before, after] = [countTokens(raw), countTokens(kept)];
    const measured = before.method === 'o200k' && after.method === 'o200k';
    return { tokens: before.tokens - after.tokens, basis: measured ? 'measured' : 'estimated' };
  }
  const sample = raw ?? kept;
  const bytes = rawBytes - (prunedBytes - Buffer.byteLength(gaps));
  const density = sample === '' ? 1 / 4 : countTokens(sample).tokens / Buffer.byteLength(sample);
  return { tokens: Math.max(0, Math.round(bytes * density)), basis: 'estimated' };
}

interface Spending {
  readonly countTokens: CountTokens;
  readonly book: Book;
  readonly offered: boolean;
  readonly usage: UsageEvent | undefined;
}

function spentOn(calls: readonly Call[], { countTokens, book, offered, usage }: Spending): Ledger['spent'] {
  const counted = (text: string, request: number): Entry => {
    const { tokens, method } = countTokens(text);
    return { tokens, basis: method === 'o200k' ? 'measured' : 'estimated', request };
  };
  const recovering = calls.filter(({ facts }) => facts.pruner && facts.kind === 'recover');
  const repeated = calls.filter((call) => call.repeated);
  const pruned = calls.filter(({ result }) => result?.applied === true);
  const markers = pruned.map((call) => counted(markersIn(call.content), call.request));
  const written = calls.flatMap(({ facts, input, request }) => {
    const text = facts.kind === 'recover' && facts.pruner ? JSON.stringify(input) : (facts.goal ?? '');
    return text === '' ? [] : [{ ...counted(text, request), written: true }];
  });
  const definitions = offered ? [{ ...counted(definitionsText(), 0), basis: 'estimated' as const }] : [];
  const extra = new Set([...recovering, ...repeated].map(({ request }) => request)).size;
  return {
    recovered: book.figure(recovering.map((call) => counted(call.content, call.request))),
    reread: book.figure(repeated.map((call) => counted(withoutMarkers(call.content).kept, call.request))),
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

function isGap(line: string): boolean {
  return line.startsWith('⟦pruned ') && line.trimEnd().endsWith('⟧');
}

function isClosing(line: string): boolean {
  return line.startsWith('⟦prune_id=') && line.trimEnd().endsWith('⟧');
}

/** The text apart from what pruning put into it; the markers of gaps belong to the output, the closing line does not. */
function withoutMarkers(text: string): { readonly kept: string; readonly gaps: string } {
  const lines = text.split(/(?<=\n)/);
  return {
    kept: lines.filter((line) => !isGap(line) && !isClosing(line)).join(''),
    gaps: lines.filter(isGap).join(''),
  };
}

function markersIn(text: string): string {
  return text
    .split(/(?<=\n)/)
    .filter((line) => isGap(line) || isClosing(line))
    .join('');
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

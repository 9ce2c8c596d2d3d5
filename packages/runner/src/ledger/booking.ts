import { Buffer } from 'node:buffer';
import type { LedgerCall, LedgerLimit } from '@jeeves/protocol';
import type { Call } from './calls.ts';
import { markersIn, withoutMarkers } from './markers.ts';
import type { Output, OwnTools } from './own/own.ts';
import type { CountTokens } from './tokens.ts';

/** One call of ours beside what the client's own tool would have shown in its place. */
export interface Booking {
  readonly call: Call;
  /** What the client's own tool would have shown. */
  readonly own: number;
  /** Ours without markers. */
  readonly kept: number;
  readonly markers: number;
  readonly limit?: LedgerLimit | undefined;
  readonly measured: boolean;
}

export interface BookingOptions {
  readonly own: OwnTools;
  readonly countTokens: CountTokens;
  readonly rawText?: ((pruneId: string) => Promise<string | undefined>) | undefined;
}

/** Books every call whose output the client's own tools could have fetched as well. */
export async function bookCalls(calls: readonly Call[], options: BookingOptions): Promise<readonly Booking[]> {
  const bookings: Booking[] = [];
  for (const call of calls) {
    const kind = comparableKind(call);
    if (kind !== undefined) bookings.push(await book(call, kind, options));
  }
  return bookings;
}

export function toLedgerCall({ call, own, kept, markers, limit, measured }: Booking): LedgerCall {
  // Nobody would have asked again for what was there already.
  const instead = call.repeated ? 0 : own;
  return {
    tool_use_id: call.id,
    tool: call.name,
    own_tokens: instead,
    shown_tokens: kept + markers,
    saved_tokens: instead - kept - markers,
    ...(limit !== undefined && { limit }),
    basis: measured ? 'measured' : 'estimated',
  };
}

function comparableKind({ facts, result }: Call): Output['kind'] | undefined {
  const { kind, pruner } = facts;
  if (!pruner || result === undefined || result.rawBytes === 0) return undefined;
  return kind === 'file' || kind === 'command' || kind === 'search' ? kind : undefined;
}

async function book(call: Call, kind: Output['kind'], options: BookingOptions): Promise<Booking> {
  const { countTokens } = options;
  const seen = options.own.passOn(call.content);
  const text = withoutMarkers(seen);
  const counted = countTokens(text);
  const markers = countTokens(markersIn(seen)).tokens;
  const output = { kind, partial: call.facts.partial === true, failed: call.failed };
  const own = await shownInstead(call, output, { ...options, kept: { text, tokens: counted.tokens } });
  return { call, kept: counted.tokens, markers, ...own, measured: own.measured && counted.method === 'o200k' };
}

type Instead = Pick<Booking, 'own' | 'limit' | 'measured'>;

interface Kept {
  readonly text: string;
  readonly tokens: number;
}

async function shownInstead(
  call: Call,
  output: Omit<Output, 'raw'>,
  { own, countTokens, rawText, kept }: BookingOptions & { readonly kept: Kept },
): Promise<Instead> {
  const { applied = false, pruneIds = [], rawBytes = 0, beside = '' } = call.result ?? {};
  if (!applied && pruneIds.length === 0) {
    const { text, limit } = own.show({ ...output, raw: call.content }, countTokens);
    // The same text in both places, whatever heading or notice either adds to it.
    return limit === undefined ? { own: kept.tokens, measured: true } : limited(text, limit, countTokens);
  }
  const found = await Promise.all(pruneIds.map(async (id) => await rawText?.(id)));
  const whole = found.every((text) => text !== undefined) && found.length > 0;
  if (whole) {
    const raw = [...found, ...(beside === '' ? [] : [beside])].join('\n');
    const { text, limit } = own.show({ ...output, raw }, countTokens);
    return limit === undefined ? measuredWhole(text, countTokens) : limited(text, limit, countTokens);
  }
  const { text, limit } = own.show({ ...output, raw: standIn(kept.text, rawBytes) }, countTokens);
  if (limit !== undefined) return limited(text, limit, countTokens);
  const density = kept.text === '' ? 1 / 4 : kept.tokens / Buffer.byteLength(kept.text);
  return { own: Math.max(kept.tokens, Math.round(rawBytes * density)), measured: false };
}

function measuredWhole(text: string, countTokens: CountTokens): Instead {
  const { tokens, method } = countTokens(text);
  return { own: tokens, measured: method === 'o200k' };
}

/** How a client words what it cuts is known from one of its versions, so it is never called measured. */
function limited(text: string, limit: LedgerLimit, countTokens: CountTokens): Instead {
  return { own: countTokens(text).tokens, limit, measured: false };
}

// Longer than any limit of a client.
const LONGEST_STAND_IN = 1024 * 1024;

/** A text of about that size, for outputs that no store has any more. */
function standIn(sample: string, bytes: number): string {
  const size = Math.min(bytes, LONGEST_STAND_IN);
  const piece = sample.trim() === '' ? `${'x'.repeat(79)}\n` : sample;
  return piece.repeat(Math.ceil(size / piece.length)).slice(0, size);
}

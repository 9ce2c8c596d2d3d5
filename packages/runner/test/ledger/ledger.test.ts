import type { Ledger, LedgerPrices, ProviderEvent } from '@jeeves/protocol';
import { describe, expect, test } from 'vitest';
import { verifies } from '../../../../test/e2e/verifies.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import type { CountTokens } from '../../src/ledger/tokens.ts';

const PRICES: LedgerPrices = { input: 4, output: 20, cache_write: 5, cache_read: 0.5, basis: 'given' };
const timestamp = '2026-01-01T00:00:00.000Z';

/** A token a character: every figure can be counted by hand. */
const BY_CHARACTER: CountTokens = (text) => ({ tokens: text.length, method: 'o200k' });

const RAW = `${'a'.repeat(9)}\n`.repeat(10);
const KEPT = `${'a'.repeat(9)}\n`.repeat(2);
const GAP = '⟦pruned 3-10 (8 lines)⟧\n';
const CLOSING = '⟦prune_id=prn_1 · recover_text restores any range⟧\n';
const PRUNED = `${KEPT}${GAP}${CLOSING}`;
const GOAL = 'why?';

let calls = 0;

function call(name: string, input: Record<string, unknown>, content: string, pruning?: object): ProviderEvent[] {
  calls += 1;
  const id = `call_${calls}`;
  return [
    { type: 'tool_use', name, input, id, timestamp },
    {
      type: 'tool_result',
      toolUseId: id,
      content,
      timestamp,
      ...(pruning !== undefined && { structured: { pruning } }),
    },
  ];
}

const APPLIED = {
  attempted: true,
  applied: true,
  fallback: false,
  raw_bytes: Buffer.byteLength(RAW),
  pruned_bytes: Buffer.byteLength(KEPT + GAP),
  prune_id: 'prn_1',
};

function prunedRead(path = 'a.log'): ProviderEvent[] {
  return call('mcp:pruner/read', { file_path: path, context_focus_question: GOAL }, PRUNED, APPLIED);
}

const RESULT: ProviderEvent = { type: 'result', content: 'done', timestamp };

async function ledgerOf(
  events: readonly ProviderEvent[],
  { offered = false, raw = true, count = true }: { offered?: boolean; raw?: boolean; count?: boolean } = {},
): Promise<Ledger> {
  const keeper = openLedger({
    cwd: '/app',
    prices: PRICES,
    ...(count && { loadCounter: () => Promise.resolve(BY_CHARACTER) }),
    ...(raw && { rawText: (id: string) => Promise.resolve(id === 'prn_1' ? RAW : undefined) }),
  });
  for (const event of events) keeper.add(event);
  return await keeper.close(offered);
}

describe('a ledger', () => {
  verifies('runner.ledger', 'counts what was removed on the raw text itself, and calls that measured', async () => {
    const { removed, gross, counter } = await ledgerOf([...prunedRead(), RESULT]);
    expect(counter).toBe('o200k');
    expect(removed).toMatchObject({ count: 1, tokens: RAW.length - KEPT.length, basis: 'measured' });
    expect(gross.tokens).toBe(80);
  });

  verifies('runner.ledger', 'estimates what it cannot count, and says so', async () => {
    const unseen = await ledgerOf([...prunedRead(), RESULT], { raw: false });
    expect(unseen.removed).toMatchObject({ tokens: 80, basis: 'estimated' });
    const uncounted = await ledgerOf([...prunedRead(), RESULT], { count: false });
    expect(uncounted).toMatchObject({
      counter: 'estimate',
      removed: { basis: 'estimated' },
      net: { basis: 'estimated' },
    });
  });

  verifies('runner.ledger', 'takes off markers, questions, recovered lines and repeated reads', async () => {
    const recover = { prune_id: 'prn_1', ranges: [{ start_line: 3, end_line: 4 }] };
    const { spent, net, gross } = await ledgerOf([
      ...prunedRead(),
      ...call('mcp:pruner/recover_text', recover, 'r'.repeat(20)),
      ...call('Read', { file_path: '/app/a.log' }, RAW),
      RESULT,
    ]);
    expect(spent.markers).toMatchObject({ count: 1, tokens: (GAP + CLOSING).length, basis: 'measured' });
    expect(spent.questions).toMatchObject({ count: 2, tokens: GOAL.length + JSON.stringify(recover).length });
    expect(spent.recovered).toMatchObject({ count: 1, tokens: 20 });
    expect(spent.reread).toMatchObject({ count: 1, tokens: RAW.length });
    expect(spent.extra_requests.count).toBe(2);
    const taken = [spent.markers, spent.questions, spent.recovered, spent.reread].reduce(
      (sum, { tokens }) => sum + tokens,
      0,
    );
    expect(net.tokens).toBe(gross.tokens - taken);
    expect(net.tokens).toBeLessThan(0);
    expect(net.cost_usd).toBeLessThan(0);
  });

  verifies('runner.ledger', 'charges the definitions of tools to every request', async () => {
    const events = [...prunedRead('a.log'), ...prunedRead('b.log'), ...prunedRead('c.log'), RESULT];
    const { spent, requests } = await ledgerOf(events, { offered: true });
    expect(requests).toEqual({ count: 4, basis: 'estimated' });
    expect(spent.schemas.tokens).toBeGreaterThan(1000);
    expect(spent.schemas.processed_tokens).toBe(4 * spent.schemas.tokens);
    expect(spent.schemas.cost_usd).toBeCloseTo((spent.schemas.tokens * (5 + 3 * 0.5)) / 1e6, 10);
    expect((await ledgerOf(events)).spent.schemas).toMatchObject({ count: 0, tokens: 0 });
  });

  verifies('runner.ledger', 'prices a text by a cache write and a cache read in each later request', async () => {
    // Read in request 1, carried by requests 2, 3 and 4.
    const { removed, spent } = await ledgerOf([
      ...prunedRead(),
      ...call('Bash', { command: 'ls' }, 'x'),
      ...call('Bash', { command: 'pwd' }, 'x'),
      RESULT,
    ]);
    expect(removed.processed_tokens).toBe(3 * 80);
    expect(removed.cost_usd).toBeCloseTo((80 * (5 + 2 * 0.5)) / 1e6, 12);
    // The question was also written by the model.
    expect(spent.questions.cost_usd).toBeCloseTo((GOAL.length * (20 + 5 + 2 * 0.5)) / 1e6, 12);
  });

  test('goes by the provider’s own count of requests where there is one', async () => {
    const usage: ProviderEvent = {
      type: 'usage',
      input_tokens: 100,
      output_tokens: 5,
      cache_read_input_tokens: 900,
      num_turns: 4,
    };
    const { requests, removed, spent } = await ledgerOf([...prunedRead(), ...prunedRead(), RESULT, usage]);
    expect(requests).toEqual({ count: 4, basis: 'measured' });
    // Seen as the first of three requests: what follows is stretched to four.
    expect(removed.processed_tokens).toBe(80 * 3);
    // One repeated read, a quarter of all that was read.
    expect(spent.extra_requests).toMatchObject({ count: 1, processed_tokens: 250, basis: 'estimated' });
  });

  test('does not call a repeated read a second gain', async () => {
    const { removed, spent } = await ledgerOf([...prunedRead(), ...prunedRead(), RESULT]);
    expect(removed.count).toBe(1);
    expect(spent.reread).toMatchObject({ count: 1, tokens: KEPT.length });
  });

  test('takes the same thing after many others for a new one', async () => {
    const others = [1, 2, 3, 4, 5].flatMap((at) => call('Bash', { command: `echo ${at}` }, 'x'));
    const { spent } = await ledgerOf([
      ...prunedRead(),
      ...others,
      ...call('Read', { file_path: 'a.log' }, RAW),
      RESULT,
    ]);
    expect(spent.reread.count).toBe(0);
  });

  test('of a run without the pruner is all zeros', async () => {
    const { gross, net, calls: counted } = await ledgerOf([...call('Read', { file_path: 'a.log' }, RAW), RESULT]);
    expect(counted).toEqual({ pruner: 0, pruned: 0, other: 1 });
    expect([gross.tokens, net.tokens, net.processed_tokens, net.cost_usd]).toEqual([0, 0, 0, 0]);
  });
});

import { Buffer } from 'node:buffer';
import type { Ledger, LedgerLimit, LedgerPrices, ProviderEvent } from '@jeeves/protocol';
import { describe, expect, test } from 'vitest';
import { verifies } from '../../../../test/e2e/verifies.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { ownToolsOf } from '../../src/ledger/own/own.ts';
import type { CountTokens } from '../../src/ledger/tokens.ts';

const PRICES: LedgerPrices = { input: 4, output: 20, cache_write: 5, cache_read: 0.5, basis: 'given' };
const timestamp = '2026-01-01T00:00:00.000Z';
/** A token a character: every figure can be counted by hand. */
const BY_CHARACTER: CountTokens = (text) => ({ tokens: text.length, method: 'o200k' });
const GAP = '⟦pruned 3-10 (8 lines)⟧\n';
const RESULT: ProviderEvent = { type: 'result', content: 'done', timestamp };

/** Lines of 10 characters each. */
function lines(characters: number): string {
  return 'abcdefghi\n'.repeat(Math.ceil(characters / 10)).slice(0, characters);
}

interface Case {
  readonly provider: 'claude-agent-sdk' | 'codex' | 'fake';
  readonly model?: string;
  readonly tool?: 'read' | 'bash' | 'grep';
  readonly input?: Readonly<Record<string, unknown>>;
  readonly raw: string;
  /** What the reply shows, gap marker aside. */
  readonly shown: string;
  readonly failed?: boolean;
  /** The store has lost the raw text. */
  readonly lost?: boolean;
  readonly applied?: boolean;
  readonly structured?: object;
}

async function booked(given: Case): Promise<Ledger> {
  const { provider, model, tool = 'bash', input = { command: 'make' }, raw, shown, applied = true } = given;
  const keeper = openLedger({
    cwd: '/app',
    prices: PRICES,
    own: ownToolsOf(provider, model),
    loadCounter: () => Promise.resolve(BY_CHARACTER),
    rawText: () => Promise.resolve(given.lost === true ? undefined : raw),
  });
  const id = 'call_1';
  const pruning = {
    attempted: applied,
    applied,
    fallback: false,
    raw_bytes: Buffer.byteLength(raw),
    ...(applied && { pruned_bytes: Buffer.byteLength(shown + GAP), prune_id: 'prn_1' }),
  };
  const content = applied ? `${shown}${GAP}` : shown;
  const isError = given.failed === true;
  keeper.add({ type: 'tool_use', name: `mcp:pruner/${tool}`, input, id, timestamp });
  keeper.add({
    type: 'tool_result',
    toolUseId: id,
    content,
    isError,
    structured: { ...given.structured, pruning },
    timestamp,
  });
  keeper.add(RESULT);
  return await keeper.close(false);
}

describe('the baseline of a ledger', () => {
  const LIMITS: readonly (readonly [LedgerLimit, Omit<Case, 'shown'>, most: number])[] = [
    ['claude_bash_persisted', { provider: 'claude-agent-sdk', raw: lines(300_000) }, 2400],
    ['claude_bash_failed', { provider: 'claude-agent-sdk', raw: lines(300_000), failed: true }, 10_100],
    ['claude_read_size', { provider: 'claude-agent-sdk', tool: 'read', input: {}, raw: lines(300_000) }, 400],
    [
      'claude_read_tokens',
      { provider: 'claude-agent-sdk', tool: 'read', input: { start_line: 1, end_line: 9999 }, raw: lines(50_000) },
      400,
    ],
    ['claude_grep_lines', { provider: 'claude-agent-sdk', tool: 'grep', input: {}, raw: lines(10_000) }, 2600],
    [
      'claude_grep_persisted',
      { provider: 'claude-agent-sdk', tool: 'grep', input: {}, raw: `${'y'.repeat(200)}\n`.repeat(250) },
      2400,
    ],
    ['codex_output', { provider: 'codex', model: 'gpt-5.5', raw: lines(300_000) }, 40_200],
    ['codex_output', { provider: 'codex', model: 'unknown', raw: lines(300_000) }, 10_200],
  ];
  for (const [limit, given, most] of LIMITS) {
    const name = `${limit}${given.model === undefined ? '' : ` of ${given.model}`}`;
    verifies('runner.ledger.loss', `books a reply above the client’s own limit as a loss: ${name}`, async () => {
      // More than the client's own tool would show, and far less than the raw output.
      const shown = lines(most + 500);
      const { removed, spent, gross, net, per_call } = await booked({ ...given, shown });
      expect(removed).toMatchObject({ count: 0, tokens: 0 });
      expect(spent.overshown.count).toBe(1);
      expect(spent.overshown.tokens).toBeGreaterThan(0);
      expect(per_call).toMatchObject([{ limit, basis: 'estimated', shown_tokens: shown.length + GAP.length }]);
      const [call] = per_call;
      expect(call?.own_tokens).toBeLessThanOrEqual(most);
      expect(call?.saved_tokens).toBe(gross.tokens - spent.overshown.tokens - spent.markers.tokens);
      expect(net.tokens).toBeLessThan(0);
    });

    verifies('runner.ledger.baseline', `counts savings against the client’s own limit: ${name}`, async () => {
      const shown = lines(100);
      const { removed, spent, per_call } = await booked({ ...given, shown });
      expect(spent.overshown.count).toBe(0);
      expect(removed.tokens).toBeLessThanOrEqual(most);
      expect(per_call[0]?.saved_tokens).toBe(removed.tokens - GAP.length);
    });

    test(`is estimated where the raw output is gone: ${name}`, async () => {
      const { per_call } = await booked({ ...given, shown: lines(100), lost: true });
      expect(per_call[0]?.basis).toBe('estimated');
      // Lines of another length may meet another limit of the same tool.
      expect(per_call[0]?.own_tokens).toBeLessThanOrEqual(most + 200);
    });
  }

  test('is the whole output where the client would have shown it', async () => {
    const { reader, removed, per_call } = await booked({
      provider: 'claude-agent-sdk',
      raw: lines(20_000),
      shown: lines(500),
    });
    expect(reader).toBe('claude');
    expect(removed).toMatchObject({ tokens: 19_500, basis: 'measured' });
    expect(per_call).toEqual([
      {
        tool_use_id: 'call_1',
        tool: 'mcp:pruner/bash',
        own_tokens: 20_000,
        shown_tokens: 500 + GAP.length,
        saved_tokens: 19_500 - GAP.length,
        basis: 'measured',
      },
    ]);
  });

  test('holds for outputs that were not pruned, too', async () => {
    const unpruned = { provider: 'claude-agent-sdk', applied: false } as const;
    const small = await booked({ ...unpruned, raw: lines(5000), shown: lines(5000) });
    expect([small.gross.tokens, small.net.tokens]).toEqual([0, 0]);
    const large = await booked({ ...unpruned, raw: lines(40_000), shown: lines(40_000) });
    expect(large.spent.overshown.tokens).toBeGreaterThan(37_000);
    expect(large.net.tokens).toBeLessThan(-37_000);
  });

  test('has both streams of a command', async () => {
    const given = { provider: 'fake', raw: lines(1000), shown: `${lines(100)}[stderr]\nwarning\n` } as const;
    const structured = { stdout: `${lines(100)}${GAP}`, stderr: 'warning\n' };
    const { per_call } = await booked({ ...given, structured });
    expect(per_call[0]?.own_tokens).toBe(1000 + '\nwarning\n'.length);
  });
});

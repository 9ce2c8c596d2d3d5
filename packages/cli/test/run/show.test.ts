import { type Ledger, type LedgerFigure, resultFacts } from '@jeeves/protocol';
import type { RunNews } from '@jeeves/runner';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import type { Context } from '../../src/context.ts';
import { parsePrices } from '../../src/run/prices.ts';
import { ledgerText, showNews } from '../../src/run/show.ts';

const timestamp = '2026-01-01T00:00:00.000Z';
const PRUNING = { attempted: true, applied: true, fallback: false, raw_bytes: 25_000, pruned_bytes: 1900 };
const NEWS: readonly RunNews[] = [
  { from: 'runner', event: { event: 'mcp_pruner.ready', data: { root: '/work' } } },
  { from: 'agent', event: { type: 'assistant', content: 'Looking\nat\u001b[2J it.\u0007', timestamp } },
  {
    from: 'agent',
    event: { type: 'tool_use', name: 'mcp:pruner/read', input: { file_path: 'a'.repeat(200) }, id: '1', timestamp },
  },
  { from: 'agent', event: { type: 'tool_result', toolUseId: '1', content: 'x'.repeat(1234), timestamp } },
  {
    from: 'agent',
    event: { type: 'tool_result', toolUseId: '1', content: 'x', structured: { pruning: PRUNING }, timestamp },
  },
  { from: 'agent', event: { type: 'tool_result', toolUseId: '1', content: 'no such file', isError: true, timestamp } },
  { from: 'runner', event: { event: 'mcp_pruner.degraded', data: { reason: 'exited' } } },
];

function told(isTTY: boolean): readonly string[] {
  let text = '';
  const stderr = {
    isTTY,
    write(part: string, done: () => void) {
      text += part;
      done();
      return true;
    },
  };
  const show = showNews({ stderr, config: readConfig({ NO_COLOR: '1' }, '/') } as unknown as Context, resultFacts);
  for (const news of NEWS) show(news);
  return text.trimEnd().split('\n');
}

describe('the news of a run', () => {
  test('are told on a terminal as they come, a line each', () => {
    expect(told(true)).toEqual([
      'mcp_pruner.ready {"root":"/work"}',
      'Looking at [2J it.',
      `→ mcp:pruner/read {"file_path":"${'a'.repeat(86)}…`,
      '  1,234 characters',
      '  pruned 25,000 → 1,900 bytes',
      '  failed no such file',
      'warning: mcp_pruner.degraded {"reason":"exited"}',
    ]);
  });

  test('are kept to warnings elsewhere', () => {
    expect(told(false)).toEqual(['warning: mcp_pruner.degraded {"reason":"exited"}']);
  });
});

function figure(count: number, tokens: number): LedgerFigure {
  return { count, tokens, processed_tokens: 2 * tokens, cost_usd: tokens / 1e6, basis: 'measured' };
}

test('a ledger shows losses as losses and leaves out what did not happen', () => {
  const ledger: Ledger = {
    schema: 'jeeves.ledger.v1',
    reader: 'claude',
    per_call: [],
    counter: 'o200k',
    requests: { count: 2, basis: 'measured' },
    prices: { input: 3, output: 15, cache_write: 3.75, cache_read: 0.3, basis: 'assumed' },
    calls: { pruner: 1, pruned: 1, other: 0 },
    removed: figure(1, 1000),
    spent: {
      overshown: figure(0, 0),
      recovered: figure(0, 0),
      reread: figure(1, 4000),
      markers: figure(0, 0),
      schemas: figure(0, 0),
      questions: figure(0, 0),
      extra_requests: figure(0, 0),
    },
    gross: figure(1, 1000),
    net: figure(1, -3000),
  };
  expect(
    ledgerText(ledger)
      .split('\n')
      .slice(1, 4)
      .map((line) => line.replaceAll(/ +/g, ' ')),
  ).toEqual([
    'gross removed 1,000 2,000 0.0010 measured',
    'read again -4,000 -8,000 -0.0040 measured',
    'net -3,000 -6,000 -0.0030 measured',
  ]);
  const loss = { tool_use_id: 'a', tool: 'mcp:pruner/bash', own_tokens: 1, shown_tokens: 3, saved_tokens: -2 } as const;
  const booked = { ...ledger, per_call: [{ ...loss, basis: 'measured' as const }] };
  expect(ledgerText(booked)).toContain(
    'compared with what Claude Code’s own tools would have shown; 1 of 1 calls showed more than that, which is a loss\n',
  );
  const simulated = ledgerText({ ...ledger, simulated: true });
  expect(simulated).toMatch(/^ledger \(simulated\) +tokens/);
  expect(simulated).toContain('\nsimulated: no model was asked');
  const unused = { ...ledger, calls: { pruner: 0, pruned: 0, other: 3 } };
  expect(ledgerText(unused)).toBe('ledger: the agent did not use the pruner\n');
  // Offered and not used, it costs all the same.
  const offered = { ...unused, spent: { ...ledger.spent, schemas: figure(1, 764) } };
  expect(ledgerText(offered)).toContain('cost 764 tokens in every request');
});

describe('prices', () => {
  test('are four numbers', () => {
    expect(parsePrices('3, 15,3.75,0.3')).toEqual({ input: 3, output: 15, cache_write: 3.75, cache_read: 0.3 });
  });

  test.each(['', '1', '1,2,3', '1,2,3,4,5', '1,2,3,x', '1,2,3,-4', '1,2,3,1e3'])('%j are none', (text) => {
    expect(() => parsePrices(text)).toThrow('USD per million tokens');
  });
});

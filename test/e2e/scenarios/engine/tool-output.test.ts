import { channel } from 'node:diagnostics_channel';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { estimateTokens, split } from '@jeeves/engine';
import { loadTokenCounter } from '@jeeves/engine/tokens';
import { describe, expect } from 'vitest';
import { verifies } from '../../verifies.ts';
import { ALL_MAY_GO, CANONICAL, numberedLines, scoring, world } from './world.ts';

describe('the cost of a gap', () => {
  /** Every other line serves the goal: all gaps are tiny. */
  const CRUMBS = numberedLines(200, (line) => (line % 2 === 0 ? `keep ${line}` : `x${line}`));
  const backend = scoring((line) => (line.startsWith('keep') ? 1 : 0));

  verifies('text.compact.worthwhile', 'a gap no larger than its marker is kept in tool output', async () => {
    const { gaps } = await world({ backend }).prune({ text: CRUMBS, goal: 'keep', source: 'logs' });
    const lines = split(CRUMBS);
    for (const { startLine, endLine, marker } of gaps) {
      const gap = lines.rawRange(startLine - 1, endLine);
      expect(estimateTokens(gap), marker).toBeGreaterThan(estimateTokens(marker));
    }
    expect(gaps.length).toBeLessThan(50);
  });

  verifies('text.compact.worthwhile', 'a gap larger than its marker is cut', async () => {
    const text = numberedLines(200, (line) => (line === 100 ? 'keep' : `a long row ${line} of nothing in particular`));
    const { gaps } = await world({ backend }).prune({ text, goal: 'keep', source: 'logs' });
    expect(gaps.length).toBeGreaterThan(0);
  });

  verifies('text.compact.never-larger', 'no tool output grows, in characters or in tokens', async () => {
    const countTokens = await loadTokenCounter();
    const texts = [
      CRUMBS,
      'a\nb\nc\nd\ne\nf\ng\nh\n',
      numberedLines(60, (line) => `${line}`),
      numberedLines(40, () => ''),
      '\n\n\n\n\n\n\n',
    ];
    for (const text of texts) {
      for (const source of ['code', 'logs', 'docs'] as const) {
        const limits = { maxPruneRatio: 1, minKeepLines: 0 };
        const result = await world({ backend, countTokens }).prune({ text, goal: 'keep', source, limits });
        expect(result.text.length).toBeLessThanOrEqual(text.length);
        expect(result.stats.tokensAfter).toBeLessThanOrEqual(result.stats.tokensBefore);
      }
    }
  });

  verifies('text.canonical.counts-cost', 'with canonical markers too, a gap that saves nothing is kept', async () => {
    const text = numberedLines(600, (line) => (line === 300 ? 'x' : `keep ${line}`));
    const result = await world({ backend }).prune({ ...ALL_MAY_GO, text, goal: 'keep', source: 'logs' });
    expect(result).toMatchObject({ gaps: [], text });
  });
});

describe('the network', () => {
  verifies('text.local-by-default', 'the embedded backend opens no connection; a fetch would be seen', async () => {
    let sockets = 0;
    const count = () => {
      sockets += 1;
    };
    const opened = channel('net.client.socket');
    const server = createServer((_, response) => response.end('{}')).listen(0, '127.0.0.1');
    opened.subscribe(count);
    try {
      const text = numberedLines(500, (line) => `see https://example.com/${line} for the ledger`);
      const { prune, recover } = world();
      const { pruneId } = await prune({ ...CANONICAL, text, goal: 'http://example.com' });
      await recover({ pruneId, goal: 'ledger' });
      expect(sockets).toBe(0);
      await new Promise((resolve) => server.on('listening', resolve).emit(server.listening ? 'listening' : 'pending'));
      await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, { headers: { connection: 'close' } });
      expect(sockets).toBe(1);
    } finally {
      opened.unsubscribe(count);
      server.close();
    }
  });
});

import { describe, expect, test } from 'vitest';
import { createRegistry } from '../../src/routes/metrics/registry.ts';
import { openSite } from './site.ts';

const LINE = /^(?:# (?:HELP|TYPE) [a-z_]+ .+|[a-z_]+(?:\{[a-z_]+="[^"]*"(?:,[a-z_]+="[^"]*")*\})? -?[\d.e+-]+)$/;

describe('the registry', () => {
  test('writes counters, histograms and what is asked for later', () => {
    const { counter, histogram, observed, expose } = createRegistry();
    const seen = counter('seen_total', 'What was seen.');
    seen({ route: 'a"b\\c\nd' });
    seen({ route: 'x' }, 2);
    seen({ route: 'x' });
    const took = histogram('took_seconds', 'How long it took.', [0.1, 1]);
    for (const value of [0.05, 0.1, 0.5, 3]) took({ route: 'x' }, value);
    observed('now', 'Right now.', 'gauge', () => [{ value: 7 }]);
    expect(expose()).toBe(
      [
        '# HELP seen_total What was seen.',
        '# TYPE seen_total counter',
        'seen_total{route="a\\"b\\\\c\\nd"} 1',
        'seen_total{route="x"} 3',
        '# HELP took_seconds How long it took.',
        '# TYPE took_seconds histogram',
        'took_seconds_bucket{route="x",le="0.1"} 2',
        'took_seconds_bucket{route="x",le="1"} 3',
        'took_seconds_bucket{route="x",le="+Inf"} 4',
        'took_seconds_sum{route="x"} 3.65',
        'took_seconds_count{route="x"} 4',
        '# HELP now Right now.',
        '# TYPE now gauge',
        'now 7',
        '',
      ].join('\n'),
    );
  });
});

describe('GET /metrics', () => {
  test('counts requests by route and status, and what pruning did', async () => {
    const site = await openSite();
    await site.prune({ text: 'a line about lions\n'.repeat(100), goal_hint: 'zebra' });
    await site.post('/prune', {});
    await site.get('/health');
    const { text, headers } = await site.get('/metrics');
    expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(
      text
        .trimEnd()
        .split('\n')
        .filter((line) => !LINE.test(line)),
    ).toEqual([]);
    for (const line of [
      'jeeves_http_requests_total{route="/rpc",status="200"} 1',
      'jeeves_http_requests_total{route="/prune",status="422"} 1',
      'jeeves_http_requests_total{route="/health",status="200"} 1',
      'jeeves_http_request_seconds_count{route="/rpc"} 1',
      'jeeves_prune_calls_total{backend="heuristic"} 1',
      'jeeves_prune_fallbacks_total{backend="heuristic"} 0',
      'jeeves_prune_cache_hits_total 0',
      'jeeves_requests_waiting 0',
      'process_resident_memory_bytes 4096',
    ]) {
      expect(text.split('\n')).toContain(line);
    }
    expect(Number(/^jeeves_lines_pruned_total (\d+)$/m.exec(text)?.[1])).toBeGreaterThan(50);
    await site.close();
  });
});

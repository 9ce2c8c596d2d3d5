import type { PruneTextResult } from '@jeeves/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FAULTS, type FaultServer, startFaultServer } from '../../../engine/test/backends/fault-server.ts';
import { SECRET_TEXT, SECRETS } from '../../../engine/test/backends/secrets.ts';
import { openSite, type Site, type SiteOptions } from './site.ts';

const KEY = 'sk_deepinfra_0123456789abcdefghijklmnop';
const TEXT = [
  '# Ports',
  ...Array.from(
    { length: 38 },
    (_, at) =>
      `Item ${at} has ${at === 17 ? 'the zebra' : 'other colours'}${', like many that were here before'.repeat(9)}.`,
  ),
  'import socket',
].join('\n\n');
const GOAL = 'Where is the zebra?';

let cloud: FaultServer;
beforeAll(async () => {
  cloud = await startFaultServer();
});
afterAll(() => cloud.close());

/** Scores every line that names a zebra high, and all others low. */
function rerank(body: unknown): unknown {
  const { documents } = body as { documents: string[] };
  return { scores: documents.map((line) => (line.includes('zebra') ? 0.9 : 0.1)) };
}

async function withSite(
  deepinfra: NonNullable<SiteOptions['judge']>['deepinfra'],
  use: (site: Site) => Promise<void>,
  more: SiteOptions = {},
): Promise<void> {
  cloud.reply = rerank;
  cloud.requests.length = 0;
  const endpoint = { apiKey: KEY, endpointUrl: cloud.url('ok'), ...deepinfra };
  const site = await openSite({ ...more, judge: { ...more.judge, backend: 'deepinfra', deepinfra: endpoint } });
  try {
    await use(site);
  } finally {
    await site.close();
  }
}

function gapsOf({ annotations }: PruneTextResult): readonly string[] {
  return annotations.map((gap) => `${gap.original_start_line}-${gap.original_end_line} ${gap.reason}`);
}

function held({ stats }: PruneTextResult, ratio: number): void {
  expect(stats.pruned_lines / stats.original_lines).toBeLessThanOrEqual(ratio);
  expect(stats.kept_lines).toBeGreaterThanOrEqual(1);
}

describe('prune_text with DeepInfra', () => {
  test('keeps what the reranker scores best and says what it took', async () => {
    await withSite({}, async (site) => {
      const result = await site.prune({ text: TEXT, goal_hint: GOAL });
      expect(result.pruned_text).toContain('the zebra');
      expect(result.pruned_text).toContain('# Ports');
      expect(result.warnings).toEqual([]);
      expect(result.stats).toMatchObject({
        backend: 'deepinfra',
        used_fallback: false,
        deepinfra_docs_scored: 40,
        deepinfra_docs_total: 79,
        deepinfra_http_status: 200,
        deepinfra_cached: false,
        deepinfra_latency_ms: expect.any(Number),
        cost_estimated_usd: expect.any(Number),
        tokens_saved_est: result.stats.tokens_est_before - result.stats.tokens_est_after,
      });
      held(result, 0.75);
    });
  });

  test('takes its word for every line: none is kept for the company of another', async () => {
    await withSite({}, async (site) => {
      cloud.reply = (body) => {
        const { documents } = body as { documents: string[] };
        return { scores: documents.map((line) => (line.includes('keep') ? 0.9 : 0.01)) };
      };
      const options = { min_keep_lines: 1, annotate_lines: true };
      const long = 'prune '.repeat(40).trimEnd();
      const text = `L1 keep\nL2 ${long}\nL3 ${long}\nL4 keep`;
      const result = await site.prune({ text, goal_hint: 'keep', source_type: 'docs' }, options);
      expect(result.annotations.map(({ marker }) => marker)).toEqual([
        expect.stringMatching(/^⟦PRUNÉ: prune_id=prn_\w+ lignes 2-3 \(2\) raison=.+⟧$/),
      ]);
      expect(result.pruned_text).toBe(`1│ L1 keep\n${result.annotations[0]?.marker}\n4│ L4 keep`);
    });
  });

  test('asks once for the same call, and again for another goal, source or option', async () => {
    await withSite({}, async (site) => {
      const first = await site.prune({ text: TEXT, goal_hint: GOAL });
      const again = await site.prune({ text: TEXT, goal_hint: GOAL });
      expect(cloud.requests).toHaveLength(1);
      expect(again.warnings).toEqual(['cache_hit']);
      expect(again.stats).toMatchObject({ deepinfra_cached: true, deepinfra_latency_ms: 0, used_fallback: false });
      expect(again.prune_id).not.toBe(first.prune_id);
      expect(again.pruned_text.replaceAll(again.prune_id, '')).toBe(first.pruned_text.replaceAll(first.prune_id, ''));
      await site.prune({ text: TEXT, goal_hint: 'another goal' });
      await site.prune({ text: TEXT, goal_hint: GOAL, source_type: 'logs' });
      await site.prune({ text: TEXT, goal_hint: GOAL }, { max_prune_ratio: 0.5 });
      await site.prune({ text: `${TEXT} again`, goal_hint: GOAL });
      expect(cloud.requests).toHaveLength(5);
    });
  });

  test('asks once for the same call at the same time', async () => {
    await withSite({}, async (site) => {
      const results = await Promise.all([1, 2, 3, 4].map(() => site.prune({ text: TEXT, goal_hint: GOAL })));
      expect(cloud.requests).toHaveLength(1);
      const warnings = results.flatMap((result) => result.warnings);
      expect(warnings).toEqual(['cache_hit', 'cache_hit', 'cache_hit']);
      expect(results.filter(({ stats }) => stats.deepinfra_latency_ms === 0 && stats.deepinfra_cached)).toHaveLength(3);
      expect(new Set(results.map(({ prune_id }) => prune_id)).size).toBe(4);
    });
  });

  test('asks again when the judgement is too old, or had to make room', async () => {
    let now = 1_000_000;
    const cache = { ttlMs: 30_000, maxItems: 1 };
    await withSite(
      {},
      async (site) => {
        const ask = async (goal: string) => (await site.prune({ text: TEXT, goal_hint: goal })).warnings;
        expect([await ask('a zebra'), await ask('a zebra')]).toEqual([[], ['cache_hit']]);
        now += 30_000;
        expect(await ask('a zebra')).toEqual([]);
        expect(await ask('a lion')).toEqual([]);
        expect(await ask('a zebra')).toEqual([]);
      },
      { now: () => now, judge: { cache } },
    );
  });

  test('sends no more lines than allowed, evenly taken, and still keeps to the limits', async () => {
    await withSite({ maxDocs: 8 }, async (site) => {
      const text = Array.from({ length: 400 }, (_, at) => `${at} some words`).join('\n');
      const result = await site.prune({ text, goal_hint: GOAL }, { max_prune_ratio: 0.4, min_keep_lines: 250 });
      const { documents } = JSON.parse(cloud.requests[0]?.body ?? '') as { documents: string[] };
      expect(documents.map((line) => Number.parseInt(line, 10))).toEqual([0, 57, 114, 171, 228, 285, 342, 399]);
      expect(result.warnings).toEqual(['deepinfra_docs_truncated']);
      expect(result.stats).toMatchObject({ deepinfra_docs_scored: 8, deepinfra_docs_total: 400 });
      expect(result.stats.kept_lines).toBeGreaterThanOrEqual(250);
    });
  });

  test('sends no secret that can be told from a text, and its key only where it belongs', async () => {
    await withSite({ maxDocs: 512 }, async (site) => {
      const result = await site.prune({ text: `${SECRET_TEXT}my key is ${KEY}\n`, goal_hint: `find ${KEY}` });
      const [sent] = cloud.requests;
      expect(SECRETS.filter(({ secret }) => sent?.body.includes(secret)).map(({ kind }) => kind)).toEqual([]);
      expect(SECRETS.length).toBeGreaterThanOrEqual(40);
      expect(sent?.body).not.toContain(KEY);
      expect(sent?.headers.authorization).toBe(`Bearer ${KEY}`);
      expect(JSON.stringify(result.stats) + JSON.stringify(site.events)).not.toContain(KEY);
      expect((await site.get('/metrics')).text + (await site.get('/health')).text).not.toContain(KEY);
    });
  });

  test('has the embedded engine judge when there is no key, and sends nothing', async () => {
    await withSite({ apiKey: '' }, async (site) => {
      const result = await site.prune({ text: TEXT, goal_hint: GOAL });
      expect(result.warnings).toEqual(['deepinfra_error', 'deepinfra_config_error']);
      expect(result.stats).toMatchObject({ backend: 'deepinfra', used_fallback: true });
      expect(cloud.requests).toEqual([]);
      held(result, 0.75);
    });
  });

  test('leaves the embedded engine time to judge within the call’s own', async () => {
    await withSite({ endpointUrl: cloud.url('no-answer'), timeoutMs: 60_000 }, async (site) => {
      const result = await site.prune({ text: TEXT, goal_hint: GOAL }, { timeout_ms: 2000 });
      expect(result.warnings).toEqual(['deepinfra_error', 'deepinfra_http_error']);
      expect(result.annotations.length).toBeGreaterThan(0);
    });
  });

  test('counts what it asked and what failed', async () => {
    await withSite({ endpointUrl: cloud.url('status-429') }, async (site) => {
      for (const goal of [GOAL, GOAL, 'any zebra']) await site.prune({ text: TEXT, goal_hint: goal });
      expect(cloud.requests).toHaveLength(3);
      const { metrics } = await site.call('health', {});
      expect(metrics).toMatchObject({
        calls_total: 3,
        calls_deepinfra: 3,
        fallbacks_deepinfra: 3,
        fallback_rate_deepinfra: 1,
      });
      expect(metrics.cost_estimated_total_usd).toBeGreaterThan(0);
      expect((await site.get('/metrics')).text).toContain('jeeves_prune_fallbacks_total{backend="deepinfra"} 3\n');
    });
  });
});

describe('a reranker that fails', () => {
  const WARNING = { http_error: 'http', timeout: 'http', invalid_response: 'parse' } as const;

  test.each(FAULTS)('by $name costs its judgement, never the pruning', async ({ name, code, status }) => {
    const endpoint = { endpointUrl: cloud.url(name), timeoutMs: code === 'timeout' ? 150 : 10_000 };
    // Nobody but this machine is asked in the clear, so a name that cannot be found needs https.
    if (name === 'dns') endpoint.endpointUrl = endpoint.endpointUrl.replace('http:', 'https:');
    await withSite(endpoint, async (site) => {
      const result = await site.prune({ text: TEXT, goal_hint: GOAL });
      expect(result.warnings).toEqual(['deepinfra_error', `deepinfra_${WARNING[code]}_error`]);
      expect(result.stats).toMatchObject({ backend: 'deepinfra', used_fallback: true });
      if (status !== undefined) expect(result.stats.deepinfra_http_status).toBe(status);
      const plain = await openSite();
      const embedded = await plain.prune({ text: TEXT, goal_hint: GOAL });
      await plain.close();
      expect(gapsOf(result)).toEqual(gapsOf(embedded));
    });
  });
});

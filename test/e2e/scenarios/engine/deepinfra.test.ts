import {
  type Backend,
  createDeepInfraBackend,
  createEmbeddedBackend,
  DEEPINFRA_ENDPOINT,
  type DeepInfraOptions,
  type PruneRequest,
  withCache,
  withFallback,
} from '@jeeves/engine';
import { toPruneTextResult } from '@jeeves/protocol';
import { describe, expect } from 'vitest';
import { SECRETS as FORMS } from '../../../../packages/engine/test/backends/secrets.ts';
import { verifies } from '../../verifies.ts';
import { type Answer, closedPort, drip, json, type Service, serve, silence, text } from './http-service.ts';
import { CANONICAL, keptTexts, numberedLines, world } from './world.ts';

const KEY = 'deepinfra-key-0123456789';
const TEXT = numberedLines(400, (line) => (line === 200 ? 'the needle' : `hay ${line}`));
const LIMITS = { maxPruneRatio: 0.8, minKeepLines: 2 };
const REQUEST = { ...CANONICAL, text: TEXT, goal: 'needle', source: 'docs', limits: LIMITS } as const;

interface Body {
  readonly queries: readonly string[];
  readonly documents: readonly string[];
}

function scored(documents: readonly string[]): number[] {
  return documents.map((line) => (line.includes('needle') ? 0.99 : 0.01));
}

/** Scores what holds the word, as a reranker would. */
const rerank: Answer = (request, response) => {
  const { documents } = JSON.parse(request.body) as Body;
  json({ scores: scored(documents) })(request, response);
};

function cloud(endpointUrl: string, options: Partial<DeepInfraOptions> = {}): Backend {
  const given = { apiKey: KEY, endpointUrl, timeoutMs: 2000, maxDocs: 512, fetch: globalThis.fetch, ...options };
  return withFallback(createDeepInfraBackend(given), createEmbeddedBackend());
}

async function asked(answer: Answer, options: Partial<DeepInfraOptions> = {}, request: Partial<PruneRequest> = {}) {
  const service = await serve(answer);
  const result = await world({ backend: cloud(service.url, options) }).prune({ ...REQUEST, ...request });
  return { service, result, wire: toPruneTextResult(result) };
}

function bodyOf({ received }: Service): Body {
  return JSON.parse(received[0]?.body ?? '{}') as Body;
}

/** What the embedded backend makes of the same request. */
async function embedded() {
  const { gaps } = await world().prune(REQUEST);
  expect(gaps.length).toBeGreaterThan(0);
  return gaps.map(({ startLine, endLine }) => [startLine, endLine]);
}

function expectFallback({ result, wire }: Awaited<ReturnType<typeof asked>>, code: string, gaps: number[][]) {
  expect(result.warnings).toEqual(['deepinfra_error', code]);
  expect(result.gaps.map(({ startLine, endLine }) => [startLine, endLine])).toEqual(gaps);
  expect(wire.stats).toMatchObject({ backend: 'deepinfra', used_fallback: true });
}

async function cachedWorld(answer: Answer, cache: { ttlMs?: number; maxItems?: number; now?: () => number } = {}) {
  const service = await serve(answer);
  const given = { apiKey: KEY, endpointUrl: service.url, timeoutMs: 2000, maxDocs: 512, fetch: globalThis.fetch };
  const kept = withCache(createDeepInfraBackend(given), { ttlMs: 30_000, maxItems: 256, now: Date.now, ...cache });
  return { service, ...world({ backend: withFallback(kept, createEmbeddedBackend()) }) };
}

describe('asking', () => {
  verifies('deepinfra.request', 'goal and lines go out as queries and documents, the key as bearer token', async () => {
    const { service } = await asked(rerank);
    expect(service.received).toHaveLength(1);
    expect(service.received[0]).toMatchObject({ method: 'POST', headers: { authorization: `Bearer ${KEY}` } });
    expect(service.received[0]?.headers['content-type']).toBe('application/json');
    expect(bodyOf(service)).toEqual({ queries: ['needle'], documents: TEXT.split('\n').slice(0, -1) });
  });

  verifies('deepinfra.default-endpoint', 'the default address is the seed’s', () => {
    expect(DEEPINFRA_ENDPOINT).toBe('https://api.deepinfra.com/v1/inference/Qwen/Qwen3-Reranker-0.6B');
  });

  verifies('deepinfra.ranks', 'the best line stays', async () => {
    const { result } = await asked(rerank);
    expect(keptTexts(TEXT, result)).toContain('the needle');
    expect(result.warnings).toEqual([]);
    expect(result.stats.usedFallback).toBe(false);
    expect(result.gaps.length).toBeGreaterThan(0);
  });

  const SHAPES: Readonly<Record<string, (scores: number[]) => unknown>> = {
    '{scores}': (scores) => ({ scores }),
    'a bare list': (scores) => scores,
    items: (scores) => scores.map((score, index) => ({ index, score })),
    'shuffled items': (scores) => scores.map((score, index) => ({ index, score })).reverse(),
    'items one level down': (scores) => ({ results: scores.map((score, index) => ({ index, score })) }),
    'a list two levels down': (scores) => ({ output: { scores } }),
  };
  for (const [name, shape] of Object.entries(SHAPES)) {
    verifies('deepinfra.reply-shapes', `scores as ${name} are understood`, async () => {
      const { result } = await asked((request, response) =>
        json(shape(scored((JSON.parse(request.body) as Body).documents)))(request, response),
      );
      expect(result.warnings).toEqual([]);
      expect(keptTexts(TEXT, result)).toContain('the needle');
    });
  }

  verifies('deepinfra.keeps-limits', 'ratio and minimum hold, whatever is scored', async () => {
    for (const [maxPruneRatio, minKeepLines, maxDocs] of [
      [0.55, 0, 512],
      [1, 30, 4],
      [0.1, 1, 1],
      [0, 0, 64],
    ] as const) {
      const limits = { maxPruneRatio, minKeepLines };
      const { result } = await asked(rerank, { maxDocs }, { limits });
      expect(result.stats.keptLines).toBeGreaterThanOrEqual(
        Math.max(minKeepLines, Math.ceil(400 * (1 - maxPruneRatio) - 1e-9)),
      );
    }
  });

  verifies('deepinfra.docs-truncated', 'of more lines than allowed that many are scored, with a warning', async () => {
    const { service, result, wire } = await asked(rerank, { maxDocs: 10 });
    expect(bodyOf(service).documents).toHaveLength(10);
    expect(result.warnings).toEqual(['deepinfra_docs_truncated']);
    expect(wire.stats).toMatchObject({ deepinfra_docs_scored: 10, deepinfra_docs_total: 400 });
    expect((await asked(rerank, { maxDocs: 400 })).result.warnings).toEqual([]);
  });

  verifies('deepinfra.stats', 'the wire statistics tell what the call did and saved', async () => {
    const { wire } = await asked(rerank);
    const { tokens_est_before: before, tokens_est_after: after } = wire.stats;
    expect(wire.stats).toMatchObject({
      backend: 'deepinfra',
      deepinfra_docs_scored: 400,
      deepinfra_docs_total: 400,
      deepinfra_http_status: 200,
      deepinfra_cached: false,
      tokens_saved_est: before - after,
    });
    expect(wire.stats.deepinfra_latency_ms).toBeGreaterThanOrEqual(0);
    expect(wire.stats.cost_estimated_usd).toBeCloseTo(Math.max(0, before - after) * 1e-8, 8);
  });
});

describe('failing', () => {
  for (const status of [400, 401, 403, 429, 500, 503]) {
    verifies(
      ['deepinfra.fallback.http', 'deepinfra.fallback.is-pruned'],
      `${status} falls back and is reported`,
      async () => {
        const outcome = await asked(text('{"error":"no"}', status));
        expectFallback(outcome, 'deepinfra_http_error', await embedded());
        expect(outcome.wire.stats.deepinfra_http_status).toBe(status);
      },
    );
  }

  for (const [name, answer] of Object.entries({ 'no answer': silence(), 'a dripping body': drip() })) {
    verifies('deepinfra.fallback.timeout', `${name} falls back in about the timeout`, async () => {
      const started = performance.now();
      const outcome = await asked(answer, { timeoutMs: 150 });
      expect(performance.now() - started).toBeLessThan(2000);
      expectFallback(outcome, 'deepinfra_http_error', await embedded());
    });
  }

  verifies('deepinfra.fallback.transport', 'nobody listening falls back without a status', async () => {
    const result = await world({ backend: cloud(await closedPort()) }).prune(REQUEST);
    expect(result.warnings).toEqual(['deepinfra_error', 'deepinfra_http_error']);
    expect(result.stats.usedFallback).toBe(true);
    expect(toPruneTextResult(result).stats.deepinfra_http_status).toBeUndefined();
  });

  const ODD = [
    '<html></html>',
    '',
    'null',
    '"x"',
    '[]',
    '{"scores":[]}',
    '{"scores":["a"]}',
    '{"scores":[true]}',
    '{"text":[1]}',
    '{"a":{"b":{"scores":[1]}}}',
  ];
  for (const body of ODD) {
    verifies('deepinfra.fallback.parse', `${body === '' ? 'nothing' : body} falls back as a parse error`, async () => {
      expectFallback(await asked(text(body)), 'deepinfra_parse_error', await embedded());
    });
  }

  for (const apiKey of [undefined, '', '  ']) {
    verifies(
      'deepinfra.fallback.config',
      `the key ${JSON.stringify(apiKey)} falls back and sends nothing`,
      async () => {
        const outcome = await asked(rerank, { apiKey });
        expectFallback(outcome, 'deepinfra_config_error', await embedded());
        expect(outcome.service.received).toEqual([]);
      },
    );
  }
});

describe('caching', () => {
  verifies(
    ['deepinfra.cache.hit', 'deepinfra.cache.new-id'],
    'the same content again makes no call but a new id',
    async () => {
      const { service, prune } = await cachedWorld(rerank);
      const first = await prune(REQUEST);
      const second = await prune(REQUEST);
      expect(service.received).toHaveLength(1);
      expect(second.warnings).toEqual(['cache_hit']);
      expect(second.pruneId).not.toBe(first.pruneId);
      expect(toPruneTextResult(second).stats).toMatchObject({
        deepinfra_cached: true,
        deepinfra_latency_ms: 0,
        used_fallback: false,
      });
      expect(keptTexts(TEXT, second)).toEqual(keptTexts(TEXT, first));
      await prune({ ...REQUEST, goal: 'another needle' });
      await prune({ ...REQUEST, text: `${TEXT}more\n` });
      expect(service.received).toHaveLength(3);
    },
  );

  verifies('deepinfra.cache.bounded', 'an old or crowded-out judgement is asked for again', async () => {
    let now = 0;
    const { service, prune } = await cachedWorld(rerank, { ttlMs: 1000, maxItems: 2, now: () => now });
    const goals = ['needle', 'needle 2', 'needle 3', 'needle'];
    for (const goal of goals) await prune({ ...REQUEST, goal });
    expect(service.received).toHaveLength(4);
    expect((await prune(REQUEST)).warnings).toEqual(['cache_hit']);
    now = 1001;
    expect((await prune(REQUEST)).warnings).toEqual([]);
    expect(service.received).toHaveLength(5);
  });

  verifies('deepinfra.cache.no-failures', 'a failure is not remembered, wherever the cache stands', async () => {
    const { service, prune } = await cachedWorld(text('', 429));
    await prune(REQUEST);
    expect((await prune(REQUEST)).warnings).toEqual(['deepinfra_error', 'deepinfra_http_error']);
    expect(service.received).toHaveLength(2);
    const outside = withCache(cloud(service.url), { ttlMs: 30_000, maxItems: 256, now: Date.now });
    const outer = world({ backend: outside });
    await outer.prune(REQUEST);
    await outer.prune(REQUEST);
    expect(service.received).toHaveLength(4);
  });
});

describe('what leaves the machine', () => {
  const SECRETS = [
    'AKIAIOSFODNN7EXAMPLE',
    'ghp_16C7e42F292c6912E7710c838347Ae178B4a',
    'sk-abcdefghijklmnopqrstuvwx012345',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U',
    'xoxb-123456789012-abcdefghijkl',
    'hunter2hunter2',
    'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj',
    's3cr3tPassw0rd',
  ];
  const lines = [
    `aws_key = ${SECRETS[0]}`,
    `git remote https://${SECRETS[1]}@github.com/x/y`,
    `OPENAI=${SECRETS[2]}`,
    `cookie: session=${SECRETS[3]}`,
    `slack ${SECRETS[4]}`,
    `password: "${SECRETS[5]}"`,
    '-----BEGIN PRIVATE KEY-----',
    SECRETS[6],
    '-----END PRIVATE KEY-----',
    `postgres://app:${SECRETS[7]}@db/app`,
  ].join('\n');

  verifies('deepinfra.secrets.redacted', 'obvious secrets of lines and goal are not among it', async () => {
    const { service } = await asked(
      rerank,
      {},
      {
        text: `${lines}\n${TEXT}`,
        goal: `needle ${SECRETS[0]} ${KEY}`,
      },
    );
    const { body } = service.received[0] ?? { body: '' };
    expect(body).toContain('the needle');
    for (const secret of [...SECRETS, KEY]) expect(body).not.toContain(secret);
  });

  verifies('doors.redaction', 'none of a hundred forms of secrets is among it', async () => {
    expect(FORMS.length).toBeGreaterThanOrEqual(102);
    for (let at = 0; at < FORMS.length; at += 20) {
      const some = FORMS.slice(at, at + 20);
      const text = some.map(({ line }) => `the needle\n${line}\n`).join('');
      const { service } = await asked(rerank, {}, { text, goal: 'needle' });
      const { body } = service.received[0] ?? { body: '' };
      expect(body).toContain('the needle');
      expect(some.filter(({ secret }) => body.includes(secret)).map(({ kind }) => kind)).toEqual([]);
    }
  });

  for (const address of ['http://api.deepinfra.com/v1', 'ftp://127.0.0.1/x', 'http://10.0.0.8/v1', 'not an address']) {
    verifies('deepinfra.secrets.https-only', `${address} is refused before anything is sent`, async () => {
      let calls = 0;
      const fetch = () => {
        calls += 1;
        return Promise.reject(new Error('called'));
      };
      const { warnings } = await world({ backend: cloud(address, { fetch }) }).prune(REQUEST);
      expect(warnings).toEqual(['deepinfra_error', 'deepinfra_config_error']);
      expect(calls).toBe(0);
    });
  }

  verifies('deepinfra.secrets.key-silent', 'the key is in no result and in no error', async () => {
    const echo: Answer = (request, response) => text(`${request.headers.authorization} ${KEY}`, 401)(request, response);
    const service = await serve(echo);
    const given = { apiKey: KEY, endpointUrl: service.url, timeoutMs: 2000, maxDocs: 8, fetch: globalThis.fetch };
    const result = await world({ backend: cloud(service.url) }).prune(REQUEST);
    const texts = { length: 1, at: () => 'a' };
    const failure: unknown = await createDeepInfraBackend(given)
      .judge({ goal: 'a', texts, source: 'items' })
      .catch((error: unknown) => error);
    const said = `${JSON.stringify(result)} ${String(failure)} ${JSON.stringify(failure)} ${(failure as Error).stack ?? ''}`;
    expect(said).toContain('401');
    expect(said).not.toContain(KEY);
  });

  for (const status of [301, 302, 307, 308]) {
    verifies('deepinfra.only-configured-host', `a ${status} to another host is not followed`, async () => {
      const elsewhere = await serve(rerank);
      const { result } = await asked(text('', status, { location: elsewhere.url }));
      expect(result.warnings).toEqual(['deepinfra_error', 'deepinfra_http_error']);
      expect(elsewhere.received).toEqual([]);
    });
  }
});

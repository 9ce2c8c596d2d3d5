import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sampleEvenly, spreadScores } from '../../src/backends/deepinfra/sample.ts';
import { normalise, readScores } from '../../src/backends/deepinfra/scores.ts';
import { createDeepInfraBackend, DEEPINFRA_ENDPOINT, type DeepInfraOptions } from '../../src/backends/deepinfra.ts';
import { withCache } from '../../src/backends/with-cache.ts';
import { withFallback } from '../../src/backends/with-fallback.ts';
import { EngineError } from '../../src/errors.ts';
import { split } from '../../src/split.ts';
import { FAULTS, type FaultServer, failure, startFaultServer } from './fault-server.ts';
import { SECRET_TEXT, SECRETS } from './secrets.ts';

const KEY = 'test-key-of-nobody';
const TIMEOUT_MS = 400;
const GRACE_MS = 250;

let server: FaultServer;
beforeAll(async () => {
  server = await startFaultServer();
});
afterAll(() => server.close());
beforeEach(() => {
  server.requests.length = 0;
  server.reply = (body) => ({ scores: (body as { documents: string[] }).documents.map((_, place) => place / 10) });
});

function backend(options: Partial<DeepInfraOptions> = {}) {
  return createDeepInfraBackend({
    apiKey: KEY,
    endpointUrl: server.url('ok'),
    timeoutMs: TIMEOUT_MS,
    maxDocs: 64,
    fetch,
    ...options,
  });
}

function judge(text: string, options: Partial<DeepInfraOptions> = {}, goal = 'find it') {
  return backend(options).judge({ goal, texts: split(text), source: 'logs' });
}

const unused: typeof fetch = () => Promise.reject(new Error('called'));

function sentBody(): { queries: string[]; documents: string[] } {
  return JSON.parse(server.requests[0]?.body ?? '') as { queries: string[]; documents: string[] };
}

describe('the DeepInfra backend', () => {
  it('has the seed default address', () => {
    expect(DEEPINFRA_ENDPOINT).toBe('https://api.deepinfra.com/v1/inference/Qwen/Qwen3-Reranker-0.6B');
  });

  it('sends the goal, the lines that are not blank, and the key as a bearer', async () => {
    await judge('a\n\n  \nb\r\nc\n');
    expect(sentBody()).toEqual({ queries: ['find it'], documents: ['a', 'b', 'c'] });
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
  });

  it('scores the lines and states the facts', async () => {
    const times = [5, 17];
    const judged = await judge('a\n\nb\nc\n', { now: () => times.shift() ?? 0 });
    expect(judged).toEqual({
      perText: true,
      scores: Float64Array.of(0, 0, 0.1, 0.2),
      warnings: [],
      facts: {
        deepinfraLatencyMs: 12,
        deepinfraDocsScored: 3,
        deepinfraDocsTotal: 4,
        deepinfraHttpStatus: 200,
        deepinfraCached: false,
      },
    });
  });

  it('calls nobody for blank lines', async () => {
    expect((await judge('\n \n')).scores).toEqual(new Float64Array(2));
    expect(server.requests).toEqual([]);
  });

  it('cuts a line too long for any reranker', async () => {
    await judge(`${'x'.repeat(100_000)}\n`);
    expect(sentBody().documents[0]).toHaveLength(8192);
  });

  it('sends an even sample of too many lines and ranks the others below their neighbours', async () => {
    const judged = await judge('x\n'.repeat(10), { maxDocs: 4 });
    expect(sentBody().documents).toHaveLength(4);
    expect(judged.warnings).toEqual(['deepinfra_docs_truncated']);
    expect(judged.facts).toMatchObject({ deepinfraDocsScored: 4, deepinfraDocsTotal: 10 });
    const ranked = [...judged.scores.keys()].sort((a, b) => (judged.scores[b] ?? 0) - (judged.scores[a] ?? 0));
    expect(ranked.slice(0, 5)).toEqual([9, 6, 8, 7, 3]);
    expect(new Set(judged.scores).size).toBe(10);
  });

  it.each<[string, unknown]>([
    ['list', [0.9, 0.8]],
    [
      'list of items',
      [
        { index: 1, score: 0.8 },
        { index: 0, score: 0.9 },
      ],
    ],
  ])('treats a short %s as an even smaller sample', async (_, reply) => {
    server.reply = () => reply;
    const judged = await judge('a\nb\nc\n');
    expect(judged.warnings).toEqual(['deepinfra_docs_truncated']);
    expect(judged.facts).toMatchObject({ deepinfraDocsScored: 2, deepinfraDocsTotal: 3 });
    expect(judged.scores[2]).toBeGreaterThan(0);
    expect(judged.scores[2]).toBeLessThan(0.8);
  });

  it('lets no secret and no key out', async () => {
    const texts = `${SECRET_TEXT}my key is ${KEY}\n`;
    await judge(texts, { maxDocs: 512 }, `why does ${SECRETS[0]?.secret} fail with ${KEY}?`);
    const [sent] = server.requests;
    expect(
      SECRETS.filter(
        ({ secret }) => sent?.body.includes(secret) || sent?.body.includes(JSON.stringify(secret).slice(1, -1)),
      ),
    ).toEqual([]);
    expect(sent?.body).not.toContain(KEY);
    expect(sentBody().documents).toHaveLength(split(texts).length);
  });

  it('asks at its checkpoint before it sends', async () => {
    const stop = new EngineError('timeout', 'stop');
    const checkpoint = () => {
      throw stop;
    };
    const judged = backend().judge({ goal: 'g', texts: split('a\n'), source: 'logs', checkpoint });
    await expect(judged).rejects.toBe(stop);
    expect(server.requests).toEqual([]);
  });
});

describe('a failure', () => {
  it.each(FAULTS)('of kind $name is $code with its warnings, in time', async ({ name, code, status }) => {
    // Off loopback only https is allowed.
    const endpointUrl = name === 'dns' ? server.url(name).replace('http:', 'https:') : server.url(name);
    const started = performance.now();
    const error = await failure(judge('a\nb\n', { endpointUrl }));
    expect(performance.now() - started).toBeLessThanOrEqual(TIMEOUT_MS + GRACE_MS);
    const detail = code === 'invalid_response' ? 'deepinfra_parse_error' : 'deepinfra_http_error';
    // A reply that was JSON, but not scores, is only found out here.
    const known = status ?? (code === 'invalid_response' ? 200 : undefined);
    const facts = known === undefined ? {} : { deepinfraHttpStatus: known };
    expect(error).toMatchObject({ code, data: { warnings: ['deepinfra_error', detail] } });
    expect(error.data['facts']).toEqual(facts);
    expect(`${error.message}${JSON.stringify(error.data)}`).not.toContain(KEY);
  });

  it.each([
    ['no key', { apiKey: undefined }],
    ['a blank key', { apiKey: ' ' }],
    ['a key no header can carry', { apiKey: 'geheim\nx' }],
    ['plain http off loopback', { endpointUrl: 'http://rerank.example.org/' }],
    ['no URL', { endpointUrl: 'rerank' }],
    ['a link-local address', { endpointUrl: 'https://169.254.169.254/' }],
  ])('by configuration, %s, is config_error and sends nothing', async (_, options) => {
    const error = await failure(judge('a\n', { fetch: unused, ...options }));
    expect(error.code).toBe('config_error');
    expect(error.data).toMatchObject({ warnings: ['deepinfra_error', 'deepinfra_config_error'], facts: {} });
    expect(`${error.message}${String(error.cause)}`).not.toContain('geheim');
  });

  it('becomes the judgement of a substitute, and is not cached', async () => {
    const substitute = { name: 'lexical', judge: async () => ({ scores: Float64Array.of(1, 0) }) };
    const cloud = withCache(backend({ endpointUrl: server.url('status-429') }), {
      ttlMs: 1e6,
      maxItems: 9,
      now: () => 0,
    });
    const whole = withFallback(cloud, substitute);
    for (let call = 1; call <= 2; call += 1) {
      expect(await whole.judge({ goal: 'g', texts: split('a\nb\n'), source: 'logs' })).toEqual({
        scores: Float64Array.of(1, 0),
        usedFallback: true,
        warnings: ['deepinfra_error', 'deepinfra_http_error'],
        facts: { deepinfraHttpStatus: 429 },
      });
      expect(server.requests).toHaveLength(call);
    }
  });

  it.each<[string, (documents: number) => unknown]>([
    ['more scores than lines', (documents) => Array.from({ length: documents + 2 }, () => 0.5)],
    [
      'one line’s score over and over',
      (documents) => Array.from({ length: documents }, () => ({ index: 0, score: 0.5 })),
    ],
    [
      'places counted from one',
      (documents) => Array.from({ length: documents }, (_, at) => ({ index: at + 1, score: 0 })),
    ],
  ])('to tell about these lines, %s, is a parse error', async (_, reply) => {
    server.reply = (body) => ({ results: reply((body as { documents: string[] }).documents.length) });
    const error = await failure(judge('a\nb\nc\n'));
    expect(error).toMatchObject({
      code: 'invalid_response',
      data: { warnings: ['deepinfra_error', 'deepinfra_parse_error'] },
    });
  });
});

describe('readScores', () => {
  const items = [
    { index: 1, score: 0.2 },
    { index: 0, score: 0.1 },
  ];
  it.each<[unknown]>([
    [[0.1, 0.2]],
    [items],
    [{ scores: [0.1, 0.2] }],
    [{ results: items }],
    [{ result: { scores: [0.1, 0.2] } }],
    [{ output: { results: items } }],
    [{ data: { data: [0.1, 0.2] } }],
    [[[0.1, 0.2]]],
    [{ scores: [[0.1, 0.2]] }],
    [{ scores: 'n/a', results: items }],
  ])('reads %j', (json) => {
    expect(readScores(json, 2)).toEqual([0.1, 0.2]);
  });

  it.each<[unknown]>([
    [null],
    [7],
    ['0.1'],
    [[]],
    [{}],
    [{ scores: [] }],
    [[true, false]],
    [[0.1, true]],
    [[0.1, null]],
    [['0.1', '0.2']],
    [[Number.POSITIVE_INFINITY]],
    [[{ index: 0 }]],
    [[{ index: true, score: 0.1 }]],
    [[{ index: 0, score: true }]],
    [[{ index: 0.5, score: 0.1 }]],
    [[{ index: 5, score: 0.1 }]],
    [[{ index: -1, score: 0.1 }]],
    [[0.1, 0.2, 0.3]],
    [[...items, { index: 2, score: 0.9 }]],
    [[items[1], items[1]]],
    [items.map(({ index, score }) => ({ index: index + 1, score }))],
    [[{ index: 1, score: 0.1 }, 0.2]],
    [{ a: { scores: [0.1] } }],
    [{ data: { data: { data: [0.1] } } }],
  ])('finds no scores in %j', (json) => {
    expect(readScores(json, 2)).toBeUndefined();
  });

  it('leaves documents without a score open', () => {
    expect(readScores([{ index: 1, score: 0.5 }], 3)).toEqual([undefined, 0.5, undefined]);
  });
});

describe('normalise', () => {
  it('leaves probabilities as they are', () => {
    expect(normalise([0, 0.3, 1, undefined])).toEqual([0, 0.3, 1, undefined]);
  });

  it('takes scores outside 0..1 for logits and keeps their order', () => {
    const scores = normalise([-8, -0.5, 0.5, undefined, 9]);
    expect(scores[3]).toBeUndefined();
    const numbers = scores.filter((score) => score !== undefined);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(numbers.every((score) => score > 0 && score < 1)).toBe(true);
    expect(numbers[0]).toBeLessThan(0.01);
  });
});

describe('sampling', () => {
  const lines = Array.from({ length: 10 }, (_, index) => 2 * index);

  it.each([
    [10, lines],
    [99, lines],
    [4, [0, 6, 12, 18]],
    [2, [0, 18]],
    [1, [0]],
    [0, [0]],
  ])('takes at most %i lines, evenly', (max, expected) => {
    expect(sampleEvenly(lines, max)).toEqual(expected);
  });

  it('never takes a line twice', () => {
    const many = Array.from({ length: 1000 }, (_, index) => index);
    for (const max of [2, 3, 64, 333, 998, 999]) expect(new Set(sampleEvenly(many, max)).size).toBe(max);
  });

  it.each([
    [0.9, 0.1],
    [0, 0.8],
    [0, 0],
    [1, 1],
  ])('ranks unscored lines strictly below neighbours of %d and %d, and above nothing', (before, after) => {
    const wanted = [0, 1, 2, 3, 4];
    const scores = spreadScores({ length: 6, wanted, sent: [0, 4], scores: [before, after] });
    const lower = Math.min(scores[0] ?? 0, scores[4] ?? 0);
    for (const line of [1, 2, 3]) {
      expect(scores[line]).toBeLessThan(lower);
      expect(scores[line]).toBeGreaterThan(0);
    }
    expect(scores[5]).toBe(0);
  });

  it('prefers unscored lines near the better neighbour', () => {
    const scores = spreadScores({ length: 4, wanted: [0, 1, 2, 3], sent: [0, 3], scores: [0.9, 0.3] });
    expect(scores[1]).toBeGreaterThan(scores[2] ?? 1);
  });
});

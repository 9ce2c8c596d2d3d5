import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FaultServer, startFaultServer } from '../../../engine/test/backends/fault-server.ts';
import type { Config } from '../../src/config.ts';
import type { Context } from '../../src/context.ts';
import type { Check } from '../../src/doctor/check.ts';
import { checkDeepInfra } from '../../src/doctor/deepinfra.ts';

const KEY = 'sk_deepinfra_0123456789abcdefghijklmnop';

let cloud: FaultServer;
beforeAll(async () => {
  cloud = await startFaultServer();
  cloud.reply = (body) => ({ scores: (body as { documents: string[] }).documents.map(() => 0.4) });
});
afterAll(() => cloud.close());

async function check(deepinfra: Config['deepinfra'], timeoutMs = 20_000): Promise<Check> {
  const context = { config: { deepinfra }, fetch } as unknown as Context;
  return await checkDeepInfra(context, { timeoutMs, maxDocs: 8 });
}

describe('a reranker', () => {
  test('that answers is in order, and its address shows no secret', async () => {
    const endpointUrl = cloud.url('ok').replace('://', '://hush:hush@');
    const found = await check({ apiKey: KEY, endpointUrl });
    expect(found).toMatchObject({ status: 'ok', found: expect.stringMatching(/^http:\S+\/ok judges, in \d+ ms$/) });
    expect(found.found).not.toContain('hush');
    expect(cloud.requests).toHaveLength(1);
  });

  test('without a key is broken, and is not asked', async () => {
    const before = cloud.requests.length;
    const { status, fix } = await check({ endpointUrl: cloud.url('ok') });
    expect([status, fix]).toEqual(['broken', expect.stringMatching(/^set DEEPINFRA_API_KEY; KIMI_PRUNING_BACKEND=/)]);
    expect(cloud.requests).toHaveLength(before);
  });

  test.each([
    ['status-401', /^see to DEEPINFRA_API_KEY: it is not accepted/],
    ['status-403', /^see to DEEPINFRA_API_KEY: it is not accepted/],
    ['status-429', /^wait, or see to the limits/],
    ['status-404', /^see to DEEPINFRA_ENDPOINT_URL;/],
    ['status-500', /^try again later/],
    ['refuse', /^see to the network, to a proxy/],
    ['html', /^see to DEEPINFRA_ENDPOINT_URL: .* no reranker/],
  ])('that shows %s is broken, and the fix fits', async (fault, fix) => {
    const found = await check({ apiKey: KEY, endpointUrl: cloud.url(fault) });
    expect(found).toMatchObject({ status: 'broken', fix: expect.stringMatching(fix) });
    expect(JSON.stringify(found)).not.toContain(KEY);
  });

  test('that does not answer in time is broken, and may be given more', async () => {
    const { status, fix } = await check({ apiKey: KEY, endpointUrl: cloud.url('no-answer') }, 100);
    expect([status, fix]).toEqual(['broken', expect.stringContaining('DEEPINFRA_TIMEOUT_MS')]);
  });

  test.each([
    [{ apiKey: 'clé' }, 'correct DEEPINFRA_API_KEY;'],
    [{ apiKey: KEY, endpointUrl: 'http://rerank.example/' }, 'correct DEEPINFRA_ENDPOINT_URL;'],
    [{ apiKey: KEY, endpointUrl: 'nonsense' }, 'correct DEEPINFRA_ENDPOINT_URL;'],
  ])('with the settings %j is broken before anything is sent', async (deepinfra, fix) => {
    expect(await check(deepinfra)).toMatchObject({ status: 'broken', fix: expect.stringContaining(fix) });
  });
});

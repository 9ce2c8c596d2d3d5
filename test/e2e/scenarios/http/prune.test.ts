import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { cleanUp, startServer } from '../../../../packages/mcp-pruner/test/harness.ts';
import { verifies } from '../../verifies.ts';
import { pruningOf, readOf, recoveredOf, textOf } from '../server/site.ts';
import { cleanUpServices, type Service, startService } from '../text/service.ts';

cleanUpServices();
afterAll(cleanUp);
let service: Service;
beforeAll(async () => {
  service = await startService({ program: 'jeeves serve' });
});

const LOG = Array.from({ length: 400 }, (_, at) => `12:00:${at} INFO request ${at} was served from the cache\r\n`)
  .toSpliced(250, 1, '12:04:10 ERROR the port 8006 is taken by another process\r\n')
  .join('');

describe('POST /prune', () => {
  verifies('http.prune-route', 'answers the swe-pruner contract with the embedded engine', async () => {
    const { status, json } = await service.post('/prune', { query: 'Which port is taken?', code: LOG });
    expect(status).toBe(200);
    expect(Object.keys(json)).toEqual([
      'score',
      'pruned_code',
      'token_scores',
      'kept_frags',
      'origin_token_cnt',
      'left_token_cnt',
      'model_input_token_cnt',
      'error_msg',
    ]);
    const lines = LOG.split('\n');
    const kept = json.pruned_code.split('\n').filter((line: string) => !/^\(filtered \d+ lines\)\r$/.test(line));
    expect(kept.slice(0, -1)).toEqual(json.kept_frags.map((number: number) => lines[number - 1]));
    expect(json.kept_frags).toContain(251);
    expect(json.left_token_cnt).toBeLessThan(json.origin_token_cnt / 2);
    const bad = await service.post('/prune', { query: 'x' });
    expect([bad.status, bad.json.detail[0]]).toEqual([
      422,
      { type: 'missing', loc: ['body', 'code'], msg: 'Field required' },
    ]);
    expect((await service.get('/health')).json).toMatchObject({ status: 'healthy', model_loaded: true });
  });

  verifies('http.prune-budget', 'stays within the tokens it is given, and takes null for none', async () => {
    const post = (max_tokens: unknown): ReturnType<Service['post']> =>
      service.post('/prune', { query: 'Which port is taken?', code: LOG, max_tokens, always_keep_first_frags: null });
    const { json } = await post(150);
    expect(json.left_token_cnt).toBeLessThanOrEqual(150);
    expect(json.kept_frags).toContain(251);
    expect((await post(null)).status).toBe(200);
    for (const wrong of [99, 20_001, '200', 150.5]) {
      const { status, json: refused } = await post(wrong);
      expect([status, refused.detail[0].loc]).toEqual([422, ['body', 'max_tokens']]);
    }
  });

  verifies('http.prune-route', 'is a pruner for agents: their outputs are pruned by it, and recoverable', async () => {
    const server = await startServer({ env: { PRUNER_URL: `http://127.0.0.1:${service.port}/prune` } });
    writeFileSync(join(server.root, 'server.log'), LOG);
    const question = { context_focus_question: 'Which port is taken?' };
    const result = await server.call('read', { file_path: 'server.log', ...question });
    expect(pruningOf(result)).toMatchObject({ attempted: true, applied: true, fallback: false, backend: 'http' });
    expect(pruningOf(result)).not.toHaveProperty('aligned');
    expect(readOf(result).content).toMatch(/\(filtered \d+ lines\)/);
    expect(textOf(result)).toContain('ERROR the port 8006 is taken');
    const gap = /⟦pruned (\d+)-(\d+) \(\d+ lines\)⟧/.exec(textOf(result));
    const [start, end] = [Number(gap?.[1]), Number(gap?.[2])];
    const { prune_id } = pruningOf(result);
    const recovered = await server.call('recover_text', { prune_id, ranges: [{ start_line: start, end_line: end }] });
    const lines = LOG.split('\n').slice(start - 1, end);
    expect(recoveredOf(recovered).raw_text).toBe(lines.map((line) => `${line}\n`).join(''));
    await server.close();
  });
});

describe('GET /metrics', () => {
  verifies('http.metrics-route', 'counts what the service did, refusals among it', async () => {
    const own = await startService();
    await own.prune({ text: LOG, goal_hint: 'port', source_type: 'logs' });
    await own.post('/prune', {});
    await fetch(`${own.url}/rpc`, { method: 'POST', body: '{}', headers: { 'content-type': 'text/plain' } });
    const { text, headers } = await own.get('/metrics');
    expect(headers.get('content-type')).toContain('text/plain; version=0.0.4');
    const lines = text.split('\n');
    expect(lines).toContain('jeeves_http_requests_total{route="/rpc",status="200"} 1');
    expect(lines).toContain('jeeves_http_requests_total{route="/rpc",status="415"} 1');
    expect(lines).toContain('jeeves_http_requests_total{route="/prune",status="422"} 1');
    expect(lines).toContain('jeeves_prune_calls_total{backend="heuristic"} 1');
    expect(Number(/^jeeves_tokens_saved_total (\d+)$/m.exec(text)?.[1])).toBeGreaterThan(100);
    expect(Number(/^process_resident_memory_bytes (\d+)$/m.exec(text)?.[1])).toBeGreaterThan(10_000_000);
    await own.stop();
  });
});

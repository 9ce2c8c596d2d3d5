import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Context } from '../../src/context.ts';
import { SAMPLE } from '../../src/doctor/sample.ts';
import { checkService } from '../../src/doctor/service.ts';

/** A place where the service that is found is one of ours: healthy, and of no use. */
const place = mkdtempSync(join(tmpdir(), 'jeeves-doctor-service-'));
const program = join(place, 'node_modules', '@jeeves', 'mcp-pruner', 'dist');
mkdirSync(program, { recursive: true });
writeFileSync(join(place, 'package.json'), '{}');
writeFileSync(
  join(program, 'http.js'),
  `console.log('about to fail');
  require('node:http')
    .createServer(({ url, socket }, response) => (url === '/health' ? response.end('{"status":"healthy"}') : socket.destroy()))
    .listen(Number(process.argv[process.argv.indexOf('--port') + 1]), '127.0.0.1');`,
);

/** A service that answers, with these warnings. */
let pruned: object = {};
const service = createServer((request, response) => {
  const result = { content: [{ text: JSON.stringify({ ...pruned, pruned_text: SAMPLE, raw_text: SAMPLE }) }] };
  response.end(JSON.stringify(request.url === '/health' ? { status: 'healthy' } : { result }));
});
let address = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await new Promise((resolve) => service.close(resolve));
  rmSync(place, { recursive: true, force: true });
});

const context = {
  packageRoot: pathToFileURL(`${place}/`),
  config: { environment: { PATH: process.env['PATH'] } },
  fetch,
} as unknown as Context;

describe('a service', () => {
  test('that was started here and fails is told with its log, and not blamed on an option nobody gave', async () => {
    const check = await checkService(context, undefined);
    expect(check).toMatchObject({ status: 'broken', details: ['about to fail'] });
    expect(check.found).toMatch(/^it started, but prune_text got no usable answer: /);
    expect(check.fix).not.toContain('--url');
  });

  test('that is asked by its address and is not there can be left out', async () => {
    const check = await checkService(context, 'http://hush:hush@127.0.0.1:1/?token=hush');
    expect(check).toMatchObject({ status: 'broken', fix: expect.stringContaining('leave out --url') });
    expect(check.found).not.toContain('hush');
  });

  test.each([
    [['deepinfra_error', 'deepinfra_config_error'], {}, 'broken', 'DEEPINFRA_API_KEY'],
    [['deepinfra_error', 'deepinfra_http_error'], { deepinfra_http_status: 401 }, 'broken', 'DEEPINFRA_API_KEY'],
    [['deepinfra_error', 'deepinfra_http_error'], { deepinfra_http_status: 429 }, 'broken', 'limits'],
    [['deepinfra_error', 'deepinfra_http_error'], {}, 'broken', 'network'],
    [['deepinfra_error', 'deepinfra_parse_error'], {}, 'broken', 'DEEPINFRA_ENDPOINT_URL'],
    [['timeout'], {}, 'warning', 'errors.md'],
  ])('that warns of %j with %j is %s', async (warnings, facts, status, fix) => {
    const stats = { tokens_est_before: 100, tokens_est_after: 10, used_fallback: true, ...facts };
    pruned = { prune_id: 'prn_1', warnings, stats };
    expect(await checkService(context, address)).toMatchObject({ status, fix: expect.stringContaining(fix) });
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isLoopback, parseServiceUrl, postJson } from '../../src/backends/http.ts';
import { askService, createSwePrunerBackend, type ServiceRequest } from '../../src/backends/swe-pruner.ts';
import { EngineError } from '../../src/errors.ts';
import { split, type TextList } from '../../src/split.ts';
import { FAULTS, type FaultServer, failure, startFaultServer } from './fault-server.ts';

const TIMEOUT_MS = 400;
const GRACE_MS = 250;
const TEXT = 'def first():\n    return 1\n\ndef second():\n    return 2\n';

let server: FaultServer;
beforeAll(async () => {
  server = await startFaultServer();
});
afterAll(() => server.close());
beforeEach(() => {
  server.requests.length = 0;
});

function request(name: string, extra: Partial<ServiceRequest> = {}): ServiceRequest {
  return { url: server.url(name), text: TEXT, goal: 'where is 2 returned?', timeoutMs: TIMEOUT_MS, fetch, ...extra };
}

function judge(texts: TextList) {
  const backend = createSwePrunerBackend({ url: server.url('ok'), timeoutMs: TIMEOUT_MS, fetch });
  return backend.judge({ goal: 'second', texts, source: 'code' });
}

const unused: typeof fetch = () => Promise.reject(new Error('called'));
const deaf: typeof fetch = () => new Promise(() => {});

describe('a faulty service', () => {
  it.each(FAULTS)('that shows $name is $code in time', async ({ name, code, status }) => {
    const started = performance.now();
    const error = await failure(askService(request(name)));
    expect(performance.now() - started).toBeLessThanOrEqual(TIMEOUT_MS + GRACE_MS);
    expect(error.code).toBe(code);
    expect(error.data['status']).toBe(status);
    expect(server.requests.filter(({ path }) => path === 'ok')).toEqual([]);
  });

  it.each([
    ['gzip-bomb', 'compressed'],
    ['body-of-64-mb', 'too large'],
    ['chunked-flood', 'too large'],
    ['bad-utf8', 'not UTF-8'],
  ])('that shows %s is refused for being %s, not for what it says', async (name, why) => {
    expect((await failure(askService(request(name)))).message).toBe(`The service's reply is ${why}.`);
  });

  it('leaves no exchange open', async () => {
    await expect.poll(() => server.openExchanges()).toBe(0);
  });

  it('that closes connections it promised to keep is asked again without an error', async () => {
    for (let call = 0; call < 20; call += 1) {
      const answer = await askService(request('ok-then-close'));
      expect(answer.text).toBe(TEXT);
    }
  });

  it('that answers 2xx other than 200 is understood', async () => {
    const answering: typeof fetch = async () => new Response(JSON.stringify({ text: TEXT }), { status: 201 });
    expect(await askService(request('ok', { fetch: answering }))).toMatchObject({ text: TEXT, aligned: true });
  });

  it('cannot outlast the deadline even when fetch ignores its signal', async () => {
    expect((await failure(askService(request('ok', { fetch: deaf, timeoutMs: 30 })))).code).toBe('timeout');
  });

  it('is left at once when the caller gives up, with the reason the caller gave', async () => {
    const controller = new AbortController();
    const asked = failure(askService(request('no-answer', { signal: controller.signal, timeoutMs: 10_000 })));
    const reason = new EngineError('timeout', 'enough');
    setTimeout(() => controller.abort(reason), 20);
    expect(await asked).toBe(reason);
  });

  it('is not called for a caller that already gave up', async () => {
    const error = await failure(askService(request('ok', { signal: AbortSignal.abort() })));
    expect(error.code).toBe('timeout');
    expect(server.requests).toEqual([]);
  });
});

describe('a request', () => {
  it('carries the text unaltered, the trimmed goal, and asks for an uncompressed reply', async () => {
    const text = 'a\r\nb\fc\u2028d\n\ne';
    await askService(request('ok', { text, goal: '  find b \n', threshold: 0.7 }));
    const [sent] = server.requests;
    expect(JSON.parse(sent?.body ?? '')).toEqual({ code: text, query: 'find b', threshold: 0.7 });
    expect(sent?.headers).toMatchObject({ 'accept-encoding': 'identity', 'content-type': 'application/json' });
  });

  it('sends the user name of the address as a header and never shows it', async () => {
    const address = server.url('ok').replace('//', '//us%65r:p%C3%A4ss@');
    await askService(request('ok', { url: address }));
    const expected = Buffer.from('user:päss').toString('base64');
    expect(server.requests[0]?.headers.authorization).toBe(`Basic ${expected}`);
    for (const broken of [server.url('refuse'), server.url('status-401'), server.url('html')]) {
      const error = await failure(askService(request('', { url: broken.replace('//', '//user:hunter2@') })));
      expect(`${error.message}${JSON.stringify(error.data)}${String(error.cause)}`).not.toContain('hunter2');
    }
  });

  it('keeps a header that cannot be sent out of the error', async () => {
    const call = {
      url: server.url('ok'),
      body: {},
      headers: { 'x-key': 'hunter2\nx' },
      timeoutMs: 100,
      maxBytes: 10,
      fetch,
    };
    const error = await failure(postJson(call));
    expect(error.code).toBe('http_error');
    expect(`${error.message}${String(error.cause)}`).not.toContain('hunter2');
  });

  it.each([
    'not a url',
    'ftp://127.0.0.1/prune',
    'file:///etc/passwd',
    'http://169.254.169.254/latest/meta-data',
    'http://user:hunter2@169.254.1.1/',
    'http://0xa9fea9fe/',
    'http://[::ffff:169.254.169.254]/',
    'http://[fe80::1]/',
    'http://[64:ff9b::169.254.169.254]/',
  ])('to %s is refused as config_error without being sent', async (url) => {
    const error = await failure(askService(request('ok', { url, fetch: unused })));
    expect(error.code).toBe('config_error');
    expect(error.message).not.toContain('hunter2');
  });

  it.each([
    ['http://127.0.0.1:8000/prune', true],
    ['http://127.9.9.9/', true],
    ['http://localhost/', true],
    ['http://[::1]:1/', true],
    ['http://127.0.0.1.example.org/', false],
    ['http://localhost.example.org/', false],
    ['http://10.0.0.1/', false],
  ])('to %s is loopback: %s', (url, expected) => {
    expect(isLoopback(parseServiceUrl(url))).toBe(expected);
  });
});

describe('an answer', () => {
  it.each([
    [{ pruned_code: 'def second():', content: 'x', text: 'x' }],
    [{ pruned_code: null, content: 'def second():', text: 'x' }],
    [{ pruned_code: 7, content: null, text: 'def second():' }],
  ])('is the first string of pruned_code, content, text: %j', async (reply) => {
    server.reply = () => reply;
    const answer = await askService(request('ok'));
    expect(answer).toMatchObject({ text: 'def second():', aligned: true, kept: Uint8Array.of(0, 0, 0, 1, 0) });
    expect(answer.durationMs).toBeGreaterThanOrEqual(0);
  });

  it.each([
    ['an error report with the original text', { pruned_code: TEXT, error_msg: 'query too long' }],
    ['an empty text', { pruned_code: '' }],
    ['a text that keeps no line', { pruned_code: '(filtered 5 lines)', kept_frags: [] }],
    ['a text that keeps blank lines only', { pruned_code: '\n', kept_frags: [3] }],
    ['far more text than was sent', { pruned_code: 'x'.repeat(2 * TEXT.length + 64 * 1024 + 1) }],
  ])('that is %s is invalid_response', async (_, reply) => {
    server.reply = () => reply;
    expect((await failure(askService(request('ok')))).code).toBe('invalid_response');
  });

  it('with a null error_msg and megabytes of token scores is accepted', async () => {
    const token_scores = Array.from({ length: 30_000 }, () => ['token', 0.123456789]);
    server.reply = () => ({ pruned_code: '    return 2', kept_frags: [5], error_msg: null, token_scores });
    expect((await askService(request('ok'))).kept).toEqual(Uint8Array.of(0, 0, 0, 0, 1));
  });

  it('in other words is handed over unaligned', async () => {
    server.reply = () => ({ text: 'second returns 2' });
    const answer = await askService(request('ok'));
    expect(answer).toMatchObject({ text: 'second returns 2', aligned: false });
    expect(answer.kept).toBeUndefined();
  });

  it('of empty for empty is accepted', async () => {
    server.reply = () => ({ text: '' });
    expect(await askService(request('ok', { text: '' }))).toMatchObject({ aligned: true, kept: new Uint8Array(0) });
  });
});

describe('as a backend', () => {
  it('scores kept lines 1 and cut lines 0 with one request', async () => {
    server.reply = () => ({ pruned_code: '(filtered 3 lines)\ndef second():\n    return 2', kept_frags: [4, 5] });
    expect((await judge(split(TEXT))).scores).toEqual(Float64Array.of(0, 0, 0, 1, 1));
    expect(server.requests).toHaveLength(1);
  });

  it('scores an item of several lines by any of them', async () => {
    server.reply = () => ({ text: '(filtered 1 lines)\nb2\nc' });
    const items = ['a', 'b1\nb2', 'c', ''];
    const { scores } = await judge({ length: items.length, at: (index) => items[index] ?? '' });
    expect([...scores].slice(0, 3)).toEqual([0, 1, 1]);
  });

  it('fails as invalid_response when the text cannot be aligned', async () => {
    server.reply = () => ({ text: 'second returns 2' });
    expect((await failure(judge(split(TEXT)))).code).toBe('invalid_response');
  });

  it('asks nobody about nothing', async () => {
    expect((await judge(split(''))).scores).toHaveLength(0);
    expect(server.requests).toEqual([]);
  });
});

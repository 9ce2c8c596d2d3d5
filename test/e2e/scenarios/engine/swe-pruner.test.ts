import { EventEmitter, once } from 'node:events';
import { gzipSync } from 'node:zlib';
import { askService, createSwePrunerBackend, type ServiceAnswer } from '@jeeves/engine';
import { describe, expect } from 'vitest';
import { verifies } from '../../verifies.ts';
import { type Answer, closedPort, drip, json, serve, silence, text } from './http-service.ts';
import { ALL_MAY_GO, keptTexts, numberedLines, rebuilt, world } from './world.ts';

const SENT = 'alpha\nbravo\ncharlie\ndelta\necho\n';

async function ask(answer: Answer, sent = SENT, timeoutMs = 2000): Promise<ServiceAnswer> {
  const { url } = await serve(answer);
  return askService({ url, text: sent, goal: 'where is bravo', timeoutMs, fetch: globalThis.fetch });
}

function flags({ kept }: ServiceAnswer): string {
  return [...(kept ?? [])].join('');
}

describe('the request', () => {
  verifies(
    ['swe.request', 'swe.query-trimmed', 'swe.code-unaltered'],
    'is a POST of the text as it is and the trimmed goal',
    async () => {
      const { url, received } = await serve(json({ pruned_code: 'bravo' }));
      const sent = '\uFEFFalpha\r\nbravo\fcharlie\u2028\n\n  delta';
      await askService({
        url: `${url}/prune?x=1`,
        text: sent,
        goal: '  where is bravo \n',
        timeoutMs: 2000,
        fetch: globalThis.fetch,
      });
      expect(received).toHaveLength(1);
      expect(received[0]).toMatchObject({ method: 'POST', url: '/prune?x=1' });
      expect(received[0]?.headers['content-type']).toBe('application/json');
      expect(JSON.parse(received[0]?.body ?? '')).toEqual({ code: sent, query: 'where is bravo' });
    },
  );

  verifies('swe.identity-encoding', 'asks for no compression, and a compressed answer is refused', async () => {
    const { url, received } = await serve(
      text(gzipSync('{"pruned_code":"bravo"}').toString('latin1'), 200, { 'content-encoding': 'gzip' }),
    );
    const asking = askService({ url, text: SENT, goal: 'x', timeoutMs: 2000, fetch: globalThis.fetch });
    await expect(asking).rejects.toMatchObject({ code: 'invalid_response' });
    expect(received[0]?.headers['accept-encoding']).toBe('identity');
  });

  const LINK_LOCAL = [
    'http://169.254.169.254/prune',
    'http://[::ffff:169.254.169.254]/',
    'http://2852039166/',
    'http://0xa9.0xfe.1/',
    'http://[fe80::1]/',
  ];
  for (const url of LINK_LOCAL) {
    verifies('swe.link-local', `${url} is refused before a connection is made`, async () => {
      let calls = 0;
      const fetch = () => {
        calls += 1;
        return Promise.reject(new Error('called'));
      };
      await expect(askService({ url, text: SENT, goal: 'x', timeoutMs: 500, fetch })).rejects.toMatchObject({
        code: 'config_error',
      });
      expect(calls).toBe(0);
    });
  }

  verifies('swe.no-userinfo', 'credentials of the address are in no error', async () => {
    const address = (await closedPort()).replace('http://', 'http://ada:hunter2@');
    const failure: unknown = await askService({
      url: address,
      text: SENT,
      goal: 'x',
      timeoutMs: 500,
      fetch: globalThis.fetch,
    }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'http_error' });
    expect(`${String(failure)} ${JSON.stringify(failure)}`).not.toContain('hunter2');
  });
});

describe('the answer', () => {
  const FIELDS = [
    [{ pruned_code: 'alpha', content: 'bravo', text: 'charlie' }, 'alpha'],
    [{ content: 'bravo', text: 'charlie' }, 'bravo'],
    [{ text: 'charlie' }, 'charlie'],
    [{ pruned_code: null, content: 7, text: 'charlie' }, 'charlie'],
  ] as const;
  verifies('swe.reply.field-order', 'is the first string of the three fields', async () => {
    for (const [body, expected] of FIELDS) expect((await ask(json(body))).text).toBe(expected);
  });

  for (const body of [{}, { code: 'alpha' }, { pruned_code: 7 }, [], null, 'alpha', 3]) {
    verifies('swe.reply.no-field', `${JSON.stringify(body)} has none`, async () => {
      await expect(ask(json(body))).rejects.toMatchObject({ code: 'invalid_response' });
    });
  }

  for (const body of ['', '<html>', '{"pruned_code":"a', 'alpha\nbravo']) {
    verifies('swe.reply.not-json', `${JSON.stringify(body)} is not JSON`, async () => {
      await expect(ask(text(body))).rejects.toMatchObject({ code: 'invalid_response' });
    });
  }

  verifies('swe.reply.any-2xx', '201 and 206 are read like 200', async () => {
    for (const status of [200, 201, 203, 206])
      expect((await ask(json({ pruned_code: 'bravo' }, status))).text).toBe('bravo');
  });

  for (const status of [400, 404, 422, 500, 503]) {
    verifies('swe.http-error', `${status} is http_error`, async () => {
      await expect(ask(json({ pruned_code: 'bravo' }, status))).rejects.toMatchObject({ code: 'http_error' });
    });
  }

  verifies('swe.http-error', 'nobody listening is http_error', async () => {
    const asking = askService({
      url: await closedPort(),
      text: SENT,
      goal: 'x',
      timeoutMs: 2000,
      fetch: globalThis.fetch,
    });
    await expect(asking).rejects.toMatchObject({ code: 'http_error' });
  });

  for (const status of [301, 302, 307, 308]) {
    verifies('swe.no-redirects', `a ${status} is http_error and reaches nobody else`, async () => {
      const elsewhere = await serve(json({ pruned_code: 'bravo' }));
      await expect(ask(text('', status, { location: elsewhere.url }))).rejects.toMatchObject({ code: 'http_error' });
      expect(elsewhere.received).toEqual([]);
    });
  }

  for (const [name, answer] of Object.entries({ silence: silence(), drip: drip() })) {
    verifies(
      ['swe.timeout', 'swe.timeout.body'],
      `${name} is a timeout, in about that time, and the request is aborted`,
      async () => {
        const aborted = new EventEmitter();
        const gone = once(aborted, 'close');
        const started = performance.now();
        const asking = ask(
          (request, response) => {
            response.on('close', () => aborted.emit('close'));
            answer(request, response);
          },
          SENT,
          150,
        );
        await expect(asking).rejects.toMatchObject({ code: 'timeout' });
        expect(performance.now() - started).toBeLessThan(1500);
        await gone;
      },
    );
  }

  verifies('swe.body-cap', 'a flood is cut off while it is read', async () => {
    let written = 0;
    const flood: Answer = (_, response) => {
      const chunk = ' '.repeat(256 * 1024);
      response.writeHead(200);
      const more = () => {
        while (!response.destroyed && written < 512 && response.write(chunk)) written += 1;
      };
      response.on('drain', more);
      more();
    };
    await expect(ask(flood, SENT, 10_000)).rejects.toMatchObject({ code: 'invalid_response' });
    expect(written).toBeLessThan(100);
  });

  verifies(
    'swe.text-cap',
    'a text far longer than the input is refused, one within twice plus 64 KiB is not',
    async () => {
      const allowed = 2 * SENT.length + 64 * 1024;
      expect((await ask(json({ pruned_code: 'x'.repeat(allowed) }))).text).toHaveLength(allowed);
      await expect(ask(json({ pruned_code: 'x'.repeat(allowed + 1) }))).rejects.toMatchObject({
        code: 'invalid_response',
      });
    },
  );

  verifies('swe.reply.error-msg', 'an error message makes it a failure, null does not', async () => {
    await expect(ask(json({ pruned_code: SENT, error_msg: 'query too long' }))).rejects.toMatchObject({
      code: 'invalid_response',
    });
    expect((await ask(json({ pruned_code: 'bravo', error_msg: null }))).text).toBe('bravo');
  });

  verifies('swe.reply.empty', 'an empty text for a text is a failure, for nothing it is not', async () => {
    await expect(ask(json({ pruned_code: '' }))).rejects.toMatchObject({ code: 'invalid_response' });
    expect((await ask(json({ pruned_code: '' }), '')).text).toBe('');
  });

  verifies('swe.trap.nothing-kept', 'fillers alone are a failure', async () => {
    await expect(ask(json({ pruned_code: '(filtered 5 lines)', kept_frags: [] }))).rejects.toMatchObject({
      code: 'invalid_response',
    });
  });

  verifies('swe.trap.token-scores', 'scores of every token beside the text are read past', async () => {
    const token_scores = Array.from({ length: 20_000 }, () => ['token', 0.123456789]);
    expect(flags(await ask(json({ pruned_code: 'bravo', token_scores })))).toBe('01000');
  });
});

describe('alignment', () => {
  verifies('swe.align.fillers', 'filler lines are set aside', async () => {
    for (const [answer, kept] of [
      ['(filtered 1 lines)\nbravo\n(filtered 3 lines)', '01000'],
      ['alpha\n(filtered 3 lines)\necho', '10001'],
      ['(filtered 2 lines: 1-2)\ncharlie\n(filtered 2 lines: 4-5)', '00100'],
    ] as const) {
      const found = await ask(json({ pruned_code: answer }));
      expect([found.aligned, found.text, flags(found)]).toEqual([true, answer, kept]);
    }
  });

  verifies('swe.align.kept-frags', 'stated numbers decide between equal lines', async () => {
    const sent = 'x\nsame\ny\nsame\nz\nsame\n';
    const found = await ask(
      json({ pruned_code: '(filtered 3 lines)\nsame\n(filtered 2 lines)', kept_frags: [4] }),
      sent,
    );
    expect(flags(found)).toBe('000100');
  });

  verifies('swe.trap.zero-based', 'numbers that count from 0 are not believed', async () => {
    const found = await ask(json({ pruned_code: 'alpha\nbravo', kept_frags: [0, 1] }));
    expect(flags(found)).toBe('11000');
  });

  verifies(
    'swe.trap.kept-frags-differ',
    'dropped blank lines and put-back short lines are read as the text has them',
    async () => {
      const sent = 'alpha\n\nbravo\n}\ncharlie\ndelta delta delta\necho echo echo\n';
      const found = await ask(
        json({ pruned_code: 'alpha\nbravo\n}\ncharlie\n(filtered 2 lines)', kept_frags: [1, 2, 3, 5] }),
        sent,
      );
      expect(flags(found)).toBe('1111100');
    },
  );

  verifies('swe.trap.line-ends', 'other line ends do not shift the lines', async () => {
    const sent = 'alpha\r\nbravo\fbravo\r\ncharlie\u2028charlie\r\ndelta\r\n';
    for (const [answer, kept] of [
      ['(filtered 3 lines)\ndelta', '0001'],
      ['alpha\n(filtered 2 lines)\ndelta', '1001'],
      ['alpha\r\nbravo\fbravo\r\n', '1100'],
    ] as const) {
      expect(flags(await ask(json({ pruned_code: answer }), sent))).toBe(kept);
    }
  });

  verifies('swe.align.unaligned', 'a text of other lines is handed over and said to be unaligned', async () => {
    for (const answer of ['a summary of it', 'echo\nalpha', 'alpha\nbravo and charlie']) {
      expect(await ask(json({ pruned_code: answer }))).toMatchObject({ text: answer, aligned: false });
    }
  });

  verifies('swe.align.markers', 'a selection gets our markers and our recovery', async () => {
    const sent = numberedLines(600, (line) => `row ${line} of the service`);
    const { url } = await serve(
      json({ pruned_code: '(filtered 299 lines)\nrow 300 of the service\n(filtered 300 lines)' }),
    );
    const backend = createSwePrunerBackend({ url, timeoutMs: 2000, fetch: globalThis.fetch });
    const { prune, recover } = world({ backend });
    const result = await prune({ ...ALL_MAY_GO, text: sent, goal: 'row 300', source: 'logs' });
    expect(keptTexts(sent, result)).toContain('row 300 of the service');
    expect(result.stats.prunedLines).toBeGreaterThan(300);
    expect(await rebuilt(result, recover)).toBe(sent);
  });
});

describe('pruning with a service', () => {
  const FAULTS: Readonly<Record<string, Answer>> = {
    'a 500': text('', 500),
    'a redirect': text('', 307, { location: 'http://127.0.0.1:1/' }),
    silence: silence(),
    HTML: text('<html>'),
    'another field': json({ output: 'x' }),
    'an unaligned text': json({ pruned_code: 'a summary' }),
    'a reset': (_, response) => response.destroy(),
    'nothing kept': json({ pruned_code: '(filtered 5 lines)' }),
  };
  for (const [name, answer] of Object.entries(FAULTS)) {
    verifies('swe.fail-open', `${name} gives the raw text`, async () => {
      const { url } = await serve(answer);
      const backend = createSwePrunerBackend({ url, timeoutMs: 200, fetch: globalThis.fetch });
      const result = await world({ backend }).prune({ text: SENT, goal: 'bravo' });
      expect(result).toMatchObject({ text: SENT, gaps: [], stats: { usedFallback: true } });
      expect(result.warnings).toHaveLength(1);
    });
  }
});

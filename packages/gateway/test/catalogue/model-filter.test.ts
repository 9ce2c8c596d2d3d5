import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { verifies } from '../../../../test/e2e/verifies.ts';
import { createModelFilter, type ModelFilterOptions } from '../../src/catalogue/model-filter.ts';
import { selectTools } from '../../src/catalogue/select.ts';
import { createRanker } from '../../src/rank/ranker.ts';
import { snapshotOf, upstreamTool } from './catalogue.ts';

const TOOLS = [
  upstreamTool('files', 'read_file', { description: 'Read a file' }),
  upstreamTool('mail', 'send_email', { description: 'Send an email\nto anyone' }),
  upstreamTool('weather', 'get_forecast', { description: 'Weather forecast' }),
];

interface Seen {
  readonly headers: IncomingMessage['headers'];
  readonly body: Record<string, unknown>;
}

/** A model's endpoint that answers as a test wants it to. */
async function endpoint(answer: (response: ServerResponse) => void): Promise<{ baseURL: string; seen: Seen[] }> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      seen.push({ headers: request.headers, body: JSON.parse(body) as Record<string, unknown> });
      answer(response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`, seen };
}

function says(content: unknown): (response: ServerResponse) => void {
  return (response) => void response.end(JSON.stringify({ choices: [{ message: { content } }] }));
}

async function select(baseURL: string, more: Partial<ModelFilterOptions> = {}) {
  const problems: string[] = [];
  const filter = createModelFilter({
    baseURL,
    model: 'small',
    maxTools: 2,
    timeoutMs: 5000,
    fetch: globalThis.fetch,
    onProblem: (message) => problems.push(message),
    ...more,
  });
  const options = { ranker: createRanker(), cap: 10, filter };
  const selected = await selectTools(snapshotOf(TOOLS), 'send an email', options);
  return { names: selected.best.map(({ displayName }) => displayName), problems };
}

describe('the model that filters', () => {
  verifies('gateway.model-filter', 'is asked with names and descriptions, and its choice is what counts', async () => {
    const { baseURL, seen } = await endpoint(says('["weather__get_forecast", "files__read_file"]'));
    expect((await select(baseURL, { apiKey: 'secret' })).names).toEqual(['weather__get_forecast', 'files__read_file']);
    expect(seen).toHaveLength(1);
    expect(seen[0]?.headers.authorization).toBe('Bearer secret');
    expect(seen[0]?.body).toMatchObject({ model: 'small' });
    expect(JSON.stringify(seen[0]?.body)).toContain('- mail__send_email: Send an email to anyone');
  });

  verifies('gateway.model-filter', 'may say that no tool fits, and is held to its number of tools', async () => {
    const none = await endpoint(says('[]'));
    expect((await select(none.baseURL)).names).toEqual([]);
    const all = await endpoint(says(JSON.stringify(TOOLS.map(({ displayName }) => displayName))));
    expect((await select(all.baseURL)).names).toEqual(['files__read_file', 'mail__send_email']);
  });

  verifies(
    'gateway.reply.model-filter',
    'may put its answer into a fence, and names that nobody has are skipped',
    async () => {
      const fenced = await endpoint(says('Here you are:\n```json\n["files__read_file"]\n```\n'));
      expect((await select(fenced.baseURL)).names).toEqual(['files__read_file']);
      const partly = await endpoint(says('["mail__nothing", "weather__get_forecast"]'));
      expect(await select(partly.baseURL)).toEqual({ names: ['weather__get_forecast'], problems: [] });
    },
  );

  const ranked = ['mail__send_email'];
  const faults: readonly [string, (response: ServerResponse) => void][] = [
    ['names only tools that nobody has', says('["mail__sent_email", "mail__nothing"]')],
    ['answers in prose', says('I would use the mail tool.')],
    ['answers with an object', says('{"tools":["files__read_file"]}')],
    ['answers with numbers', says('[1]')],
    ['answers without a text', says(undefined)],
    ['answers in another shape', (response) => void response.end('[]')],
    ['answers null', (response) => void response.end('null')],
    ['answers with broken JSON', (response) => void response.end('{"choices": [')],
    ['answers with an error', (response) => void response.writeHead(500).end('no')],
    ['sends elsewhere', (response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
    ['hangs up', (response) => void response.destroy()],
    ['hangs up half way', (response) => void response.write('{"choi', () => response.destroy())],
    ['never ends', flood],
    ['never answers', () => undefined],
  ];
  for (const [what, answer] of faults) {
    verifies('gateway.fallback-dedup', `leaves it to the ranking when it ${what}`, async () => {
      const { baseURL } = await endpoint(answer);
      const { names, problems } = await select(baseURL, { timeoutMs: 1500 });
      expect(names).toEqual(ranked);
      expect(problems).toHaveLength(1);
    });
  }

  test('leaves it to the ranking when nobody is there', async () => {
    expect((await select('http://127.0.0.1:9/v1')).names).toEqual(ranked);
  });

  test('is not asked without a goal', async () => {
    const { baseURL, seen } = await endpoint(says('[]'));
    const filter = createModelFilter({ baseURL, model: 'm', maxTools: 2, timeoutMs: 1000, fetch: globalThis.fetch });
    const selected = await selectTools(snapshotOf(TOOLS), undefined, { ranker: createRanker(), cap: 1, filter });
    expect([selected.best.length, seen.length]).toEqual([3, 0]);
  });
});

function flood(response: ServerResponse): void {
  const chunk = 'x'.repeat(65_536);
  const more = (): void => void (response.writable && response.write(chunk, more));
  more();
}

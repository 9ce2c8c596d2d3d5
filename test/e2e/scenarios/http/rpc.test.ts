import { beforeAll, describe, expect } from 'vitest';
import { verifies } from '../../verifies.ts';
import { cleanUpServices, type Service, startService } from '../text/service.ts';

cleanUpServices();
let service: Service;
beforeAll(async () => {
  service = await startService();
});

const OPTIONS = {
  max_prune_ratio: 0.75,
  min_keep_lines: 1,
  timeout_ms: 10_000,
  annotate_lines: false,
  include_markers: true,
};
const LOG = Array.from({ length: 200 }, (_, at) => `12:00:${at} INFO request ${at} was served from the cache\n`)
  .toSpliced(90, 1, '12:00:90 ERROR the port 8006 is taken\n')
  .join('');

/** Seed 002 §4.0, as it is written there. */
const PRUNE_SCHEMA = {
  type: 'object',
  properties: {
    text: { type: 'string' },
    goal_hint: { type: 'string' },
    source_type: { type: 'string', enum: ['code', 'logs', 'docs'] },
    options: {
      type: 'object',
      properties: {
        max_prune_ratio: { type: 'number', minimum: 0, maximum: 1 },
        min_keep_lines: { type: 'integer', minimum: 0 },
        timeout_ms: { type: 'integer', minimum: 1 },
        annotate_lines: { type: 'boolean' },
        include_markers: { type: 'boolean' },
      },
      required: ['max_prune_ratio', 'min_keep_lines', 'timeout_ms', 'annotate_lines', 'include_markers'],
      additionalProperties: false,
    },
  },
  required: ['text', 'goal_hint', 'source_type', 'options'],
  additionalProperties: false,
};
const RECOVER_SCHEMA = {
  type: 'object',
  properties: {
    prune_id: { type: 'string' },
    ranges: {
      type: 'array',
      items: {
        type: 'object',
        properties: { start_line: { type: 'integer', minimum: 1 }, end_line: { type: 'integer', minimum: 1 } },
        required: ['start_line', 'end_line'],
        additionalProperties: false,
      },
    },
    include_line_numbers: { type: 'boolean' },
  },
  required: ['prune_id', 'ranges', 'include_line_numbers'],
  additionalProperties: false,
};

describe('POST /rpc', () => {
  verifies('http.rpc.methods', 'answers every method of a server without a handshake', async () => {
    const { result: list } = await service.rpc('tools/list', {});
    expect(list.tools.map(({ name }: { name: string }) => name)).toEqual(['prune_text', 'recover_text', 'health']);
    expect(list.tools[0].inputSchema).toEqual(PRUNE_SCHEMA);
    expect(list.tools[1].inputSchema).toEqual(RECOVER_SCHEMA);
    const hello = await service.rpc('initialize', { protocolVersion: '2025-11-25', clientInfo: { name: 'diag' } });
    expect(hello.result).toMatchObject({ protocolVersion: '2025-11-25', jeeves: { schemaVersion: 1 } });
    // It speaks of what is offered here, which takes no focus question.
    expect(hello.result.instructions).toMatch(/^prune_text .*recover_text(?!.*context_focus_question)/);
    const note = await service.post('/rpc', { jsonrpc: '2.0', method: 'notifications/initialized' });
    expect([note.status, note.text]).toEqual([202, '']);
    expect((await service.rpc('ping')).result).toEqual({});
  });

  verifies('http.initialized-with-id', 'answers the end of a handshake that comes with an id', async () => {
    const message = { jsonrpc: '2.0', id: 'last', method: 'notifications/initialized' };
    const answer = { jsonrpc: '2.0', id: 'last', result: {} };
    for (const path of ['/rpc', '/mcp']) expect((await service.post(path, message)).json).toEqual(answer);
  });

  verifies('http.rpc.empty-lists', 'has no resources, templates or prompts', async () => {
    expect((await service.rpc('resources/list')).result).toEqual({ resources: [] });
    expect((await service.rpc('resources/templates/list')).result).toEqual({ resourceTemplates: [] });
    expect((await service.rpc('prompts/list')).result).toEqual({ prompts: [] });
  });

  verifies(
    ['http.rpc.health-tool', 'http.rpc.legacy-health', 'http.health'],
    'reports its health in three ways that agree',
    async () => {
      const tool = await service.call('health', {});
      const legacy = (await service.rpc('health')).result;
      const route = (await service.get('/health')).json;
      const fixed = {
        status: 'healthy',
        server: 'mcp-pruner',
        version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
        capabilities: ['prune_text', 'recover_text', 'annotations', 'markers'],
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/),
      };
      for (const health of [tool, legacy, route]) expect(health).toMatchObject(fixed);
      expect(route.model_loaded).toBe(true);
    },
  );

  verifies('http.rpc.content', 'answers a tool call with one text block that holds its JSON', async () => {
    const args = { text: LOG, goal_hint: 'Which port is taken?', source_type: 'logs', options: OPTIONS };
    const { result } = await service.rpc('tools/call', { name: 'prune_text', arguments: args });
    expect(Object.keys(result)).toEqual(['content']);
    expect(result.content).toEqual([{ type: 'text', text: expect.any(String) }]);
    expect(Object.keys(JSON.parse(result.content[0].text))).toEqual([
      'prune_id',
      'pruned_text',
      'annotations',
      'stats',
      'warnings',
    ]);
  });

  verifies('http.rpc.uncut', 'does not cut a reply of many megabytes', async () => {
    const own = await startService({ env: { MCP_PRUNER_MAX_INPUT_CHARS: '100' } });
    const text = `${'"\\'.repeat(50)}\n`.repeat(40_000);
    const args = { text, goal_hint: 'x', source_type: 'docs', options: OPTIONS };
    const reply = await own.post('/rpc', { jsonrpc: '2.0', id: 1, method: 'prune_text', params: args });
    expect(reply.json.result.pruned_text === text).toBe(true);
    const wrapped = await own.post('/rpc', {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'prune_text', arguments: args },
    });
    expect(wrapped.text.length).toBeGreaterThan(8 * 1024 * 1024);
    expect(JSON.parse(wrapped.json.result.content[0].text).pruned_text === text).toBe(true);
    await own.stop();
  });

  verifies('recover.rpc-errors', 'names the error of a recovery, its number and the id', async () => {
    const { prune_id } = await service.prune({ text: LOG, goal_hint: 'port', source_type: 'logs' });
    const ask = (id: string, start_line: number, end_line: number) =>
      service.rpc('tools/call', {
        name: 'recover_text',
        arguments: { prune_id: id, ranges: [{ start_line, end_line }], include_line_numbers: true },
      });
    expect((await ask('prn_nope', 1, 2)).error).toEqual({
      code: -32004,
      message: 'prune_id_not_found',
      data: { code: 'prune_id_not_found', prune_id: 'prn_nope' },
    });
    for (const [start, end] of [
      [2, 1],
      [0, 1],
      [201, 300],
    ] as const) {
      expect((await ask(prune_id, start, end)).error).toMatchObject({
        code: -32005,
        message: 'invalid_range',
        data: { code: 'invalid_range', max_line: 200 },
      });
    }
    const { result } = await ask(prune_id, 200, 999);
    expect(JSON.parse(result.content[0].text)).toEqual({
      raw_text: '200│ 12:00:199 INFO request 199 was served from the cache\n',
      metadata: { prune_id, ranges: [{ start_line: 200, end_line: 200 }], line_numbering: 'original' },
    });
  });
});

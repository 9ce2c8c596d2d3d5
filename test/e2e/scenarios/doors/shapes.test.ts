import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { TOOLS, toolReferenceSchema } from '@jeeves/protocol';
import { describe, expect, vi } from 'vitest';
import { verifies } from '../../verifies.ts';
import { callOf, postMcp } from '../http/posting.ts';
import { cleanUpServices, startService } from '../text/service.ts';

cleanUpServices();
vi.setConfig({ testTimeout: 300_000 });

const PROGRAM = fileURLToPath(new URL('shape-cost.ts', import.meta.url));
const FLAGS = ['--single-threaded', '--expose-gc', '--conditions=@jeeves/source', '--import', 'tsx'];
const MIB = 1024 * 1024;

interface Cost {
  readonly name: string;
  /** Of processor time in a process of one thread: what others do on the machine does not count. */
  readonly ms: number;
  readonly bytes: number;
  readonly size: number;
}

describe('a body', () => {
  verifies('doors.shapes', 'of any shape costs little time and memory', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [...FLAGS, PROGRAM], { maxBuffer: 16 * MIB });
    const costs = stdout
      .trim()
      .split('\n')
      .map((line): Cost => JSON.parse(line));
    expect(costs.length).toBeGreaterThan(300);
    // A machine on which even one plain string takes longer than usual gets that much more for the rest.
    const allowedMs = Math.max(100, 6 * (costs[0]?.ms ?? 0));
    expect(costs.filter(({ ms }) => ms > allowedMs)).toEqual([]);
    // Of a small body the constant part is more than the rest.
    expect(costs.filter(({ bytes, size }) => bytes > Math.max(32 * MIB, 4.1 * size))).toEqual([]);
  });

  verifies('doors.shapes', 'that holds too many values is refused, and the next one is answered', async () => {
    const service = await startService();
    const many = `[${Array.from({ length: 60_000 }, () => '{}').join(',')}]`;
    const reply = await postMcp(service, `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":${many}}}`);
    expect(reply.json).toMatchObject({ id: null, error: { code: -32600 } });
    expect((await service.post('/prune', `{"query":"x","code":"y","more":${many}}`)).status).toBe(422);
    expect((await service.get('/health')).status).toBe(200);
  });
});

describe('a list', () => {
  verifies('doors.lists', 'has a maximum in every schema', () => {
    const unbounded: string[] = [];
    const look = (schema: unknown, path: string): void => {
      if (typeof schema !== 'object' || schema === null) return;
      if ('type' in schema && schema.type === 'array' && !('maxItems' in schema)) unbounded.push(path);
      for (const [key, value] of Object.entries(schema)) if (key !== 'examples') look(value, `${path}.${key}`);
    };
    for (const tool of TOOLS) look(toolReferenceSchema(tool), tool.name);
    expect(unbounded).toEqual([]);
  });

  verifies('doors.lists', 'of mistakes is answered with the first twenty', async () => {
    const service = await startService({ env: { MCP_PRUNER_TOOLS: 'context,text' } });
    const ids = Array.from({ length: 5000 }, () => 7);
    for (const [name, args] of [
      ['context_stash', { segment_ids: ids }],
      ['recover_text', { prune_id: 'x', ranges: ids }],
    ] as const) {
      const { json } = await postMcp(service, callOf(name, args));
      const { error } = json as unknown as { error: { code: number; data: { issues: unknown[] } } };
      expect(error.code).toBe(-32602);
      expect(error.data.issues).toHaveLength(20);
    }
  });

  verifies('doors.lists', 'that is too long is one mistake', async () => {
    const service = await startService({ env: { MCP_PRUNER_TOOLS: 'context,text' } });
    const ids = Array.from({ length: 10_001 }, () => 7);
    const { json } = await postMcp(service, callOf('context_stash', { segment_ids: ids }));
    const issue = { path: 'arguments.segment_ids', code: 'too_big', message: 'too_big' };
    expect(json).toMatchObject({ error: { code: -32602, data: { issues: [issue] } } });
  });
});

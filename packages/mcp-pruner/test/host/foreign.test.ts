import { describe, expect, test } from 'vitest';
import { createDispatcher } from '../../src/host/dispatch.ts';
import type { HostOptions } from '../../src/host/options.ts';
import type { Outgoing } from '../../src/host/outgoing.ts';
import type { ForeignTools, ToolCall, ToolOutcome } from '../../src/host/tool.ts';

interface Reply {
  readonly id?: number;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number };
}

const OUTCOME: ToolOutcome = { text: '', structured: {}, isError: false, mode: 'raw' };

function connection(foreign: ForeignTools, listChanged = false) {
  const sent: Outgoing[] = [];
  const options: HostOptions = {
    server: { name: 'x', version: '1', instructions: '', listChanged },
    tools: [],
    foreign,
    output: 'auto',
    emit: () => undefined,
    now: Date.now,
    newRequestId: () => 'r',
  };
  const dispatcher = createDispatcher(options, (outgoing) => void sent.push(outgoing));
  const ask = async (method: string, params: object = {}): Promise<Reply> => {
    dispatcher.receive({ kind: 'text', text: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }) });
    await dispatcher.settled();
    const line = sent.at(-1)?.line ?? '';
    return JSON.parse(typeof line === 'string' ? line : Buffer.concat(line).toString('utf8')) as Reply;
  };
  return { ask, sent };
}

function tools(run: (call: ToolCall<object>) => Promise<ToolOutcome>): ForeignTools {
  const definition = { name: 'far.away', inputSchema: { type: 'object' }, of: 'another server' };
  return {
    list: () => Promise.resolve([definition]),
    find: (name) => (name === 'far.away' ? { name, run } : undefined),
  };
}

describe('foreign tools', () => {
  test('are listed as they are defined', async () => {
    const { ask } = connection(tools(() => Promise.resolve(OUTCOME)));
    const { result } = await ask('tools/list');
    expect(result).toEqual({ tools: [{ name: 'far.away', inputSchema: { type: 'object' }, of: 'another server' }] });
  });

  test('get their arguments as they were sent', async () => {
    const seen: object[] = [];
    const { ask } = connection(
      tools(({ args }) => {
        seen.push(args);
        return Promise.resolve(OUTCOME);
      }),
    );
    await ask('tools/call', { name: 'far.away', arguments: { anything: [1, { goes: null }] } });
    await ask('tools/call', { name: 'far.away' });
    expect(seen).toEqual([{ anything: [1, { goes: null }] }, {}]);
    expect((await ask('tools/call', { name: 'further', arguments: {} })).error?.code).toBe(-32_602);
  });

  test('that cannot be listed are an internal error', async () => {
    const { ask } = connection({ list: () => Promise.reject(new Error('gone')), find: () => undefined });
    expect((await ask('tools/list')).error?.code).toBe(-32_603);
  });
});

describe('a whole result', () => {
  test('is sent as it is, and its tool learns when it was written', async () => {
    let written = 0;
    const result = { content: [{ type: 'image', data: 'x' }], structuredContent: { a: 1 }, _meta: { b: 2 }, more: [3] };
    const outcome = { ...OUTCOME, result, written: () => (written += 1) };
    const { ask, sent } = connection(tools(() => Promise.resolve(outcome)));
    expect((await ask('tools/call', { name: 'far.away' })).result).toEqual(result);
    expect(written).toBe(0);
    sent.at(-1)?.written?.();
    expect(written).toBe(1);
  });
});

test.each([true, false])('whether tools may change is said in the handshake: %s', async (listChanged) => {
  const { ask } = connection(
    tools(() => Promise.resolve(OUTCOME)),
    listChanged,
  );
  const { result } = await ask('initialize', { protocolVersion: '2025-11-25' });
  expect(result?.['capabilities']).toEqual({ tools: { listChanged } });
});

import type { Tool } from '@jeeves/mcp-pruner/host';
import { describe, expect, test } from 'vitest';
import { verifies } from '../../../test/e2e/verifies.ts';
import { type AutomaticEvalOptions, createAutomaticEval } from '../src/automatic-eval.ts';
import type { ResultPruner } from '../src/prune-result.ts';
import type { UpstreamCall, UpstreamResult } from '../src/upstream/upstream.ts';
import { createArgumentValidator } from '../src/validate/validator.ts';
import { callTool, countingCounters, snapshotOf, textOf, upstreamTool } from './catalogue/catalogue.ts';

const READ = upstreamTool('files', 'read_file', {
  inputSchema: { type: 'object', required: ['path'], properties: { path: { type: 'string' } } },
});
const TOOLS = [
  READ,
  upstreamTool('files', 'write_file'),
  upstreamTool('git', 'status'),
  upstreamTool('svn', 'status'),
  upstreamTool('web', 'fetch', { inputSchema: { properties: { a: { $ref: 'https://example.com/s' } } } }),
  upstreamTool('web', 'nothing', { inputSchema: undefined }),
];

const RESULT: UpstreamResult = {
  content: [
    { type: 'text', text: 'a' },
    { type: 'image', data: 'aGk=', mimeType: 'image/png' },
  ],
  structuredContent: { deep: [1, null] },
  _meta: { 'example.com/a': 1 },
  future: true,
};

function desk(result: UpstreamResult = RESULT, more: Partial<AutomaticEvalOptions['upstreams']> = {}) {
  const calls: UpstreamCall[] = [];
  const goals: string[] = [];
  const counters = countingCounters();
  const pruner: ResultPruner = {
    prune: async (raw, goal) => {
      goals.push(goal);
      return await Promise.resolve({ ...raw, content: [{ type: 'text', text: 'pruned' }] });
    },
  };
  const upstreams = {
    known: async () => await Promise.resolve(snapshotOf(TOOLS)),
    listedFor: async () => await Promise.resolve(undefined),
    serverOf: () => undefined,
    tools: async () => await Promise.resolve(snapshotOf(TOOLS)),
    call: async (call: UpstreamCall) => {
      calls.push(call);
      return await Promise.resolve(result);
    },
    ...more,
  };
  const tool = createAutomaticEval({ upstreams, counters, pruner, validator: createArgumentValidator() }) as Tool;
  return { calls, goals, counters, evaluate: (args: object) => callTool(tool, args) };
}

describe('automatic_eval', () => {
  verifies('gateway.eval.result', 'passes arguments and result on as they are', async () => {
    const { calls, goals, evaluate } = desk();
    const args = { path: '/tmp/a', more: [1, { two: null }] };
    const outcome = await evaluate({ toolName: 'files__read_file', arguments: args, routingKey: 'k' });
    expect(outcome.result).toBe(RESULT);
    expect(calls).toMatchObject([{ server: 'files', name: 'read_file', args, routingKey: 'k' }]);
    expect(goals).toEqual([]);
  });

  verifies(
    ['gateway.eval.validates', 'gateway.eval.schema-error', 'gateway.eval.same-schema'],
    'refuses arguments that break the schema with the whole definition, and calls nobody',
    async () => {
      const { calls, counters, evaluate } = desk();
      const outcome = await evaluate({ toolName: 'files__read_file', arguments: { path: 3 } });
      expect(outcome.isError).toBe(true);
      expect(Object.keys(outcome.result ?? {})).toEqual(['content', 'isError']);
      expect(JSON.parse(textOf(outcome))).toEqual({
        error: 'invalid tool arguments: path must be "string", not "number"',
        toolSchema: READ.definition,
      });
      expect(calls).toEqual([]);
      expect(counters.counted).toEqual({ validationErrors: 1 });
    },
  );

  verifies('gateway.eval.validates', 'takes missing arguments for none', async () => {
    const { calls, evaluate } = desk();
    expect(textOf(await evaluate({ toolName: 'files__read_file' }))).toContain('\\"path\\" is required');
    await evaluate({ toolName: 'files__write_file' });
    expect(calls).toMatchObject([{ name: 'write_file', args: {} }]);
  });

  verifies(
    'gateway.eval.other-failures',
    'names the closest tools when nobody has the one that is called',
    async () => {
      const { calls, counters, evaluate } = desk();
      const outcome = await evaluate({ toolName: 'files__reed_file', arguments: {} });
      expect(outcome.isError).toBe(true);
      expect(textOf(outcome)).toMatch(/^unknown tool "files__reed_file": the closest are files__read_file, /);
      expect(textOf(await evaluate({ toolName: '???' }))).toContain('ask automatic_mcp which tools there are');
      expect(counters.counted).toEqual({ unknownTools: 2 });
      expect(calls).toEqual([]);
    },
  );

  verifies('gateway.eval.other-failures', 'names the few nearest where nothing resembles the name', async () => {
    const text = textOf(await desk().evaluate({ toolName: 'wet_stapler_of_old' }));
    expect(text).toMatch(/^unknown tool "wet_stapler_of_old": the closest are (?:\w+__\w+(?:, |$)){1,3}$/);
  });

  test('calls a tool that is known at once, whatever the listing of other servers waits for', async () => {
    const { calls, evaluate } = desk(RESULT, { tools: () => new Promise(() => undefined) });
    expect((await evaluate({ toolName: 'git__status' })).result).toBe(RESULT);
    expect(calls).toHaveLength(1);
  });

  test('calls a tool as soon as its own server is listed', async () => {
    let tools: typeof TOOLS = [];
    const { evaluate } = desk(RESULT, {
      known: async () => await Promise.resolve(snapshotOf(tools)),
      listedFor: async () => {
        tools = TOOLS;
        return await Promise.resolve(undefined);
      },
      tools: () => new Promise(() => undefined),
    });
    expect((await evaluate({ toolName: 'git__status' })).result).toBe(RESULT);
  });

  test('says what is wrong with a server whose tools nobody knows', async () => {
    const why = 'the server "odd" ended with exit code 3';
    const { counters, evaluate } = desk(RESULT, { listedFor: async () => await Promise.resolve(why) });
    const outcome = await evaluate({ toolName: 'odd__echo' });
    expect([outcome.isError, textOf(outcome)]).toEqual([true, `error: ${why}`]);
    expect(counters.counted).toEqual({});
  });

  verifies('gateway.eval.other-failures', 'passes a failure of the upstream on without the schema', async () => {
    const failure: UpstreamResult = { content: [{ type: 'text', text: 'files: no such file' }], isError: true };
    const outcome = await desk(failure).evaluate({ toolName: 'files__read_file', arguments: { path: 'a' } });
    expect(outcome.result).toBe(failure);
    expect(outcome.isError).toBe(true);
  });

  verifies('gateway.eval.unusable-schema', 'says so when a schema leads outside itself, and calls nobody', async () => {
    const { calls, evaluate } = desk();
    const outcome = await evaluate({ toolName: 'web__fetch', arguments: { a: 1 } });
    expect(outcome.isError).toBe(true);
    expect(textOf(outcome)).toBe(
      'the input schema of web__fetch is unusable: "https://example.com/s" leads outside it, and nothing is fetched',
    );
    expect(calls).toEqual([]);
  });

  test.each([
    ['files.read_file', 'files', 'read_file'],
    ['files/read_file', 'files', 'read_file'],
    ['mcp__files__read_file', undefined, undefined],
    ['read_file', 'files', 'read_file'],
    ['FILES__READ-FILE', 'files', 'read_file'],
    ['status', undefined, undefined],
    ['git.status', 'git', 'status'],
  ])('takes %s for %s %s', async (toolName, server, name) => {
    const { calls, evaluate } = desk();
    await evaluate({ toolName, arguments: { path: 'a' } });
    expect(calls.map((call) => [call.server, call.name])).toEqual(server === undefined ? [] : [[server, name]]);
  });

  verifies('gateway.errors.coerced', 'takes what can only be meant one way as it is meant, and says so', async () => {
    const properties = {
      path: { type: 'string' },
      count: { type: 'integer' },
      deep: { type: 'boolean' },
      tags: { type: 'array', items: { type: 'number' } },
    };
    const tool = upstreamTool('files', 'find', { inputSchema: { type: 'object', properties, required: ['path'] } });
    const { calls, evaluate } = desk(RESULT, { known: async () => await Promise.resolve(snapshotOf([tool])) });
    const sent = { path: 'a', count: '2', deep: 'true', tags: '["1",2]', other: null };
    const outcome = await evaluate({ toolName: 'files__find', arguments: { ...sent, tags: null } });
    expect(calls[0]?.args).toEqual({ path: 'a', count: 2, deep: true, other: null });
    const { content } = outcome.result as UpstreamResult;
    expect(content.slice(0, -1)).toEqual(RESULT.content);
    expect(content.at(-1)?.['text']).toBe(
      'note: count was sent as a string and is taken as the number 2; deep was sent as a string and is taken as the boolean true; tags was null and is left out',
    );
    const refused = await evaluate({ toolName: 'files__find', arguments: { path: null, count: 'many' } });
    expect(refused.isError).toBe(true);
    expect(calls).toHaveLength(1);
  });

  verifies('gateway.change.withheld', 'calls no tool that is withheld, and says how it is accepted', async () => {
    const tools = [{ ...READ, changed: true, withheld: true }];
    const { calls, evaluate } = desk(RESULT, { known: async () => await Promise.resolve(snapshotOf(tools)) });
    const outcome = await evaluate({ toolName: 'files__read_file', arguments: { path: 'a' } });
    expect([outcome.isError, calls]).toEqual([true, []]);
    expect(textOf(outcome)).toContain('jeeves gateway approve files');
  });

  verifies(
    'gateway.names.unambiguous',
    'never lets another server answer for the one that a name belongs to',
    async () => {
      const { calls, evaluate } = desk(RESULT, { serverOf: () => 'git' });
      expect(textOf(await evaluate({ toolName: 'git__read_file' }))).toMatch(/^unknown tool "git__read_file"/);
      expect(calls).toEqual([]);
    },
  );

  test('prunes the result against the focus question', async () => {
    const { goals, evaluate } = desk();
    const goal = 'where is the error';
    const outcome = await evaluate({ toolName: 'git__status', context_focus_question: goal });
    expect(goals).toEqual([goal]);
    expect([textOf(outcome), outcome.mode]).toEqual(['pruned', 'pruned']);
  });

  test('does not look at arguments where there is no schema', async () => {
    const { calls, evaluate } = desk();
    await evaluate({ toolName: 'web__nothing', arguments: { any: 1 } });
    expect(calls).toHaveLength(1);
  });
});

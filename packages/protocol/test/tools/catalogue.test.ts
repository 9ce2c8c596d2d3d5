import { AUTOMATIC_EVAL, AUTOMATIC_MCP } from '@jeeves/protocol';
import { describe, expect, it } from 'vitest';
import { verifies } from '../../../../test/e2e/verifies.ts';
import { brief, issuesOf } from '../issues.ts';

describe('automatic_mcp', () => {
  it.each([
    [{}],
    [{ query: 'send a mail' }],
    [{ query: '' }],
    [{ query: '  ' }],
    [{ sessionId: '' }],
    [{ sessionId: 's', forceRefresh: true }],
  ])('takes %j', (args) => {
    expect(issuesOf(AUTOMATIC_MCP, args)).toEqual([]);
  });

  const refused: [object, string[]][] = [
    [{ query: 'x'.repeat(1001) }, ['query too_big']],
    [{ sessionId: 'x'.repeat(257) }, ['sessionId too_big']],
    [{ forceRefresh: 'yes' }, ['forceRefresh invalid_type']],
    [{ names: [''] }, ['names.0 too_small']],
    [{ query: 'a', goal: 'b' }, [' unrecognized_keys']],
    [{ goal: 'a', task: 'b' }, [' unrecognized_keys']],
    [{ limit: 3 }, [' unrecognized_keys']],
  ];
  it.each(refused.map(([args, issues]) => [brief(args), args, issues] as const))('refuses %s', (_, args, issues) => {
    expect(issuesOf(AUTOMATIC_MCP, args)).toEqual(issues);
  });
});

describe('automatic_eval', () => {
  it('passes any arguments on, and none as an empty object', () => {
    const nested = { a: [1, { b: null }], 'c.d': 'é' };
    expect(AUTOMATIC_EVAL.input.parse({ toolName: 'x__y', arguments: nested })).toEqual({
      toolName: 'x__y',
      arguments: nested,
    });
    expect(AUTOMATIC_EVAL.input.parse({ toolName: 'x__y' })).toEqual({ toolName: 'x__y', arguments: {} });
  });

  const refused: [object, string[]][] = [
    [{}, ['toolName invalid_type']],
    [{ toolName: '' }, ['toolName too_small']],
    [{ toolName: 'x', arguments: [] }, ['arguments invalid_type']],
    [{ toolName: 'x', arguments: '[]' }, ['arguments invalid_type']],
    [{ toolName: 'x', arguments: '{' }, ['arguments invalid_type']],
    [{ toolName: 'x', routingKey: '' }, ['routingKey too_small']],
    [{ toolName: 'x', arguments: {}, path: 'a' }, [' unrecognized_keys']],
    [{ path: 'a' }, [' unrecognized_keys', 'toolName invalid_type']],
  ];
  it.each(refused.map(([args, issues]) => [brief(args), args, issues] as const))('refuses %s', (_, args, issues) => {
    expect(issuesOf(AUTOMATIC_EVAL, args)).toEqual(issues);
  });
});

describe('an outer shape that can mean one thing only', () => {
  const meant: [object, object][] = [
    [{ goal: 'send a mail' }, { query: 'send a mail', forceRefresh: false }],
    [
      { query: 'a', sessionId: null },
      { query: 'a', forceRefresh: false },
    ],
    [{ names: 'a__b, a__c' }, { names: ['a__b', 'a__c'], forceRefresh: false }],
    [
      { names: '["a__b"]', forceRefresh: 'true' },
      { names: ['a__b'], forceRefresh: true },
    ],
    [{ session_id: 's' }, { sessionId: 's', forceRefresh: false }],
  ];
  for (const [sent, args] of meant) {
    verifies('gateway.errors.outer', `is mended: automatic_mcp ${brief(sent)}`, () => {
      expect(AUTOMATIC_MCP.input.parse(sent)).toEqual(args);
    });
  }

  const x = { toolName: 'x__y', arguments: { path: 'a' } };
  const calls: [object, object][] = [
    [{ toolName: 'x__y', arguments: '{"path":"a"}' }, x],
    [{ toolName: 'x__y', args: { path: 'a' } }, x],
    [{ name: 'x__y', arguments: { path: 'a' } }, x],
    [{ toolName: 'x__y', path: 'a' }, x],
    [{ tool: 'x__y', parameters: '{"path":"a"}' }, x],
    [
      { toolName: 'x__y', arguments: null, routingKey: null },
      { toolName: 'x__y', arguments: {} },
    ],
    [
      { toolName: 'x__y', name: 'n', tool: 't' },
      { toolName: 'x__y', arguments: { name: 'n', tool: 't' } },
    ],
    [
      { toolName: 'x__y', input: 'text' },
      { toolName: 'x__y', arguments: { input: 'text' } },
    ],
  ];
  for (const [sent, args] of calls) {
    verifies('gateway.errors.outer', `is mended: automatic_eval ${brief(sent)}`, () => {
      expect(AUTOMATIC_EVAL.input.parse(sent)).toEqual(args);
    });
  }
});

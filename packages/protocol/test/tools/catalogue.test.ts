import { AUTOMATIC_EVAL, AUTOMATIC_MCP } from '@jeeves/protocol';
import { describe, expect, it } from 'vitest';
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
    [{ session_id: 's' }, [' unrecognized_keys']],
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
    [{ toolName: 'x', arguments: '{}' }, ['arguments invalid_type']],
    [{ toolName: 'x', routingKey: '' }, ['routingKey too_small']],
    [{ toolName: 'x', args: {} }, [' unrecognized_keys']],
  ];
  it.each(refused.map(([args, issues]) => [brief(args), args, issues] as const))('refuses %s', (_, args, issues) => {
    expect(issuesOf(AUTOMATIC_EVAL, args)).toEqual(issues);
  });
});

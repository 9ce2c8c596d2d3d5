import {
  BASH,
  CONTEXT_STASH,
  GREP,
  invalidParams,
  invalidParamsText,
  READ,
  RECOVER_TEXT,
  TOOLS_CALL_PARAMS,
  type ToolDefinition,
  unknownTool,
} from '@jeeves/protocol';
import { describe, expect, it } from 'vitest';
import type { ZodError, ZodType } from 'zod';

describe('invalidParams', () => {
  it('is the contract of seed 001, to the byte', () => {
    const error = refusal(READ.input, { max_output_bytes: 10, encoding: 'latin1', colour: 'red' });
    expect(JSON.stringify(invalidParams('tools/call', 'read', error, 'arguments'))).toBe(
      '{"code":-32602,"message":"Invalid params","data":{"jeeves":{"schemaVersion":1},"method":"tools/call","tool":"read","issues":[' +
        '{"path":"arguments","code":"unrecognized_keys","message":"unrecognized_keys"},' +
        '{"path":"arguments.encoding","code":"invalid_value","message":"invalid_value"},' +
        '{"path":"arguments.file_path","code":"invalid_type","message":"invalid_type"},' +
        '{"path":"arguments.max_output_bytes","code":"too_small","message":"too_small"}]}}',
    );
  });

  it('leaves out the tool when the call names none', () => {
    expect(invalidParams('tools/call', undefined, refusal(TOOLS_CALL_PARAMS, {}))).toEqual({
      code: -32602,
      message: 'Invalid params',
      data: {
        jeeves: { schemaVersion: 1 },
        method: 'tools/call',
        issues: [{ path: 'name', code: 'invalid_type', message: 'invalid_type' }],
      },
    });
  });

  it('gives the empty path to params as a whole', () => {
    expect(issuesIn(invalidParams('tools/call', undefined, refusal(TOOLS_CALL_PARAMS, null)))).toEqual([
      ' invalid_type',
    ]);
  });

  it('sorts by path, then code, character by character', () => {
    const env = { b: '', B_: 'x'.repeat(4001), a: '' };
    const error = refusal(BASH.input, { command: '', env, timeout_ms: 1, Z: 1 });
    expect(issuesIn(invalidParams('tools/call', 'bash', error, 'arguments'))).toEqual([
      'arguments unrecognized_keys',
      'arguments.command too_small',
      'arguments.env.B_ too_big',
      'arguments.env.a invalid_key',
      'arguments.env.b invalid_key',
      'arguments.timeout_ms too_small',
    ]);
    const question = refusal(READ.input, { file_path: 'a', context_focus_question: ' '.repeat(1001) });
    expect(issuesIn(invalidParams('tools/call', 'read', question))).toEqual([
      'context_focus_question too_big',
      'context_focus_question too_small',
    ]);
  });

  it('numbers the elements of a list', () => {
    const error = refusal(GREP.input, { pattern: 'x', paths: ['a', '', 'b', 7] });
    expect(issuesIn(invalidParams('tools/call', 'grep', error, 'arguments'))).toEqual([
      'arguments.paths.1 too_small',
      'arguments.paths.3 invalid_type',
    ]);
  });

  it('stays small and clean however hostile the call', () => {
    const env = Object.fromEntries(
      Array.from({ length: 5000 }, (_, index) => [`\u001b[31m${'k'.repeat(5000)}${index}`, '']),
    );
    const answer = invalidParams('tools/call', 'bash', refusal(BASH.input, { command: 'x', env }), 'arguments');
    expect(answer.data.issues).toHaveLength(20);
    expect(JSON.stringify(answer).length).toBeLessThan(50_000);
    expect(answer.data.issues[0]?.path.startsWith('arguments.env.\uFFFD[31mkkk')).toBe(true);
  });
});

describe('unknownTool', () => {
  it('is a wrong value of params.name', () => {
    expect(unknownTool('rm').data).toEqual({
      jeeves: { schemaVersion: 1 },
      method: 'tools/call',
      tool: 'rm',
      issues: [{ path: 'name', code: 'invalid_value', message: 'invalid_value' }],
    });
  });
});

describe('invalidParamsText', () => {
  it('names every offending field', () => {
    const text = textOf(READ, { file_pth: 'a', max_output_bytes: 1 });
    expect(text.split('\n')[0]).toBe('invalid_params: the arguments of read are invalid');
    expect(text).toMatch(/^- file_path: .+$/m);
    expect(text).toMatch(/^- max_output_bytes: .+$/m);
    expect(text).toMatch(/^- file_pth: no such argument$/m);
  });

  it('says where in a nested value', () => {
    expect(textOf(BASH, { command: 'ls', env: { LD_PRELOAD: 'x' } })).toMatch(/^- env\.LD_PRELOAD: /m);
  });

  const worded: [ToolDefinition, object, string][] = [
    [RECOVER_TEXT, { prune_id: 'prn_1' }, '- ranges: give either ranges or query'],
    [RECOVER_TEXT, { prune_id: 'prn_1', ranges: [], query: 'x' }, '- ranges: give either ranges or query'],
    [GREP, { pattern: 'x', path: 'a', paths: ['b'] }, '- paths: give path or paths, not both'],
    [READ, { file_path: 'a', start_line: 2, end_line: 1 }, '- end_line: end_line is before start_line'],
    [READ, { file_path: 'a\0b' }, '- file_path: contains a NUL character'],
    [BASH, { command: 'ls', env: { A: '\0' } }, '- env.A: contains a NUL character'],
    [BASH, { command: 'ls', env: { LD_PRELOAD: 'x' } }, '- env.LD_PRELOAD: this variable is refused'],
    [
      BASH,
      { command: 'ls', env: { lower: 'x' } },
      '- env.lower: a name is upper-case letters, digits and _, and does not begin with a digit',
    ],
    [CONTEXT_STASH, {}, '- segment_ids: give segment_ids, filters, query or segments'],
    [CONTEXT_STASH, { filters: { created_after: 'noon' } }, '- filters.created_after: not an ISO 8601 time'],
  ];
  it.each(worded.map(([tool, args, line]) => [line, tool, args] as const))('says "%s"', (line, tool, args) => {
    expect(textOf(tool, args).split('\n').slice(1)).toEqual([line]);
  });

  it('keeps control characters of hostile keys out', () => {
    expect(textOf(READ, { file_path: 'a', 'x\n- y\u001b': 1 })).toContain('- x\uFFFD- y\uFFFD: no such argument');
  });
});

function refusal(schema: ZodType, value: unknown): ZodError {
  const { error } = schema.safeParse(value);
  if (error === undefined) throw new Error('the value was accepted');
  return error;
}

function textOf(tool: ToolDefinition, args: unknown): string {
  return invalidParamsText(tool.name, refusal(tool.input, args));
}

function issuesIn(answer: ReturnType<typeof invalidParams>): string[] {
  return answer.data.issues.map((issue) => `${issue.path} ${issue.code}`);
}

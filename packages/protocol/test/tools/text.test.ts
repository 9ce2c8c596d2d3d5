import { HEALTH, PRUNE_TEXT, RECOVER_TEXT, RPC_RECOVER_TEXT, RPC_TOOLS, toolInputSchema } from '@jeeves/protocol';
import { describe, expect, it } from 'vitest';
import { brief, issuesOf } from '../issues.ts';

const options = {
  max_prune_ratio: 0.5,
  min_keep_lines: 1,
  timeout_ms: 1500,
  annotate_lines: true,
  include_markers: true,
};
const prune = { text: 'a', goal_hint: 'b', source_type: 'code', options };
const range = { start_line: 1, end_line: 2 };

describe('the schemas of seed 002 §4.0', () => {
  const listed = RPC_TOOLS.map((tool) => [tool.name, JSON.stringify(toolInputSchema(tool))]);

  it('are listed over /rpc word for word', () => {
    expect(listed).toEqual([
      [
        'prune_text',
        '{"type":"object","properties":{"text":{"type":"string"},"goal_hint":{"type":"string"},"source_type":{"type":"string","enum":["code","logs","docs"]},"options":{"type":"object","properties":{"max_prune_ratio":{"type":"number","minimum":0,"maximum":1},"min_keep_lines":{"type":"integer","minimum":0},"timeout_ms":{"type":"integer","minimum":1},"annotate_lines":{"type":"boolean"},"include_markers":{"type":"boolean"}},"required":["max_prune_ratio","min_keep_lines","timeout_ms","annotate_lines","include_markers"],"additionalProperties":false}},"required":["text","goal_hint","source_type","options"],"additionalProperties":false}',
      ],
      [
        'recover_text',
        '{"type":"object","properties":{"prune_id":{"type":"string"},"ranges":{"type":"array","items":{"type":"object","properties":{"start_line":{"type":"integer","minimum":1},"end_line":{"type":"integer","minimum":1}},"required":["start_line","end_line"],"additionalProperties":false}},"include_line_numbers":{"type":"boolean"}},"required":["prune_id","ranges","include_line_numbers"],"additionalProperties":false}',
      ],
      ['health', '{"type":"object","properties":{},"additionalProperties":false}'],
    ]);
  });
});

describe('prune_text', () => {
  it.each([
    {},
    { text: '', goal_hint: '' },
    { source_type: 'logs' },
    { source_type: 'docs' },
    { options: { ...options, max_prune_ratio: 0 } },
    { options: { ...options, max_prune_ratio: 1 } },
    { options: { ...options, min_keep_lines: 0 } },
    { options: { ...options, timeout_ms: 1 } },
  ])('takes %j', (args) => {
    expect(issuesOf(PRUNE_TEXT, { ...prune, ...args })).toEqual([]);
  });

  const refused: [object, string[]][] = [
    [{ text: undefined }, ['text invalid_type']],
    [{ goal_hint: undefined }, ['goal_hint invalid_type']],
    [{ goal_hint: 1 }, ['goal_hint invalid_type']],
    [{ source_type: undefined }, ['source_type invalid_value']],
    [{ source_type: 'html' }, ['source_type invalid_value']],
    [{ options: undefined }, ['options invalid_type']],
    [{ options: { ...options, max_prune_ratio: -0.1 } }, ['options.max_prune_ratio too_small']],
    [{ options: { ...options, max_prune_ratio: 1.1 } }, ['options.max_prune_ratio too_big']],
    [{ options: { ...options, max_prune_ratio: '0.5' } }, ['options.max_prune_ratio invalid_type']],
    [{ options: { ...options, min_keep_lines: -1 } }, ['options.min_keep_lines too_small']],
    [{ options: { ...options, min_keep_lines: 1.5 } }, ['options.min_keep_lines invalid_type']],
    [{ options: { ...options, timeout_ms: 0 } }, ['options.timeout_ms too_small']],
    [{ options: { ...options, annotate_lines: undefined } }, ['options.annotate_lines invalid_type']],
    [{ options: { ...options, include_markers: 'no' } }, ['options.include_markers invalid_type']],
    [{ options: { ...options, extra: 1 } }, ['options unrecognized_keys']],
    [{ extra: 1 }, [' unrecognized_keys']],
  ];
  it.each(refused.map(([args, issues]) => [brief(args), args, issues] as const))('refuses %s', (_, args, issues) => {
    expect(issuesOf(PRUNE_TEXT, { ...prune, ...args })).toEqual(issues);
  });
});

describe('recover_text', () => {
  it.each([
    { ranges: [range] },
    { ranges: [] },
    { query: 'the failing test' },
    { ranges: [range], include_line_numbers: true },
  ])('takes %j', (args) => {
    expect(issuesOf(RECOVER_TEXT, { prune_id: 'prn_1', ...args })).toEqual([]);
  });

  it('leaves wrong line numbers to the tool, which answers invalid_range', () => {
    for (const lines of [
      { start_line: 0, end_line: 2 },
      { start_line: 3, end_line: 2 },
      { start_line: -5, end_line: -1 },
    ]) {
      expect(issuesOf(RECOVER_TEXT, { prune_id: 'prn_1', ranges: [lines] })).toEqual([]);
      expect(issuesOf(RPC_RECOVER_TEXT, { prune_id: 'prn_1', ranges: [lines], include_line_numbers: true })).toEqual(
        [],
      );
    }
  });

  const refused: [object, string[]][] = [
    [{ prune_id: 'prn_1' }, ['ranges custom']],
    [{ prune_id: 'prn_1', ranges: [range], query: 'x' }, ['ranges custom']],
    [{ ranges: [range] }, ['prune_id invalid_type']],
    [{ prune_id: 1, ranges: [range] }, ['prune_id invalid_type']],
    [{ prune_id: 'prn_1', ranges: range }, ['ranges invalid_type']],
    [{ prune_id: 'prn_1', ranges: [{ start_line: 1 }] }, ['ranges.0.end_line invalid_type']],
    [{ prune_id: 'prn_1', ranges: [{ start_line: '1', end_line: 2 }] }, ['ranges.0.start_line invalid_type']],
    [{ prune_id: 'prn_1', ranges: [{ start_line: 1.5, end_line: 2 }] }, ['ranges.0.start_line invalid_type']],
    [{ prune_id: 'prn_1', ranges: [{ ...range, step: 1 }] }, ['ranges.0 unrecognized_keys']],
    [{ prune_id: 'prn_1', query: '  ' }, ['query too_small']],
    [{ prune_id: 'prn_1', query: 'x'.repeat(1001) }, ['query too_big']],
    [{ prune_id: 'prn_1', ranges: [range], include_line_numbers: 1 }, ['include_line_numbers invalid_type']],
  ];
  it.each(refused.map(([args, issues]) => [brief(args), args, issues] as const))('refuses %s', (_, args, issues) => {
    expect(issuesOf(RECOVER_TEXT, args)).toEqual(issues);
  });

  it('needs all three arguments over /rpc, and knows no query there', () => {
    expect(issuesOf(RPC_RECOVER_TEXT, { prune_id: 'prn_1', query: 'x' })).toEqual([
      ' unrecognized_keys',
      'include_line_numbers invalid_type',
      'ranges invalid_type',
    ]);
  });
});

describe('health', () => {
  it('takes no arguments', () => {
    expect(issuesOf(HEALTH, {})).toEqual([]);
    expect(issuesOf(HEALTH, { verbose: true })).toEqual([' unrecognized_keys']);
  });
});

import { CONTEXT_ANALYZE_USAGE, CONTEXT_SEARCH_STASHED, CONTEXT_STASH, findTool, TOOL_SETS } from '@jeeves/protocol';
import { describe, expect, it, vi } from 'vitest';
import { brief, issuesOf } from '../issues.ts';

const usage = { token_usage: { current: 25_000, limit: 32_000 } };

describe('accepted arguments', () => {
  const accepted: [string, object][] = [
    ['analyze_usage', { project_id: 'p' }],
    ['analyze_usage', { project_id: '../../etc', task_id: 't', token_limit: 1 }],
    ['analyze_usage', { project_id: 'p', context_descriptors: usage }],
    ['analyze_usage', { project_id: 'p', context_descriptors: JSON.stringify(usage) }],
    [
      'analyze_usage',
      { project_id: 'p', context_descriptors: { ...usage, current_file: null, task_info: null, mood: 'calm' } },
    ],
    ['get_working_set', { project_id: 'p' }],
    ['get_working_set', { project_id: 'a\0b 🛒'.repeat(2000), task_id: '\0' }],
    ['gc_analyze', { project_id: 'p', target_tokens: 1 }],
    ['gc_prune', { project_id: 'p', segment_ids: ['a'], action: 'stash' }],
    ['gc_prune', { project_id: 'p', segment_ids: ['a'], action: 'delete', confirm: true }],
    ['gc_pin', { project_id: 'p', segment_ids: ['a', 'b'] }],
    ['gc_unpin', { project_id: 'p', segment_ids: ['a'] }],
    ['stash', { segment_ids: ['a'] }],
    ['stash', { filters: {} }],
    ['stash', { filters: '{"type":"log"}' }],
    ['stash', { query: 'old logs' }],
    ['stash', { segments: ['a text', { text: 'b', type: 'log', tags: ['x'], file_path: 'f', task_id: 't' }] }],
    ['stash', { segments: [{ segment_id: 'log-17', text: 'b', topic_id: 'x' }] }],
    ['search_stashed', {}],
    ['search_stashed', { filters: { created_after: '2026-01-31', created_before: '2026-01-31T10:20:30.123+02:00' } }],
    ['search_stashed', { limit: 1000 }],
    ['retrieve_stashed', {}],
    ['retrieve_stashed', { segment_ids: ['a'], move_to_active: true, goal: 'Why 401?' }],
    ['list_projects', {}],
    ['set_current_task', { project_id: 'p', task_id: 't' }],
    ['set_current_task', { project_id: 'p', task_id: null }],
    ['get_task_context', { project_id: 'p', restore_snapshot_id: 's' }],
    ['create_task_snapshot', { project_id: 'p', task_id: 't', name: 'before' }],
  ];
  it.each(accepted.map(([tool, args]) => [tool, brief(args), args] as const))(
    'context_%s takes %s',
    (tool, _, args) => {
      expect(issues(tool, args)).toEqual([]);
    },
  );
});

describe('refused arguments', () => {
  const refused: [string, object, string[]][] = [
    ['analyze_usage', {}, ['project_id invalid_type']],
    ['analyze_usage', { project_id: '' }, ['project_id too_small']],
    ['analyze_usage', { project_id: 'x'.repeat(16_385) }, ['project_id too_big']],
    ['analyze_usage', { project_id: 'p', token_limit: 0 }, ['token_limit too_small']],
    ['analyze_usage', { project_id: 'p', context_descriptors: {} }, ['context_descriptors.token_usage invalid_type']],
    ['analyze_usage', { project_id: 'p', context_descriptors: '{' }, ['context_descriptors invalid_type']],
    ['analyze_usage', { project_id: 'p', context_descriptors: '[]' }, ['context_descriptors invalid_type']],
    [
      'analyze_usage',
      { project_id: 'p', context_descriptors: { token_usage: { current: -1, limit: 0 } } },
      ['context_descriptors.token_usage.current too_small', 'context_descriptors.token_usage.limit too_small'],
    ],
    [
      'analyze_usage',
      { project_id: 'p', context_descriptors: { ...usage, recent_messages: [{ role: 'tool', content: '' }] } },
      ['context_descriptors.recent_messages.0.role invalid_value'],
    ],
    [
      'analyze_usage',
      {
        project_id: 'p',
        context_descriptors: {
          ...usage,
          segment_summaries: [{ segment_id: 'a', type: 'dream', preview: '', tokens: 1 }],
        },
      },
      ['context_descriptors.segment_summaries.0.type invalid_value'],
    ],
    ['gc_analyze', { project_id: 'p', target_tokens: 0.5 }, ['target_tokens invalid_type']],
    ['gc_prune', { project_id: 'p', segment_ids: ['a'] }, ['action invalid_value']],
    ['gc_prune', { project_id: 'p', segment_ids: ['a'], action: 'archive' }, ['action invalid_value']],
    ['gc_prune', { project_id: 'p', segment_ids: [], action: 'stash' }, ['segment_ids too_small']],
    ['gc_prune', { project_id: 'p', segment_ids: 'a', action: 'stash' }, ['segment_ids invalid_type']],
    ['gc_pin', { project_id: 'p', segment_ids: ['a', ''] }, ['segment_ids.1 too_small']],
    ['stash', {}, ['segment_ids custom']],
    ['stash', { project_id: 'p' }, ['segment_ids custom']],
    ['stash', { segments: [] }, ['segments too_small']],
    ['stash', { segments: [''] }, ['segments.0.text too_small']],
    ['stash', { segments: [{ text: 'a', kind: 'log' }] }, ['segments.0 unrecognized_keys']],
    ['stash', { filters: { colour: 'red' } }, ['filters unrecognized_keys']],
    ['stash', { filters: 'type=log' }, ['filters invalid_type']],
    ['search_stashed', { query: ' ' }, ['query too_small']],
    ['search_stashed', { limit: 0 }, ['limit too_small']],
    ['search_stashed', { limit: 1001 }, ['limit too_big']],
    ['search_stashed', { filters: { created_after: 'yesterday' } }, ['filters.created_after custom']],
    ['search_stashed', { filters: { created_after: '2026-13-45' } }, ['filters.created_after custom']],
    ['list_projects', { all: true }, [' unrecognized_keys']],
    ['set_current_task', { project_id: 'p' }, ['task_id invalid_type']],
    ['create_task_snapshot', { task_id: 't' }, ['project_id invalid_type']],
  ];
  it.each(refused.map(([tool, args, expected]) => [tool, brief(args), args, expected] as const))(
    'context_%s refuses %s',
    (tool, _, args, expected) => {
      expect(issues(tool, args)).toEqual(expected);
    },
  );
});

describe('what a call becomes', () => {
  it('descriptors are the same, given as an object or as JSON', () => {
    const asObject = CONTEXT_ANALYZE_USAGE.input.parse({ project_id: 'p', context_descriptors: usage });
    expect(asObject).toEqual({
      project_id: 'p',
      context_descriptors: {
        recent_messages: [],
        segment_summaries: [],
        token_usage: { current: 25_000, limit: 32_000 },
      },
    });
    expect(CONTEXT_ANALYZE_USAGE.input.parse({ project_id: 'p', context_descriptors: JSON.stringify(usage) })).toEqual(
      asObject,
    );
  });

  it('an inline text becomes a note of the default project', () => {
    expect(CONTEXT_STASH.input.parse({ segments: ['a text'] })).toEqual({
      project_id: 'default',
      segments: [{ text: 'a text', type: 'note', tags: [] }],
    });
  });

  const times: [string, string][] = [
    ['2026-01-31', '2026-01-31T00:00:00.000Z'],
    ['2026-01-31T10:20', '2026-01-31T10:20:00.000Z'],
    ['2026-01-31 10:20:30', '2026-01-31T10:20:30.000Z'],
    ['2026-01-31T10:20:30.123456Z', '2026-01-31T10:20:30.123Z'],
    ['2026-01-31T01:20:30+02:00', '2026-01-30T23:20:30.000Z'],
  ];
  it.each(times)('the time %s is %s', (written, utc) => {
    const args = CONTEXT_SEARCH_STASHED.input.parse({ filters: { created_after: written } });
    expect(args.filters).toEqual({ created_after: utc });
  });

  it('a time without a zone is UTC on any machine', () => {
    vi.stubEnv('TZ', 'Asia/Tokyo');
    const args = CONTEXT_SEARCH_STASHED.input.parse({ filters: { created_after: '2026-01-31T10:20' } });
    vi.unstubAllEnvs();
    expect(args.filters).toEqual({ created_after: '2026-01-31T10:20:00.000Z' });
  });

  it('a search without a project is one of the caller’s own', () => {
    expect(CONTEXT_SEARCH_STASHED.input.parse({})).toEqual({ project_id: 'default', all_projects: false, limit: 50 });
  });
});

function issues(tool: string, args: object): string[] {
  const found = findTool(`context_${tool}`, TOOL_SETS.context);
  if (found === undefined) throw new Error(`no tool context_${tool}`);
  return issuesOf(found, args);
}

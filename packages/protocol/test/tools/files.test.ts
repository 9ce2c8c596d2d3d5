import { BASH, GREP, READ } from '@jeeves/protocol';
import { describe, expect, it } from 'vitest';
import { brief, issuesOf } from '../issues.ts';

const tools = { read: READ, bash: BASH, grep: GREP };
const smallest = { read: { file_path: 'a' }, bash: { command: 'a' }, grep: { pattern: 'a' } };
type Tool = keyof typeof tools;

describe('accepted arguments', () => {
  const accepted: [Tool, object][] = [
    ['read', {}],
    ['read', { file_path: 'a b/ü.ts' }],
    ['read', { file_path: 'x'.repeat(4096) }],
    ['read', { encoding: 'utf-8' }],
    ['read', { start_line: 1 }],
    ['read', { end_line: 1 }],
    ['read', { start_line: 7, end_line: 7 }],
    ['bash', {}],
    ['bash', { command: ' ' }],
    ['bash', { command: 'x'.repeat(50_000) }],
    ['bash', { cwd: '../elsewhere' }],
    ['bash', { env: {} }],
    ['bash', { env: { A: '', _B1: 'x'.repeat(4000), PATH: '/bin', LDX: 'y' } }],
    ['bash', { env: entries(200) }],
    ['bash', { timeout_ms: 100 }],
    ['bash', { timeout_ms: 300_000 }],
    ['grep', {}],
    ['grep', { pattern: '-e' }],
    ['grep', { pattern: 'x'.repeat(10_000) }],
    ['grep', { path: 'src' }],
    ['grep', { paths: ['a'] }],
    ['grep', { paths: Array.from({ length: 100 }, () => 'a') }],
    ['grep', { fixed_string: true, case_sensitive: false }],
    ['grep', { max_matches: 1 }],
    ['grep', { max_matches: 5000 }],
    ['grep', { context_lines: 0 }],
    ['grep', { context_lines: 50 }],
    ['grep', { timeout_ms: 100 }],
    ['grep', { timeout_ms: 300_000 }],
  ];
  it.each(accepted.map(([tool, args]) => [tool, brief(args), args] as const))('%s takes %s', (tool, _, args) => {
    expect(issuesOf(tools[tool], { ...smallest[tool], ...args })).toEqual([]);
  });

  const common = [
    { context_focus_question: 'Why?' },
    { context_focus_question: 'x'.repeat(1000) },
    { max_output_bytes: 1024 },
    { max_output_bytes: 10_485_760 },
  ];
  it.each(common.map((args) => [brief(args), args] as const))('every tool takes %s', (_, args) => {
    for (const tool of ['read', 'bash', 'grep'] as const) {
      expect(issuesOf(tools[tool], { ...smallest[tool], ...args })).toEqual([]);
    }
  });
});

describe('refused arguments', () => {
  const refused: [Tool, object, string[]][] = [
    ['read', { file_path: undefined }, ['file_path invalid_type']],
    ['read', { file_path: '' }, ['file_path too_small']],
    ['read', { file_path: 'a\0b' }, ['file_path invalid_format']],
    ['read', { file_path: 'x'.repeat(4097) }, ['file_path too_big']],
    ['read', { file_path: ['a'] }, ['file_path invalid_type']],
    ['read', { encoding: 'latin1' }, ['encoding invalid_value']],
    ['read', { encoding: null }, ['encoding invalid_value']],
    ['read', { start_line: 0 }, ['start_line too_small']],
    ['read', { start_line: 1.5 }, ['start_line invalid_type']],
    ['read', { end_line: 0 }, ['end_line too_small']],
    ['read', { start_line: 9, end_line: 8 }, ['end_line custom']],
    ['read', { path: 'a' }, [' unrecognized_keys']],
    [
      'read',
      { file_path: '', max_output_bytes: 1, colour: 1 },
      [' unrecognized_keys', 'file_path too_small', 'max_output_bytes too_small'],
    ],
    ['bash', { command: undefined }, ['command invalid_type']],
    ['bash', { command: '' }, ['command too_small']],
    ['bash', { command: 'x'.repeat(50_001) }, ['command too_big']],
    ['bash', { command: 'a\0b' }, ['command invalid_format']],
    ['bash', { cwd: '' }, ['cwd too_small']],
    ['bash', { cwd: 'x'.repeat(4097) }, ['cwd too_big']],
    ['bash', { cwd: '\0' }, ['cwd invalid_format']],
    ['bash', { env: [] }, ['env invalid_type']],
    ['bash', { env: { lower: 'x' } }, ['env.lower invalid_key']],
    ['bash', { env: { '1A': 'x' } }, ['env.1A invalid_key']],
    ['bash', { env: { '': 'x' } }, ['env. invalid_key']],
    ['bash', { env: { A: 1 } }, ['env.A invalid_type']],
    ['bash', { env: { A: 'x'.repeat(4001) } }, ['env.A too_big']],
    ['bash', { env: { A: '\0' } }, ['env.A invalid_format']],
    ['bash', { env: { LD_PRELOAD: 'x' } }, ['env.LD_PRELOAD invalid_key']],
    ['bash', { env: { LD_AUDIT: '' } }, ['env.LD_AUDIT invalid_key']],
    ['bash', { env: { DYLD_INSERT_LIBRARIES: 'x' } }, ['env.DYLD_INSERT_LIBRARIES invalid_key']],
    ['bash', { env: { BASH_ENV: 'x' } }, ['env.BASH_ENV invalid_key']],
    ['bash', { env: { NODE_OPTIONS: 'x' } }, ['env.NODE_OPTIONS invalid_key']],
    ['bash', { env: entries(201) }, ['env too_big']],
    ['bash', { timeout_ms: 99 }, ['timeout_ms too_small']],
    ['bash', { timeout_ms: 300_001 }, ['timeout_ms too_big']],
    ['bash', { timeout_ms: '1000' }, ['timeout_ms invalid_type']],
    ['bash', { timeout_ms: null }, ['timeout_ms invalid_type']],
    ['bash', { cmd: 'ls' }, [' unrecognized_keys']],
    ['grep', { pattern: undefined }, ['pattern invalid_type']],
    ['grep', { pattern: '' }, ['pattern too_small']],
    ['grep', { pattern: 'x'.repeat(10_001) }, ['pattern too_big']],
    ['grep', { pattern: '\0' }, ['pattern invalid_format']],
    ['grep', { path: '' }, ['path too_small']],
    ['grep', { path: 'x'.repeat(4097) }, ['path too_big']],
    ['grep', { cwd: 'x'.repeat(4097) }, ['cwd too_big']],
    ['grep', { paths: ['x'.repeat(4097)] }, ['paths.0 too_big']],
    ['grep', { path: 'a', paths: ['b'] }, ['paths custom']],
    ['grep', { paths: [] }, ['paths too_small']],
    ['grep', { paths: Array.from({ length: 101 }, () => 'a') }, ['paths too_big']],
    ['grep', { paths: ['a', ''] }, ['paths.1 too_small']],
    ['grep', { paths: ['a', '\0'] }, ['paths.1 invalid_format']],
    ['grep', { fixed_string: 'yes' }, ['fixed_string invalid_type']],
    ['grep', { case_sensitive: 1 }, ['case_sensitive invalid_type']],
    ['grep', { max_matches: 0 }, ['max_matches too_small']],
    ['grep', { max_matches: 5001 }, ['max_matches too_big']],
    ['grep', { context_lines: -1 }, ['context_lines too_small']],
    ['grep', { context_lines: 51 }, ['context_lines too_big']],
    ['grep', { timeout_ms: 99 }, ['timeout_ms too_small']],
    ['grep', { timeout_ms: 300_001 }, ['timeout_ms too_big']],
  ];
  it.each(refused.map(([tool, args, issues]) => [tool, brief(args), args, issues] as const))(
    '%s refuses %s',
    (tool, _, args, issues) => {
      expect(issuesOf(tools[tool], { ...smallest[tool], ...args })).toEqual(issues);
    },
  );

  const common: [object, string[]][] = [
    [{ context_focus_question: '' }, ['context_focus_question too_small']],
    [{ context_focus_question: ' \n\t ' }, ['context_focus_question too_small']],
    [{ context_focus_question: 'x'.repeat(1001) }, ['context_focus_question too_big']],
    [
      { context_focus_question: ' '.repeat(1001) },
      ['context_focus_question too_big', 'context_focus_question too_small'],
    ],
    [{ context_focus_question: 7 }, ['context_focus_question invalid_type']],
    [{ max_output_bytes: 1023 }, ['max_output_bytes too_small']],
    [{ max_output_bytes: 10_485_761 }, ['max_output_bytes too_big']],
    [{ max_output_bytes: 2048.5 }, ['max_output_bytes invalid_type']],
    [{ max_output_bytes: '2048' }, ['max_output_bytes invalid_type']],
    [JSON.parse('{"__proto__": {"command": "ls"}}') as object, [' unrecognized_keys']],
  ];
  it.each(common.map(([args, issues]) => [brief(args), args, issues] as const))(
    'every tool refuses %s',
    (_, args, issues) => {
      for (const tool of ['read', 'bash', 'grep'] as const) {
        expect(issuesOf(tools[tool], withOwnKeys(smallest[tool], args))).toEqual(issues);
      }
    },
  );

  it.each([[null], [undefined], ['read'], [[]], [3]])('no tool takes %j for its arguments', (args) => {
    for (const tool of Object.values(tools)) expect(issuesOf(tool, args)).toEqual([' invalid_type']);
  });
});

describe('defaults', () => {
  it('are filled in, and a question is trimmed', () => {
    expect(READ.input.parse({ file_path: 'a', context_focus_question: ' Why?\n' })).toEqual({
      file_path: 'a',
      encoding: 'utf-8',
      context_focus_question: 'Why?',
    });
    expect(BASH.input.parse({ command: 'ls' })).toEqual({ command: 'ls', timeout_ms: 30_000 });
    expect(GREP.input.parse({ pattern: 'x' })).toEqual({
      pattern: 'x',
      fixed_string: false,
      case_sensitive: true,
      context_lines: 0,
      max_matches: 500,
      timeout_ms: 30_000,
    });
  });
});

function entries(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`V${index}`, 'x']));
}

// A spread would set the prototype where the key is `__proto__`.
function withOwnKeys(base: object, extra: object): object {
  const merged = { ...base };
  for (const [key, value] of Object.entries(extra)) {
    Object.defineProperty(merged, key, { value, enumerable: true });
  }
  return merged;
}

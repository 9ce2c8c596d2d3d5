import { BASH, GREP, PRUNE_TEXT, READ, RECOVER_TEXT, RPC_RECOVER_TEXT, type ToolDefinition } from '@jeeves/protocol';
import { describe, expect } from 'vitest';
import { verifies } from '../../verifies.ts';

/** Checks that a tool takes each of the first arguments and refuses each of the others. */
function decides(tool: ToolDefinition, base: object, good: readonly object[], bad: readonly object[]): void {
  const taken = (args: object) => tool.input.safeParse({ ...base, ...args }).success;
  for (const args of good) expect(taken(args), `${tool.name} takes ${brief(args)}`).toBe(true);
  for (const args of bad) expect(taken(args), `${tool.name} refuses ${brief(args)}`).toBe(false);
}

const OPTIONS = {
  max_prune_ratio: 0.5,
  min_keep_lines: 1,
  timeout_ms: 1,
  annotate_lines: true,
  include_markers: false,
};

function option(changed: object): object {
  return { options: { ...OPTIONS, ...changed } };
}

function range(start_line: unknown, end_line: unknown): object {
  return { ranges: [{ start_line, end_line }] };
}

function paths(count: number): object {
  return { paths: Array.from({ length: count }, (_, at) => `p${at}`) };
}

function many(count: number): object {
  return { env: Object.fromEntries(Array.from({ length: count }, (_, at) => [`V_${at}`, 'x'])) };
}

/** Makes arguments of values for one field. */
function field(name: string): (value: unknown) => object {
  return (value) => ({ [name]: value });
}

function brief(args: object): string {
  return JSON.stringify(args).slice(0, 80);
}

const FILE = { file_path: 'a.txt' };
const COMMAND = { command: 'true' };
const PATTERN = { pattern: 'x' };
const EVERY = [
  [READ, FILE],
  [BASH, COMMAND],
  [GREP, PATTERN],
] as const;

describe('file tools', () => {
  verifies('files.read.args.file-path', 'read needs a path without NUL', () => {
    const bad = [{ file_path: '' }, { file_path: undefined }, { file_path: 7 }, { file_path: 'a\0b' }];
    decides(READ, {}, [FILE, { file_path: '/etc/passwd' }, { file_path: '../x' }], bad);
  });

  verifies('files.read.args.encoding', 'read knows one encoding', () => {
    decides(
      READ,
      FILE,
      [{}, { encoding: 'utf-8' }],
      [{ encoding: 'utf8' }, { encoding: 'latin1' }, { encoding: null }],
    );
    expect(READ.input.parse(FILE)).toMatchObject({ encoding: 'utf-8' });
  });

  verifies('files.args.focus-question', 'a focus question is 1 to 1,000 characters of something', () => {
    const question = field('context_focus_question');
    const good = [{}, question('x'), question('x'.repeat(1000)), question('  x  ')];
    const bad = [question(''), question('  \n\t'), question('x'.repeat(1001)), question(7), question(null)];
    for (const [tool, base] of EVERY) decides(tool, base, good, bad);
  });

  verifies('files.args.max-output-bytes', 'an output limit is an integer from 1,024 to 10,485,760', () => {
    const limit = field('max_output_bytes');
    const bad = [limit(1023), limit(10_485_761), limit(2048.5), limit('2048'), limit(Number.NaN)];
    for (const [tool, base] of EVERY) decides(tool, base, [{}, limit(1024), limit(10_485_760)], bad);
  });

  verifies('files.args.timeout-ms', 'a timeout is an integer from 100 to 300,000, 30,000 if none is given', () => {
    const timeout = field('timeout_ms');
    const bad = [timeout(99), timeout(300_001), timeout(100.5), timeout('100')];
    for (const [tool, base] of [EVERY[1], EVERY[2]] as const) {
      decides(tool, base, [{}, timeout(100), timeout(300_000)], bad);
      expect(tool.input.parse(base)).toMatchObject({ timeout_ms: 30_000 });
    }
  });

  verifies('files.bash.args.command', 'a command has 1 to 50,000 characters', () => {
    const command = field('command');
    decides(
      BASH,
      {},
      [COMMAND, command('x'.repeat(50_000))],
      [{}, command(''), command('x'.repeat(50_001)), command(7)],
    );
  });

  verifies(
    ['files.bash.args.cwd', 'files.grep.args.cwd'],
    'a cwd is a string; whether it is inside the root is not the schema’s business',
    () => {
      const bad = [{ cwd: '' }, { cwd: 7 }, { cwd: null }, { cwd: 'a\0b' }];
      for (const [tool, base] of [EVERY[1], EVERY[2]] as const)
        decides(tool, base, [{}, { cwd: 'src' }, { cwd: '/outside' }], bad);
    },
  );

  verifies('files.bash.args.env', 'env has upper-case names, values to 4,000 characters and 200 entries', () => {
    const good = [{ env: {} }, { env: { _A1: '' } }, { env: { PATH: 'x'.repeat(4000) } }, many(200)];
    const bad = [
      { env: { lower: 'x' } },
      { env: { '1A': 'x' } },
      { env: { A: 'x'.repeat(4001) } },
      { env: { A: 1 } },
      { env: [] },
      many(201),
    ];
    decides(BASH, COMMAND, good, bad);
  });

  verifies('files.bash.args.env-refused', 'env cannot load code into programs', () => {
    const names = ['LD_PRELOAD', 'LD_LIBRARY_PATH', 'BASH_ENV', 'NODE_OPTIONS'];
    decides(
      BASH,
      COMMAND,
      [{ env: { LDAP: 'x' } }],
      names.map((name) => ({ env: { [name]: 'x' } })),
    );
  });

  verifies('files.grep.args.pattern', 'a pattern has 1 to 10,000 characters', () => {
    const pattern = field('pattern');
    decides(
      GREP,
      {},
      [PATTERN, pattern('x'.repeat(10_000))],
      [{}, pattern(''), pattern('x'.repeat(10_001)), pattern(7)],
    );
  });

  verifies('files.grep.args.paths', 'paths are 1 to 100, and not beside a path', () => {
    const bad = [paths(0), paths(101), { ...paths(1), path: 'x' }, { paths: 'x' }, { paths: [7] }, { path: ['x'] }];
    decides(GREP, PATTERN, [{}, { path: 'src' }, paths(1), paths(100)], bad);
  });

  verifies('files.grep.args.flags', 'the two switches are booleans with their defaults', () => {
    decides(
      GREP,
      PATTERN,
      [{ fixed_string: true, case_sensitive: false }],
      [{ fixed_string: 'true' }, { case_sensitive: 1 }],
    );
    expect(GREP.input.parse(PATTERN)).toMatchObject({ fixed_string: false, case_sensitive: true });
  });

  verifies('files.grep.args.max-matches', 'a match limit is an integer from 1 to 5,000, 500 if none is given', () => {
    const matches = field('max_matches');
    decides(GREP, PATTERN, [matches(1), matches(5000)], [matches(0), matches(5001), matches(1.5), matches('1')]);
    expect(GREP.input.parse(PATTERN)).toMatchObject({ max_matches: 500 });
  });

  verifies('files.args.unknown-keys', 'an argument nobody knows is refused by that name', () => {
    for (const [tool, base] of EVERY) {
      const { error } = tool.input.safeParse({ ...base, path_to_file: 'x' });
      expect(error?.issues.map(({ code }) => code)).toEqual(['unrecognized_keys']);
    }
  });
});

describe('text tools', () => {
  const args = { text: '', goal_hint: '', source_type: 'code', options: OPTIONS };

  verifies('protocol.schema.prune-text-strict', 'prune_text takes exactly its fields', () => {
    const good = [
      {},
      { source_type: 'logs' },
      { source_type: 'docs' },
      option({ max_prune_ratio: 0 }),
      option({ max_prune_ratio: 1 }),
      option({ min_keep_lines: 0 }),
    ];
    const bad = [
      { text: undefined },
      { text: 7 },
      { goal_hint: undefined },
      { source_type: 'prose' },
      { source_type: undefined },
      { options: undefined },
      { extra: 1 },
      option({ max_prune_ratio: -0.1 }),
      option({ max_prune_ratio: 1.1 }),
      option({ max_prune_ratio: '0.5' }),
      option({ min_keep_lines: -1 }),
      option({ min_keep_lines: 1.5 }),
      option({ timeout_ms: 0 }),
      option({ timeout_ms: 1.5 }),
      option({ annotate_lines: 'yes' }),
      option({ include_markers: undefined }),
      option({ extra: 1 }),
    ];
    decides(PRUNE_TEXT, args, good, bad);
  });

  verifies(
    'protocol.schema.recover-types',
    'recover_text refuses wrong types and leaves wrong values to recovery',
    () => {
      const bad = [
        range('1', 2),
        range(1.5, 2),
        range(1, undefined),
        { ranges: 'x' },
        { ranges: [{ start_line: 1, end_line: 2, step: 1 }] },
        { prune_id: 7 },
      ];
      for (const tool of [RECOVER_TEXT, RPC_RECOVER_TEXT]) {
        const base = { prune_id: 'prn_x', include_line_numbers: false, ranges: [] };
        decides(tool, base, [range(1, 2), range(2, 1), range(0, 1), range(-5, 1), {}], bad);
      }
    },
  );

  verifies(
    'protocol.schema.recover-elsewhere',
    'outside /rpc it takes ranges or a query, not both and not neither',
    () => {
      const ranges = [{ start_line: 1, end_line: 2 }];
      const bad = [{}, { ranges, query: 'x' }, { query: '' }];
      decides(RECOVER_TEXT, { prune_id: 'prn_x' }, [{ ranges }, { query: 'timeouts' }], bad);
    },
  );
});

import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { GrepError, GrepResult } from '@jeeves/protocol';
import { describe, expect } from 'vitest';
import { ENTRY, type ServerProcess, temporaryDirectory } from '../../../../packages/mcp-pruner/test/harness.ts';
import { verifies } from '../../verifies.ts';
import {
  bashOf,
  eventsOf,
  type Files,
  failedGrepOf,
  grepOf,
  numberedLines,
  programs,
  pruningOf,
  sharedSite,
  site,
  structuredOf,
  textOf,
  withoutRipgrep,
} from './site.ts';

const TREE: Files = {
  'b.txt': 'zero\nneedle one\nmiddle\nneedle two\nend\n',
  'a/x.txt': 'a needle: here\n',
  'a-b/x.txt': 'Needle in capitals\n',
  'nested/deep/é.txt': 'ünï needle\n',
  'ignored.txt': 'needle ignored\n',
  '.ignore': 'ignored.txt\n',
  '.hidden/h.txt': 'needle hidden\n',
};
const server = sharedSite({ files: TREE });

/** A server that has only the system's grep to search with. */
function grepOnly(files: Files = TREE): Promise<ServerProcess> {
  return site({ files, nodeArgs: withoutRipgrep(), env: { PATH: programs({}, { grep: '/usr/bin/grep' }) } });
}

async function grep(args: object, on: ServerProcess = server()): Promise<GrepResult> {
  return grepOf(await on.call('grep', args));
}

function errorOf(result: Parameters<typeof structuredOf>[0]): GrepError['error'] {
  return failedGrepOf(result).error;
}

describe('a search', () => {
  verifies(
    [
      'files.grep.result',
      'files.grep.default-path',
      'files.grep.sorted',
      'files.grep.paths-relative',
      'files.grep.ignore-rules',
    ],
    'covers the root, sorted, with paths relative to it, and leaves out what ripgrep leaves out',
    async () => {
      const result = await server().call('grep', { pattern: 'needle' });
      expect(grepOf(result)).toEqual({
        tool: 'grep',
        pattern: 'needle',
        paths: ['.'],
        matches: [
          { path: 'a/x.txt', line: 1, column: 3, text: 'a needle: here' },
          { path: 'b.txt', line: 2, column: 1, text: 'needle one' },
          { path: 'b.txt', line: 4, column: 1, text: 'needle two' },
          { path: 'nested/deep/é.txt', line: 1, column: 5, text: 'ünï needle' },
        ],
        match_count: 4,
        truncated: false,
        duration_ms: expect.any(Number),
        pruning: { attempted: false, applied: false, fallback: false, reason: 'no_focus_question', raw_bytes: 104 },
      });
      expect(textOf(result)).toBe(
        'a/x.txt:1:3:a needle: here\nb.txt:2:1:needle one\nb.txt:4:1:needle two\nnested/deep/é.txt:1:5:ünï needle',
      );
    },
  );

  verifies('files.grep.no-match', 'without a match is a success', async () => {
    const result = await server().call('grep', { pattern: 'haystack' });
    expect(structuredOf(result)).toMatchObject({ matches: [], match_count: 0, truncated: false });
    expect(result.isError).toBeUndefined();
    expect(textOf(result)).toBe('[no matches]');
  });

  verifies('files.grep.fixed-string', 'takes the pattern literally, or case as equal, when asked', async () => {
    expect((await grep({ pattern: 'needle: h', fixed_string: true })).match_count).toBe(1);
    expect((await grep({ pattern: 'n.edle', fixed_string: true })).match_count).toBe(0);
    expect((await grep({ pattern: 'n.edle' })).match_count).toBe(4);
    expect((await grep({ pattern: 'NEEDLE', case_sensitive: false })).match_count).toBe(5);
  });

  verifies(
    'files.grep.paths-relative',
    'covers the paths or the directory that are named, also ignored ones',
    async () => {
      const named = await grep({ pattern: 'needle', paths: ['ignored.txt', 'a', join(server().root, 'b.txt')] });
      expect(named.paths).toEqual(['ignored.txt', 'a', 'b.txt']);
      expect(named.matches.map(({ path }) => path)).toEqual(['a/x.txt', 'b.txt', 'b.txt', 'ignored.txt']);
      for (const args of [{}, { path: '.' }, { path: 'deep' }, { paths: ['deep/é.txt'] }]) {
        const below = await grep({ pattern: 'needle', cwd: 'nested', ...args });
        expect(below.matches.map(({ path }) => path)).toEqual(['nested/deep/é.txt']);
      }
      const above = await grep({ pattern: 'needle', cwd: 'nested', paths: ['../a', join(server().root, 'b.txt')] });
      expect(above.paths).toEqual(['a', 'b.txt']);
    },
  );

  verifies('files.grep.context-lines', 'gives neighbours as arrays, and in the text each line once', async () => {
    const result = await server().call('grep', { pattern: 'needle', path: 'b.txt', context_lines: 1 });
    expect(grepOf(result).matches).toEqual([
      { path: 'b.txt', line: 2, column: 1, text: 'needle one', before: ['zero'], after: ['middle'] },
      { path: 'b.txt', line: 4, column: 1, text: 'needle two', before: ['middle'], after: ['end'] },
    ]);
    expect(textOf(result)).toBe(
      'b.txt-1-zero\nb.txt:2:1:needle one\nb.txt-3-middle\nb.txt:4:1:needle two\nb.txt-5-end',
    );
  });
});

describe('a search that finds too much', () => {
  verifies('files.grep.max-matches', 'stops at the number of matches', async () => {
    const result = await server().call('grep', { pattern: 'needle', max_matches: 2 });
    expect(structuredOf(result)).toMatchObject({ match_count: 2, truncated: true });
    expect(textOf(result).split('\n').at(-1)).toBe(
      '[stopped at 2 matches; narrow pattern or path, or raise max_matches]',
    );
  });

  verifies(['files.grep.max-bytes', 'files.max-output-bytes'], 'stops at the bytes of the matched lines', async () => {
    const { call } = await site({ files: { 'many.txt': numberedLines(500, () => 'x'.repeat(99)) } });
    const result = await call('grep', { pattern: 'x', max_output_bytes: 1024 });
    const { matches, truncated } = grepOf(result);
    expect(matches.reduce((sum, { text }) => sum + text.length, 0)).toBe(1024);
    expect(truncated).toBe(true);
    expect(textOf(result)).toMatch(
      /\n\[stopped at 1024 bytes of text; narrow pattern or path, or raise max_output_bytes\]$/,
    );
  });

  verifies(
    'files.implicit-cap',
    'shows an agent 40,000 bytes of lines, and only the matches that stand there',
    async () => {
      const { call } = await site({
        client: 'codex-mcp-client',
        files: { [`${'d'.repeat(150)}/many.txt`]: numberedLines(400) },
      });
      const result = await call('grep', { pattern: 'line' });
      const { matches, truncated, pruning, match_count } = grepOf(result);
      expect(Buffer.byteLength(textOf(result))).toBeLessThanOrEqual(40_000);
      const lines = textOf(result).split('\n');
      expect(lines.pop()).toBe(`⟦prune_id=${pruning.prune_id} · recover_text restores any range⟧`);
      expect(lines.filter((line) => !line.startsWith('⟦pruned '))).toHaveLength(matches.length);
      expect([matches.at(0)?.line, matches.at(-1)?.line]).toEqual([1, 400]);
      expect({ truncated, match_count }).toEqual({ truncated: true, match_count: 400 });
      const ranges = [{ start_line: 200, end_line: 200 }];
      const recovered = textOf(await call('recover_text', { prune_id: pruning.prune_id, ranges }));
      expect(recovered).toMatch(/many\.txt:200:1:line 200\n$/);
    },
  );
});

describe('a search that was stopped and whose list is cut as well', () => {
  verifies('files.implicit-cap', 'says why it stopped, and what is left out', async () => {
    const { call } = await site({
      client: 'codex-mcp-client',
      files: { [`${'d'.repeat(150)}/many.txt`]: numberedLines(1000) },
    });
    const result = await call('grep', { pattern: 'line', max_matches: 400 });
    const { truncated, match_count } = grepOf(result);
    const notices = textOf(result)
      .split('\n')
      .filter((line) => line.startsWith('['));
    expect(notices).toEqual(['[stopped at 400 matches; narrow pattern or path, or raise max_matches]']);
    expect({ truncated, match_count }).toEqual({ truncated: true, match_count: 400 });
  });
});

describe('a search that fails', () => {
  verifies(
    ['files.grep.invalid-path', 'files.grep.missing-path', 'files.errors.carry-pruning'],
    'for a path or directory outside the root, or a missing one, is `invalid_path`',
    async () => {
      const { root, call } = server();
      symlinkSync(temporaryDirectory(), join(root, 'a', 'way-out'));
      const wrong = [
        { path: '..' },
        { path: '/etc' },
        { path: 'a/way-out' },
        { path: 'nowhere' },
        { paths: ['a', '../x'] },
      ];
      for (const args of [...wrong, { cwd: '..' }, { cwd: 'nowhere' }, { cwd: 'b.txt' }]) {
        const result = await call('grep', { pattern: 'needle', ...args });
        expect([args, errorOf(result).code, result.isError]).toEqual([args, 'invalid_path', true]);
        expect(pruningOf(result)).toMatchObject({ attempted: false, reason: 'no_focus_question', raw_bytes: 0 });
      }
    },
  );

  verifies('files.grep.exit-codes', 'with exit code 2 and no match is `rg_error`, on both programs', async () => {
    for (const on of [server(), await grepOnly()]) {
      const result = await on.call('grep', { pattern: '(' });
      expect(errorOf(result)).toMatchObject({ code: 'rg_error', exit_code: 2 });
      expect(textOf(result)).toMatch(/^rg_error: /);
    }
  });

  verifies('files.grep.exit-codes', 'with exit code 2 beside matches is a truncated success', async () => {
    const rg = programs({ rg: `${realRipgrep()} "$@"; exit 2` });
    const { call } = await site({ files: TREE, env: { PATH: rg } });
    const result = await call('grep', { pattern: 'needle' });
    expect(structuredOf(result)).toMatchObject({ match_count: 4, truncated: true });
    expect(textOf(result)).toMatch(/\n\[some files could not be searched\]$/);
  });

  verifies(['files.grep.timeout', 'request.events.failed'], 'to end in time is killed and is `timeout`', async () => {
    const on = await site({
      files: TREE,
      env: { PATH: programs({ rg: 'echo $$ > "$HOME/pid"; exec /bin/sleep 60' }) },
    });
    const result = await on.call('grep', { pattern: 'needle', timeout_ms: 300 });
    expect(errorOf(result).code).toBe('timeout');
    const pid = readFileSync(join(on.root, 'pid'), 'utf8').trim();
    expect(existsSync(`/proc/${pid}`)).toBe(false);
    await on.until(() => eventsOf(on).includes('tool.exec_timeout'));
  });

  verifies('files.grep.spawn-error', 'for want of any search program is `spawn_error`', async () => {
    const { call } = await site({ files: TREE, nodeArgs: withoutRipgrep(), env: { PATH: programs({}) } });
    expect(errorOf(await call('grep', { pattern: 'needle' })).code).toBe('spawn_error');
  });
});

describe('the search program', () => {
  verifies('files.grep.rg-first', 'is `rg` of the path when there is one', async () => {
    const path = programs({ rg: `echo used > "$HOME/.used"; exec ${realRipgrep()} "$@"` });
    const { call, root } = await site({ files: TREE, env: { PATH: path } });
    expect(structuredOf(await call('grep', { pattern: 'needle' }))).toMatchObject({ match_count: 4 });
    expect(existsSync(join(root, '.used'))).toBe(true);
  });

  verifies(
    'files.grep.rg-first',
    'is the one that came along where the path has none, also after a command ran',
    async () => {
      const { call } = await site({
        files: TREE,
        env: { PATH: programs({}, { bash: '/bin/bash', mkfifo: '/usr/bin/mkfifo' }) },
      });
      expect(bashOf(await call('bash', { command: 'echo ran' })).stdout).toBe('ran\n');
      expect(grepOf(await call('grep', { pattern: 'n.edle one' })).matches).toEqual([
        { path: 'b.txt', line: 2, column: 1, text: 'needle one' },
      ]);
    },
  );

  verifies(
    ['files.grep.fallback', 'files.grep.columns'],
    'is the system’s `grep` otherwise, with columns for fixed strings only',
    async () => {
      const on = await grepOnly();
      const expression = await grep({ pattern: 'n.edle one' }, on);
      expect(expression.matches).toEqual([{ path: 'b.txt', line: 2, column: null, text: 'needle one' }]);
      expect(textOf(await on.call('grep', { pattern: 'n.edle one' }))).toBe('b.txt:2:needle one');
      const literal = await grep({ pattern: 'needle', path: 'nested', fixed_string: true }, on);
      expect(literal.matches).toEqual([{ path: 'nested/deep/é.txt', line: 1, column: 5, text: 'ünï needle' }]);
    },
  );

  verifies(['files.grep.engines-agree', 'files.grep.ignore-rules'], 'makes no difference to the matches', async () => {
    const files = {
      'b.txt': 'one\ntwo\n',
      'a/c.txt': 'one more\n',
      'node_modules/m.txt': 'one\n',
      '.h/h.txt': 'one\n',
      '.ignore': 'node_modules\n',
    };
    const bare = await grepOnly(files);
    const full = await site({ files });
    for (const args of [
      { pattern: 'one' },
      { pattern: 'o(n|w)e' },
      { pattern: 'ONE', case_sensitive: false },
      { pattern: 'one', context_lines: 1 },
    ]) {
      const [a, b] = [await grep(args, bare), await grep(args, full)];
      expect(withoutColumns(a)).toEqual(withoutColumns(b));
      expect(a.match_count).toBe(2);
    }
  });
});

describe('a pattern', () => {
  verifies('files.grep.classes', 'means the same without ripgrep, or the call says that it cannot', async () => {
    const files = { 'log.txt': 'port 5432\nport d\nthe sport\nuser_name\nplain\n' };
    const bare = await grepOnly(files);
    const full = await site({ files });
    for (const [pattern, count] of [
      [String.raw`\d+`, 1],
      [String.raw`^\w+$`, 2],
      [String.raw`\bport\s`, 2],
      [String.raw`[\d_]`, 2],
    ] as const) {
      const [a, b] = [await grep({ pattern }, bare), await grep({ pattern }, full)];
      expect(withoutColumns(a), pattern).toEqual(withoutColumns(b));
      expect(a.match_count, pattern).toBe(count);
    }
    const refused = errorOf(await bare.call('grep', { pattern: String.raw`[\W\d]` }));
    expect(refused).toMatchObject({ code: 'rg_error', exit_code: 2 });
    expect(refused.message).toContain('install ripgrep');
  });
});

function withoutColumns({ matches }: GrepResult): object[] {
  return matches.map((match) => ({ ...match, column: undefined }));
}

function realRipgrep(): string {
  const wrapper = createRequire(ENTRY).resolve('@vscode/ripgrep');
  return createRequire(wrapper).resolve(`@vscode/ripgrep-${process.platform}-${process.arch}/bin/rg`);
}

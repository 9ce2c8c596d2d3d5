import { openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { verifies } from '../../verifies.ts';
import { bashOf, failedBashOf, numberedLines, pruningOf, readOf, recoveredOf, sharedSite, site, textOf } from './site.ts';

const WHY = { context_focus_question: 'Why does the build fail?' };
const MIB = 1024 * 1024;

/** So many MiB of lines of 64 bytes, one of which is an error. */
function largeLog(path: string, mib: number, errorAt: number): string {
  const error = `src/parser.c:88: error: expected a semicolon${' '.repeat(19)}\n`;
  const file = openSync(path, 'w');
  for (let block = 0; block < mib; block += 1) {
    const lines = Array.from({ length: MIB / 64 }, (_, at) => {
      const line = block * (MIB / 64) + at;
      return line === errorAt ? error : `cc -c src/part_${String(line).padStart(8, '0')}.c`.padEnd(63).concat('\n');
    });
    writeSync(file, lines.join(''));
  }
  return error;
}

describe('what a command wrote', () => {
  const server = sharedSite({ client: 'claude-code' });

  verifies(
    ['files.captured-whole', 'files.looked-at'],
    'is looked at beyond a megabyte, and recovered from any place in 24 MiB',
    async () => {
      const { root, call } = server();
      const last = (24 * MIB) / 64;
      const error = largeLog(join(root, 'large.log'), 24, last - 40);
      const result = await call('bash', { command: 'cat large.log; exit 1', ...WHY });
      const { stdout = '', pruning, truncated } = failedBashOf(result);
      expect(pruning).toMatchObject({ applied: true, raw_bytes: 24 * MIB });
      expect(truncated).toBe(false);
      expect(stdout).toContain(error.trimEnd());
      const middle = { start_line: last / 2, end_line: last / 2 };
      const gaps = [...stdout.matchAll(/^⟦pruned (\d+)-(\d+) /gm)].map(([, from, to]) => [Number(from), Number(to)]);
      expect(gaps.filter(([from = 0, to = 0]) => from <= last / 2 && to >= last / 2)).toHaveLength(1);
      const recovered = recoveredOf(await call('recover_text', { prune_id: pruning.prune_id, ranges: [middle] }));
      expect(recovered.raw_text.trim()).toBe(`cc -c src/part_00${last / 2 - 1}.c`);
    },
  );

  verifies('files.captured-whole', 'beyond 64 MiB keeps its beginning and its end, with one line between', async () => {
    const { call } = server();
    const command = 'echo first; for i in 1 2 3; do head -c 33000000 /dev/zero | tr "\\\\0" "x" | fold -w 99; echo; done; echo last; exit 3';
    const result = await call('bash', { command, timeout_ms: 60_000 });
    const { stdout = '', error, truncated, pruning } = failedBashOf(result);
    expect({ code: error.exit_code, truncated }).toEqual({ code: 3, truncated: true });
    expect(stdout).toMatch(/^first\nx+\n[^]*\nlast\n$/);
    expect(pruning.raw_bytes).toBeGreaterThan(63 * MIB);
    expect(pruning.raw_bytes).toBeLessThan(65 * MIB);
    const found = await call('recover_text', { prune_id: pruning.prune_id, query: 'bytes were not kept here' });
    expect(recoveredOf(found).metadata.ranges.length).toBeGreaterThan(0);
    const [, gap] = /⟦pruned (\d+)-/.exec(stdout) ?? [];
    const ranges = [{ start_line: Number(gap), end_line: Number(gap) + 1 }];
    expect(recoveredOf(await call('recover_text', { prune_id: pruning.prune_id, ranges })).raw_text).toMatch(/^x+\nx+\n$/);
  });

  verifies(['files.looked-at', 'files.read.window'], 'of a file is looked at in the same way', async () => {
    const { root, call } = server();
    const error = largeLog(join(root, 'large.log'), 18, 9);
    const result = await call('read', { file_path: 'large.log', start_line: 5, ...WHY });
    const { content, pruning, truncated } = readOf(result);
    expect(pruning).toMatchObject({ applied: true, raw_bytes: 18 * MIB - 4 * 64 });
    expect(truncated).toBe(false);
    expect(content).toContain(error.trimEnd());
    const ranges = [{ start_line: 10, end_line: 10 }];
    expect(recoveredOf(await call('recover_text', { prune_id: pruning.prune_id, ranges })).raw_text).toBe(error);
  });
});

describe('two streams', () => {
  const server = sharedSite({
    files: {
      'out.log': numberedLines(3000, (n) => `compiling unit ${n} of the project with all its headers`),
      'err.log': `${numberedLines(3000, (n) => `note: unit ${n} uses a header that nobody needs`)}error: unit 17 has no main\n`,
    },
  });

  verifies('files.bash.one-reading', 'that are both long are both pruned, each with its own id', async () => {
    const { call } = server();
    const result = await call('bash', { command: 'cat out.log; cat err.log >&2; exit 1', ...WHY });
    const { stdout = '', stderr = '', pruning } = failedBashOf(result);
    expect(stdout).toContain('⟦pruned ');
    expect(stderr).toContain('⟦pruned ');
    expect(stderr).toContain('error: unit 17 has no main\n');
    expect(pruning.stderr_prune_id).toMatch(/^prn_/);
    expect(pruning.stderr_prune_id).not.toBe(pruning.prune_id);
    expect(textOf(result).match(/⟦prune_id=prn_\w+ · /g)).toHaveLength(2);
    const ranges = [{ start_line: 3001, end_line: 3001 }];
    const recovered = await call('recover_text', { prune_id: pruning.stderr_prune_id, ranges });
    expect(recoveredOf(recovered).raw_text).toBe('error: unit 17 has no main\n');
  });

  verifies('files.bash.one-reading', 'of which one is short leave it whole', async () => {
    const { call } = server();
    const short = failedBashOf(await call('bash', { command: 'cat out.log; echo "fatal: stop" >&2; exit 1', ...WHY }));
    expect(short.stderr).toBe('fatal: stop\n');
    expect(short.stdout).toContain('⟦pruned ');
    expect(short.pruning.stderr_prune_id).toBeUndefined();
    const long = failedBashOf(await call('bash', { command: 'echo start; cat err.log >&2; exit 1', ...WHY }));
    expect(long.stdout).toBe('start\n');
    expect(long.stderr).toContain('error: unit 17 has no main\n');
    expect(long.pruning).toMatchObject({ applied: true, prune_id: expect.stringMatching(/^prn_/) });
  });

  verifies('files.implicit-cap', 'without a question are each cut in their middle', async () => {
    const { call } = await site({ client: 'claude-code' });
    const result = await call('bash', { command: 'seq 1 9000; seq 1 9000 >&2' });
    const { stdout, stderr, truncated, pruning } = bashOf(result);
    expect(truncated).toBe(true);
    for (const stream of [stdout, stderr]) expect(stream).toMatch(/^1\n[^]*⟦pruned \d+-\d+ [^]*\n9000\n$/);
    expect(Buffer.byteLength(textOf(result))).toBeLessThanOrEqual(40_000);
    for (const prune_id of [pruning.prune_id, pruning.stderr_prune_id]) {
      const recovered = await call('recover_text', { prune_id, ranges: [{ start_line: 4000, end_line: 4000 }] });
      expect(recoveredOf(recovered).raw_text).toBe('4000\n');
    }
  });
});

describe('colours', () => {
  verifies('files.bash.no-colours', 'are not wanted of commands, unless the environment says otherwise', async () => {
    const command = 'echo "$NO_COLOR $CLICOLOR $FORCE_COLOR $TERM"';
    const plain = await site({ env: { TERM: undefined } });
    expect(bashOf(await plain.call('bash', { command })).stdout).toBe('1 0 0 dumb\n');
    expect(bashOf(await plain.call('bash', { command, env: { TERM: 'xterm' } })).stdout).toBe('1 0 0 xterm\n');
    const coloured = await site({ env: { TERM: 'vt100', FORCE_COLOR: '1' } });
    expect(bashOf(await coloured.call('bash', { command })).stdout).toBe('  1 vt100\n');
  });

  const RED = `printf '\\033[31mred\\033[0m\\nplain\\n'`;
  verifies('files.bash.no-colours', 'that remain are not shown, and recovered to the byte', async () => {
    const { call } = await site();
    const result = await call('bash', { command: RED });
    const { stdout, pruning } = bashOf(result);
    expect(stdout).toBe('red\nplain\n');
    expect(textOf(result)).toBe('red\nplain\n');
    expect(pruning).toMatchObject({ stripped: true, raw_bytes: 19 });
    const recovered = await call('recover_text', { prune_id: pruning.prune_id, ranges: [{ start_line: 1, end_line: 2 }] });
    expect(recoveredOf(recovered).raw_text).toBe('\x1b[31mred\x1b[0m\nplain\n');
  });

  verifies('files.bash.no-colours', 'are not judged either, and line numbers hold without them', async () => {
    const log = numberedLines(2000, (n) => `\x1b[2m${n}\x1b[0m \x1b[32mok\x1b[39m case ${n}`);
    const { call } = await site({ files: { 'test.log': `${log}\x1b[31mnot ok\x1b[39m totals: expected 42\n` } });
    const result = await call('bash', { command: 'cat test.log; exit 1', ...WHY });
    const { stdout = '', pruning } = failedBashOf(result);
    expect(stdout).toContain('not ok totals: expected 42\n');
    expect(textOf(result)).not.toContain('\x1b');
    expect(pruning.stripped).toBe(true);
    const recovered = await call('recover_text', { prune_id: pruning.prune_id, ranges: [{ start_line: 2001, end_line: 2001 }] });
    expect(recoveredOf(recovered).raw_text).toBe('\x1b[31mnot ok\x1b[39m totals: expected 42\n');
  });

  verifies('files.bash.no-colours', 'of a source file stay: its lines are copied into edits', async () => {
    const { call } = await site({ files: { 'paint.ts': 'const RED = "\x1b[31m";\n' } });
    expect(readOf(await call('read', { file_path: 'paint.ts' })).content).toBe('const RED = "\x1b[31m";\n');
    expect(readOf(await call('read', { file_path: 'paint.ts', ...WHY })).content).toBe('const RED = "\x1b[31m";\n');
  });
});

describe('null for an optional argument', () => {
  verifies('files.null-arguments', 'is the same as leaving it out', async () => {
    const { call, root, ask } = await site({ files: { 'a.txt': 'one\n' } });
    writeFileSync(join(root, 'b.txt'), 'two\n');
    const nulls = { max_output_bytes: null, max_tokens: null, context_focus_question: null };
    const read = { file_path: 'a.txt', start_line: null, end_line: null, encoding: null };
    expect(textOf(await call('read', { ...read, ...nulls }))).toBe('one\n');
    const bash = { command: 'cat b.txt', cwd: null, env: null, timeout_ms: null };
    expect(textOf(await call('bash', { ...bash, ...nulls }))).toBe('two\n');
    const grep = { pattern: 'o', path: null, paths: null, cwd: null, context_lines: null, max_matches: null };
    const found = await call('grep', { ...grep, fixed_string: null, case_sensitive: null, timeout_ms: null, ...nulls });
    expect(textOf(found)).toBe('a.txt:1:1:one\nb.txt:1:3:two');
    const { error } = await ask('tools/call', { name: 'read', arguments: { file_path: null } });
    expect(error).toMatchObject({ code: -32602, data: { issues: [{ path: 'arguments.file_path' }] } });
    expect(pruningOf(await call('read', { file_path: 'a.txt', ...nulls })).reason).toBe('no_focus_question');
  });
});

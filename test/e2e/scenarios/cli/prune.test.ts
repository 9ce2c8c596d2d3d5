import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { verifies } from '../../verifies.ts';
import { desk, idIn, LOG, PROGRAM } from './program.ts';

const { file, run, path } = desk();
const GOAL = ['--goal', 'why does the build fail'];

describe('jeeves prune', () => {
  verifies(['cli.prune.pipe', 'cli.prune.closing'], 'prunes what is piped in and closes with the command that recovers', async () => {
    const { code, out, err } = await run(['prune', ...GOAL], { stdin: LOG });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('12:02:30 ERROR src/parser.c:88: expected ";" before "return"\r\n');
    expect(out).toMatch(/⟦pruned \d+-\d+ \(\d+ lines\)⟧\r\n/);
    expect(idIn(out)).toMatch(/^prn_/);
    expect(out.length).toBeLessThan(LOG.length * 0.75);
  });

  verifies('cli.prune.pipe', 'prunes a file, and - is standard input', async () => {
    const named = await run(['prune', file('build.txt', LOG), ...GOAL]);
    const piped = await run(['prune', '-', ...GOAL], { stdin: LOG });
    expect(named.out.replace(idIn(named.out), 'ID')).toBe(piped.out.replace(idIn(piped.out), 'ID'));
  });

  verifies(['cli.prune.pipe', 'cli.prune.why-whole'], 'gives a text from which nothing is cut as it is, and says why', async () => {
    for (const text of ['', 'one line', 'a\r\nb\n', '\uFEFFx\u2028y\f\n']) {
      const { code, out, err } = await run(['prune', ...GOAL], { stdin: text });
      expect({ code, out }).toEqual({ code: 0, out: text });
      expect(err).toBe(`returned whole: ${text === '' ? 'the text is empty' : 'leaving lines out would save too little'}\n`);
    }
  });

  verifies('cli.prune.pipe', 'obeys its limits, and keeps kept lines verbatim without markers', async () => {
    const { code, out, err } = await run(
      ['prune', ...GOAL, '--max-prune-ratio', '0.5', '--min-keep-lines', '200', '--no-markers'],
      { stdin: LOG },
    );
    const lines = LOG.split('\r\n');
    const kept = out.split('\r\n').filter((line) => line !== '');
    expect(code).toBe(0);
    expect(kept.length).toBeGreaterThanOrEqual(200);
    expect(kept.every((line) => lines.includes(line))).toBe(true);
    expect(err).toMatch(/kept \d+ of 601 lines .* prn_/);
  });

  verifies('cli.prune.pipe', 'numbers lines and writes canonical markers on request', async () => {
    const { out } = await run(['prune', ...GOAL, '--line-numbers', '--markers', 'canonical'], { stdin: LOG });
    expect(out).toContain('301│ 12:02:30 ERROR src/parser.c:88: ');
    expect(out).toMatch(/^⟦PRUNÉ: prune_id=prn_\w{35} lignes \d+-\d+ \(\d+\) raison=[^⟧]+⟧\r?$/m);
  });

  verifies('cli.prune.pipe', 'ends quietly when its reader has seen enough', async () => {
    const long = Array.from({ length: 60_000 }, (_, at) => `error ${at}: disk ${at * 7} is full\n`).join('');
    const { code, err } = await run(['prune', ...GOAL, '--max-prune-ratio', '0'], { stdin: long, closeEarly: true });
    expect(code).toBe(0);
    expect(err).not.toContain('EPIPE');
  });

  verifies('cli.prune.pipe', 'returns the whole text and says why when the text cannot be kept', async () => {
    file('occupied', 'not a directory');
    const env = { JEEVES_STORE: `sqlite:${path}/occupied/jeeves.db` };
    const { code, out, err } = await run(['prune', ...GOAL], { stdin: LOG, env });
    expect({ code, out }).toEqual({ code: 0, out: LOG });
    expect(err).toContain('nothing was cut');
  });

  verifies('cli.prune.pipe', 'warns once that memory: forgets', async () => {
    const { code, out, err } = await run(['prune', ...GOAL], { stdin: LOG, env: { JEEVES_STORE: 'memory:' } });
    expect(code).toBe(0);
    expect(idIn(out)).toMatch(/^prn_/);
    expect(err.match(/memory:/g)).toHaveLength(1);
  });

  verifies('cli.prune.pipe', 'falls back to the embedded backend when the service is gone', async () => {
    const env = { PRUNER_URL: 'http://127.0.0.1:9/prune' };
    const { code, out, err } = await run(['prune', ...GOAL, '--backend', 'swe-pruner'], { stdin: LOG, env });
    expect(code).toBe(0);
    expect(out).toContain('ERROR src/parser.c:88');
    expect(idIn(out)).toMatch(/^prn_/);
    expect(err).toContain('warning: http_error: ');
  });
});

describe('jeeves prune of what is no text', () => {
  const BYTES: readonly [string, Buffer, string][] = [
    ['Latin-1', Buffer.from('caf\u00e9\nna\u00efve\n', 'latin1'), 'not valid UTF-8 at byte offset 3'],
    ['a NUL', Buffer.from([0, 1, 2]), 'not a text: there is a NUL byte at offset 0'],
    ['any bytes', Buffer.from(Array.from({ length: 70_000 }, (_, at) => (at * 7919) % 256)), 'not a text'],
  ];
  for (const [name, input, message] of BYTES) {
    verifies('cli.prune.passes-through', `${name} goes through a pipe byte for byte, and stderr says why`, async () => {
      const piped = await run(['prune', ...GOAL], { stdin: input });
      expect({ code: piped.code, same: piped.bytes.equals(input) }).toEqual({ code: 0, same: true });
      expect(piped.err).toContain(`returned whole: standard input: ${message}`);
      const named = await run(['prune', file('bytes.bin', input), ...GOAL]);
      expect({ code: named.code, same: named.bytes.equals(input) }).toEqual({ code: 0, same: true });
    });
  }
});

describe('jeeves prune of several files', () => {
  verifies('cli.prune.several', 'prunes each under its name, and goes on after one that cannot be read', async () => {
    file('one.log', LOG);
    file('two.txt', 'short\n');
    const { code, out, err } = await run(['prune', 'one.log', 'missing.log', 'two.txt', ...GOAL]);
    expect(code).toBe(2);
    expect(err).toContain('error: missing.log: cannot be read: no such file\n');
    const [, first = '', second] = out.split(/^==> .* <==\n/m);
    expect(out.match(/^==> .* <==$/gm)).toEqual(['==> one.log <==', '==> two.txt <==']);
    expect(first).toContain('ERROR src/parser.c:88');
    expect(idIn(first.trimEnd().concat('\n'))).toMatch(/^prn_/);
    expect(second).toBe('short\n');
  });
});

describe('the budget of jeeves prune', () => {
  verifies('cli.prune.max-tokens', 'wins over every other limit', async () => {
    const { loadTokenCounter } = await import('@jeeves/engine/tokens');
    const countTokens = await loadTokenCounter();
    const { code, out } = await run(
      ['prune', ...GOAL, '--max-tokens', '300', '--min-keep-lines', '500', '--max-prune-ratio', '0.1'],
      { stdin: LOG },
    );
    expect(code).toBe(0);
    expect(countTokens(out).tokens).toBeLessThanOrEqual(300);
    expect(out).toContain('ERROR src/parser.c:88');
  });
});

describe('jeeves prune --json', () => {
  verifies('cli.prune.json', 'writes what prune_text answers', async () => {
    const { code, out, err } = await run(['prune', ...GOAL, '--json', '--source', 'logs'], { stdin: LOG });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const result = JSON.parse(out) as Record<string, unknown> & { annotations: { marker: string }[] };
    expect(Object.keys(result)).toEqual(['prune_id', 'pruned_text', 'annotations', 'stats', 'warnings']);
    expect(result).toMatchObject({
      prune_id: expect.stringMatching(/^prn_\w{35}$/) as string,
      stats: { original_lines: 601, used_fallback: false, backend: 'heuristic', tokens_method: 'o200k' },
      warnings: [],
    });
    for (const { marker } of result.annotations) {
      expect(marker).toContain(`⟦PRUNÉ: prune_id=${String(result['prune_id'])} lignes `);
      expect(String(result['pruned_text']).split(/\r?\n/)).toContain(marker);
    }
  });

  verifies('cli.prune.json', 'reports limits that cannot be met as a no-op', async () => {
    const { code, out } = await run(['prune', ...GOAL, '--json', '--min-keep-lines', '700'], { stdin: LOG });
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      pruned_text: LOG,
      annotations: [],
      stats: { used_fallback: true },
      warnings: ['constraints_unmet'],
    });
  });
});

describe('a wrong call or input', () => {
  const cases: readonly [string, () => readonly string[], string, (string | Buffer)?][] = [
    ['no goal', () => ['prune'], "'-g, --goal <text>'"],
    ['an empty goal', () => ['prune', '--goal', ' '], '--goal'],
    ['a ratio beyond 1', () => ['prune', ...GOAL, '--max-prune-ratio', '1.5'], '--max-prune-ratio'],
    ['a wrong count', () => ['prune', ...GOAL, '--min-keep-lines', 'many'], '--min-keep-lines'],
    ['an unknown source', () => ['prune', ...GOAL, '--source', 'poem'], 'code, logs, docs, auto'],
    ['an unknown backend', () => ['prune', ...GOAL, '--backend', 'oracle'], 'lexical, heuristic, swe-pruner'],
    ['an unknown option', () => ['prune', ...GOAL, '--fast'], '--fast'],
    ['an unknown command', () => ['prnue'], 'prnue'],
    ['compact markers in JSON', () => ['prune', ...GOAL, '--json', '--markers', 'compact'], '--json'],
    ['a missing file', () => ['prune', 'missing.txt', ...GOAL], 'missing.txt: cannot be read: no such file'],
    ['a directory', () => ['prune', path, ...GOAL], 'is a directory; name a file'],
    [
      'a binary file for JSON',
      () => ['prune', file('x.bin', Buffer.from([1, 0, 2])), ...GOAL, '--json'],
      'x.bin: not a text',
    ],
    ['too few tokens', () => ['prune', ...GOAL, '--max-tokens', '99'], 'from 100 to 20000'],
    ['swe-pruner without its address', () => ['prune', ...GOAL, '--backend', 'swe-pruner'], 'PRUNER_URL'],
    ['deepinfra without its key', () => ['prune', ...GOAL, '--backend', 'deepinfra'], 'DEEPINFRA_API_KEY'],
  ];
  for (const [name, args, message, stdin = 'text\n'] of cases) {
    verifies('cli.prune.bad-input', `${name} ends with exit code 2 and says what to do`, async () => {
      const { code, out, err } = await run(args(), { stdin });
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(err).toMatch(/^error: /);
      expect(err).toContain(message);
      expect(err).not.toContain('    at ');
    });
  }

  verifies('cli.prune.bad-input', 'a broken setting of a service is named', async () => {
    const env = { DEEPINFRA_API_KEY: 'k', DEEPINFRA_MAX_DOCS: 'all' };
    const { code, err } = await run(['prune', ...GOAL, '--backend', 'deepinfra'], { stdin: LOG, env });
    expect(code).toBe(2);
    expect(err).toContain('DEEPINFRA_MAX_DOCS: expected an integer');
  });

  verifies('cli.prune.bad-input', 'a directory as standard input is not taken for an empty text', () => {
    const directory = openSync(path, 'r');
    const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, 'prune', ...GOAL], {
      stdio: [directory, 'pipe', 'pipe'],
      encoding: 'utf8',
    });
    closeSync(directory);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain('standard input is a directory');
  });
});

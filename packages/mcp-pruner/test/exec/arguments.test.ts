import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { describe, expect, test } from 'vitest';
import { verifies } from '../../../../test/e2e/verifies.ts';
import { createSearcher, type Engine } from './searching.ts';
import { outcomeOf, temporaryDirectory, writeTree } from './world.ts';

const base = temporaryDirectory();
const root = join(base, 'root');
const marker = join(base, 'marker');
const hook = `#!/bin/sh\ntouch ${marker}\ncat "$1"\n`;

/** Each would change what a search does, read another file or run a program if it were taken for an option. */
const OPTIONS = `
  --pre=./hook --pre --pre-glob=* --hostname-bin=./hook -z --search-zip -f/etc/passwd -f
  --file=/etc/passwd --files --type-list --help -h --version -V -rs -r -R -L --follow --hidden -uuu
  --no-ignore --debug --trace --json -- - -e -ematch -v --invert-match -c -l -o -A9999 --include=*
  --exclude=* --binary-files=text -P --passthru --replace=x --max-count=0 --ignore-file=/etc/passwd
  --no-config -0 -q -$(id)
`
  .trim()
  .split(/\s+/);
writeTree(root, {
  hook,
  'list.txt': OPTIONS.map((option) => `line ${option} end\n`).join(''),
  ...Object.fromEntries(OPTIONS.filter((name) => !name.includes('/')).map((name) => [name, 'match inside\n'])),
});
chmodSync(join(root, 'hook'), 0o755);

const ENGINES: readonly Engine[] = ['rg', 'grep'];
const searcher = await createSearcher(root, join(base, 'programs'));

describe.each(ENGINES)('with %s', (engine) => {
  verifies('security.t5.arguments', 'patterns that look like options are searched for', async () => {
    for (const pattern of OPTIONS) {
      const overrides = { fixedString: true, paths: [join(root, 'list.txt')] };
      const { matches } = await searcher(engine, pattern, overrides);
      expect(
        matches.map(({ text }) => text),
        pattern,
      ).toContain(`line ${pattern} end`);
      expect(
        matches.every(({ text }) => text.includes(pattern)),
        pattern,
      ).toBe(true);
    }
    expect(existsSync(marker)).toBe(false);
  });

  verifies('security.t5.arguments', 'files that are named like options are searched', async () => {
    for (const name of OPTIONS.filter((option) => !option.includes('/'))) {
      const lines = await searcher.lines(engine, 'match inside', { fixedString: true, paths: [join(root, name)] });
      expect(lines, name).toEqual([`${name}:1:1:match inside`]);
    }
    expect(existsSync(marker)).toBe(false);
  });

  test('a configuration of the program in the environment counts for nothing', async () => {
    writeTree(base, { ripgreprc: `--pre=${join(root, 'hook')}\n--max-count=0\n` });
    const env = { PATH: join(base, 'programs', engine), RIPGREP_CONFIG_PATH: join(base, 'ripgreprc') };
    expect(await searcher.lines(engine, 'line -z end', { env, fixedString: true })).toEqual([
      'list.txt:5:1:line -z end',
    ]);
    expect(existsSync(marker)).toBe(false);
  });
});

describe('hostile expressions', () => {
  // Exponential or quadratic in a backtracking engine such as the one of this process.
  const bodies = [
    '(a+)+',
    '(a*)*',
    '(a|a)*',
    '(a|aa)+',
    '(a+){2,}',
    '(a|a?)+',
    '([a-z]+)*',
    '(.*a){8}',
    '(a?){25}a{25}',
    '(a+a+)+',
  ];
  const PATTERNS = bodies.flatMap((body) => [`^${body}$`, `${body}b`, `^${body}b$`, `x${body}y`, `${body}!+$`]);
  writeTree(root, { 'evil.txt': `${'a'.repeat(5000)}!\n${'a'.repeat(40)}\n` });

  verifies('security.t14.user-regex', 'fifty of them never hold up this process', async () => {
    expect(PATTERNS).toHaveLength(50);
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    for (const pattern of PATTERNS) {
      for (const engine of ENGINES) {
        const attempt = searcher(engine, pattern, { paths: [join(root, 'evil.txt')], timeoutMs: 500 });
        const outcome = await outcomeOf(attempt.then(() => 'searched'));
        expect(['searched', 'timeout', 'rg_error'], `${engine} ${pattern}`).toContain(outcome);
      }
    }
    delay.disable();
    expect(delay.percentile(99) / 1e6).toBeLessThan(50);
  });
});

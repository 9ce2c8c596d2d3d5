import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { verifies } from '../../verifies.ts';
import { desk, LOG } from './program.ts';

const { file, path, run } = desk();

describe('jeeves verify', () => {
  verifies('cli.verify.proof', 'proves every promise on the files of the directory', async () => {
    file('build.txt', LOG);
    file('notes.md', `# Notes\n\n${'A paragraph about nothing in particular.\n\n'.repeat(30)}## End\n`);
    file('image.bin', Buffer.from([0, 1, 2]));
    const { code, out } = await run(['verify', '--cases', '60', '--seed', 'e2e']);
    expect(out).toContain('Every promise held in every case.');
    expect(out).toMatch(/kept and recovered lines rebuild the text byte for byte +60 +0\n/);
    expect(out).toMatch(/left out: .*1 binary or not UTF-8/);
    expect(code).toBe(0);
  });

  verifies('cli.verify.tally', 'counts the same for the same seed', async () => {
    const name = file('build.txt', LOG);
    const tally = async (seed: string) => {
      const { out } = await run(['verify', name, '--cases', '10', '--seed', seed, '--json']);
      const { elapsedMs: _, ...rest } = JSON.parse(out) as Record<string, unknown>;
      return rest;
    };
    const first = await tally('one');
    expect(first).toMatchObject({ seed: 'one', files: 1, cases: 10, failures: [] });
    expect(first['promises']).toContainEqual({
      name: 'verbatim',
      says: 'kept lines are verbatim and in order',
      checked: 10,
      failed: 0,
    });
    expect(await tally('one')).toEqual(first);
    expect(await tally('two')).not.toEqual(first);
  });

  verifies('cli.verify.tally', 'refuses paths without a text', async () => {
    const name = file('image.bin', Buffer.from([0, 1, 2]));
    const { code, err } = await run(['verify', name]);
    expect(code).toBe(2);
    expect(err).toContain('image.bin: no text files to verify (left out: 1 binary or not UTF-8)');
    expect(await run(['verify', 'missing'])).toMatchObject({ code: 2, out: '' });
  });

  verifies('doors.git', 'runs no program that the configuration of a directory names', async () => {
    const tree = join(path, 'tree');
    mkdirSync(join(tree, 'out'), { recursive: true });
    writeFileSync(join(tree, 'build.txt'), LOG);
    writeFileSync(join(tree, 'out', 'made.txt'), LOG);
    writeFileSync(join(tree, '.gitignore'), 'out/\n');
    execFileSync('git', ['init', '-q'], { cwd: tree });
    const ran = join(path, 'ran');
    const hook = join(tree, 'hook.sh');
    writeFileSync(hook, `#!/bin/sh\necho ran >> ${ran}\n`, { mode: 0o755 });
    for (const key of ['core.fsmonitor', 'core.sshCommand', 'core.pager', 'filter.x.clean', 'diff.external']) {
      execFileSync('git', ['config', key, hook], { cwd: tree });
    }
    writeFileSync(join(tree, '.gitattributes'), '* filter=x\n');
    // Git itself obeys the tree: without that, this test would prove nothing.
    execFileSync('git', ['status'], { cwd: tree });
    expect(existsSync(ran)).toBe(true);
    execFileSync('rm', [ran]);
    const { code, out } = await run(['verify', 'tree', '--cases', '2', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ files: 4 });
    expect(existsSync(ran)).toBe(false);
  });
});

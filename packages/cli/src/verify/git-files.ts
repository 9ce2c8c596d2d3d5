import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

/**
 * The files of a directory that git would not ignore; undefined where there is no git or no repository.
 *
 * A repository's own configuration can name programs that git runs (`core.fsmonitor` is one that `ls-files` obeys), and
 * the directory may come from anywhere. Git therefore never sees that repository: it looks at the same files through an
 * empty one of ours, to which all of them are new, and obeys nothing of the tree but its ignore files.
 */
export async function filesByGit(directory: string): Promise<string[] | undefined> {
  const top = topOf(directory);
  if (top === undefined) return undefined;
  const own = await mkdtemp(join(tmpdir(), 'jeeves-git-'));
  try {
    await makeEmptyRepository(own);
    const excludes = join(top, '.git', 'info', 'exclude');
    const { stdout } = await promisify(execFile)(
      'git',
      [
        '-c',
        'core.fsmonitor=false',
        '-c',
        'core.hooksPath=/dev/null',
        `--git-dir=${own}`,
        `--work-tree=${top}`,
        'ls-files',
        '-z',
        '--others',
        '--exclude-standard',
        ...(existsSync(excludes) ? [`--exclude-from=${excludes}`] : []),
      ],
      { cwd: directory, maxBuffer: 64 * 1024 * 1024 },
    );
    return stdout
      .split('\0')
      .filter((name) => name !== '' && !name.endsWith('/'))
      .map((name) => join(directory, name));
  } catch {
    return undefined;
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

/** The nearest directory at or above this one that is a repository's. */
function topOf(directory: string): string | undefined {
  for (let at = directory; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (dirname(at) === at) return undefined;
  }
}

/** The least that git takes for a repository. It has no configuration, so there is nothing in it to obey. */
async function makeEmptyRepository(path: string): Promise<void> {
  await mkdir(join(path, 'objects'));
  await mkdir(join(path, 'refs'));
  await writeFile(join(path, 'HEAD'), 'ref: refs/heads/none\n');
}

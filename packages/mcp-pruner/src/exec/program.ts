import { constants, realpathSync } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { delimiter, isAbsolute, join } from 'node:path';

/** The absolute path of a program on the `PATH` of an environment, or null. */
export async function findProgram(
  name: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | null> {
  for (const directory of (env['PATH'] ?? '').split(delimiter)) {
    // A relative entry would run whatever lies in the directory that is being searched.
    if (!isAbsolute(directory)) continue;
    const path = join(directory, name);
    if (await isProgram(path)) return path;
  }
  return null;
}

/** The ripgrep that was installed along, or null: it is optional and not there on every platform. */
export function bundledRipgrep(): string | null {
  try {
    // Resolved natively: the loader's own path cache can go stale once a pipe was opened, and then finds nothing.
    const wrapper = realpathSync.native(createRequire(import.meta.url).resolve('@vscode/ripgrep'));
    // The program is a dependency of the wrapper, and can be found from there only.
    return createRequire(wrapper).resolve(`@vscode/ripgrep-${process.platform}-${process.arch}/bin/rg`);
  } catch {
    return null;
  }
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

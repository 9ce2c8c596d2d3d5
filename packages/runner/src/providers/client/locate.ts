import { existsSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Where an agent client may be installed, best first: beside this package, or where the user just typed `npm install`.
 * Directories in `NODE_PATH` are searched from anywhere.
 */
export function searchPlaces(): readonly string[] {
  return [dirname(fileURLToPath(import.meta.url)), process.cwd()];
}

/** The file that a specifier stands for, seen from the first directory that knows it. */
export function locate(specifier: string, from: readonly string[]): string | undefined {
  for (const directory of from) {
    try {
      return createRequire(join(directory, 'any.js')).resolve(specifier);
    } catch {
      // Not installed there.
    }
  }
  return undefined;
}

/** A package's directory, for packages that name no file of theirs that `require` may see. */
export function locatePackage(name: string, from: readonly string[]): string | undefined {
  for (const directory of from) {
    const folders = createRequire(join(directory, 'any.js')).resolve.paths(name) ?? [];
    const found = folders.map((folder) => join(folder, name)).find((path) => existsSync(join(path, 'package.json')));
    if (found !== undefined) return realpathSync(found);
  }
  return undefined;
}

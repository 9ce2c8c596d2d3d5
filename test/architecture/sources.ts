import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The repository's root, with a closing slash. */
export const ROOT: string = fileURLToPath(new URL('../../', import.meta.url));

const SKIPPED = new Set(['node_modules', 'dist']);

/** Files below a directory of the repository, as paths from its root, sorted. What is installed or built is left out. */
export function filesUnder(directory: string): string[] {
  if (!existsSync(`${ROOT}${directory}`)) return [];
  const entries = readdirSync(`${ROOT}${directory}`, { withFileTypes: true }).filter(({ name }) => !SKIPPED.has(name));
  return entries
    .flatMap((entry) =>
      entry.isDirectory() ? filesUnder(`${directory}/${entry.name}`) : [`${directory}/${entry.name}`],
    )
    .sort();
}

export function readSource(file: string): string {
  return readFileSync(`${ROOT}${file}`, 'utf8');
}

/** The names of the packages that exist. */
export function packageNames(): string[] {
  return readdirSync(`${ROOT}packages`).sort();
}

/** The TypeScript sources of a package. */
export function sourcesOf(name: string): string[] {
  return filesUnder(`packages/${name}/src`).filter((file) => /\.tsx?$/.test(file));
}

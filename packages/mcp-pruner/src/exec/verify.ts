import type { FileHandle } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Match } from './collect.ts';
import { glance } from './glance.ts';
import { type Lines, readLines, VIEWS } from './lines.ts';
import { PathError, type Root } from './root.ts';

export interface VerifyOptions {
  readonly root: Pick<Root, 'openFile' | 'path'>;
  /** Called between two reads; throws when there is no time left. */
  readonly check: () => void;
}

// More would only wait for each other: file operations have four threads.
const AT_ONCE = 4;
const GLANCES = 64;

/**
 * Keeps the matches whose lines stand in a file inside the root. A search program opens paths by name, and a path can
 * be swapped for a link at that moment: only what a checked descriptor holds as well may be shown.
 */
export async function verifyMatches(matches: readonly Match[], options: VerifyOptions): Promise<Match[]> {
  const byPath = new Map<string, Match[]>();
  for (const match of matches) {
    const others = byPath.get(match.path);
    if (others === undefined) byPath.set(match.path, [match]);
    else others.push(match);
  }
  const verified = new Set<Match>();
  const files = byPath.entries();
  let looked = 0;
  const work = async (): Promise<void> => {
    for (const [path, found] of files) {
      looked += 1;
      // Glances hold the thread: others get their turn in between.
      if (looked % GLANCES === 0) await nextTurn();
      for (const match of await verifyFile(path, found, options)) verified.add(match);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return matches.filter((match) => verified.has(match));
}

async function verifyFile(path: string, found: readonly Match[], { root, check }: VerifyOptions): Promise<Match[]> {
  check();
  if (seenAtAGlance(root.path, path, found)) return [...found];
  const handle = await root.openFile(path).catch(ignorePathError);
  if (handle === null) return [];
  try {
    return await verifyOpen(handle, found, check);
  } finally {
    await handle.close();
  }
}

/** Whether a quick look at a small file shows all its matches; if not, the thorough way decides. */
function seenAtAGlance(rootPath: string, path: string, found: readonly Match[]): boolean {
  const bytes = glance(rootPath, path);
  if (bytes === null) return false;
  const texts = bytes.toString('utf8').split('\n');
  const held = new Map(texts.map((text, index) => [index + 1, text]));
  return found.every((match) => holds(held, match));
}

async function verifyOpen(handle: FileHandle, found: readonly Match[], check: () => void): Promise<Match[]> {
  const verified: Match[] = [];
  let left = found;
  for (const view of VIEWS) {
    if (left.length === 0) break;
    const held = await readLines(handle, { view, sizes: sizesOf(left), check });
    if (held === null) continue;
    verified.push(...left.filter((match) => holds(held, match)));
    left = left.filter((match) => !holds(held, match));
  }
  return verified;
}

/** How much is wanted of which line. */
function sizesOf(matches: readonly Match[]): Map<number, number> {
  const sizes = new Map<number, number>();
  for (const match of matches) {
    for (const [line, text] of linesOf(match)) {
      sizes.set(line, Math.max(sizes.get(line) ?? 0, Buffer.byteLength(text)));
    }
  }
  return sizes;
}

/** A byte limit may have cut a text, so the beginning of a line will do: it is inside as well. */
function holds(held: Lines, match: Match): boolean {
  return linesOf(match).every(([line, text]) => {
    const whole = held.get(line);
    if (whole === undefined) return false;
    return whole.startsWith(text) || (line === 1 && whole.startsWith(`\uFEFF${text}`));
  });
}

function linesOf({ line, text, before = [], after = [] }: Match): [line: number, text: string][] {
  return [...before, text, ...after].map((one, index) => [line - before.length + index, one]);
}

function ignorePathError(error: unknown): null {
  if (error instanceof PathError) return null;
  throw error;
}

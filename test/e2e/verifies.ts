import { test } from 'vitest';
import { requirements } from './requirements.ts';

const KNOWN: ReadonlySet<string> = new Set(requirements.map(({ id }) => id));

/** Registers a test that stands for one or more requirements; an id that is not in the manifest fails at once. */
export function verifies(
  ids: string | readonly string[],
  title: string,
  fn: () => void | Promise<void>,
  timeoutMs?: number,
): void {
  const cited = typeof ids === 'string' ? [ids] : ids;
  if (cited.length === 0) throw new TypeError(`"${title}" cites no requirement`);
  for (const id of cited) if (!KNOWN.has(id)) throw new TypeError(`"${title}" cites an unknown requirement: ${id}`);
  test(`${title} [${cited.join(', ')}]`, fn, timeoutMs);
}

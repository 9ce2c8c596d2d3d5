import type { UpstreamTool } from '../upstream/upstream.ts';

/**
 * The tool that a caller means: the name as it was given out, else any spelling that can mean one tool only, such as
 * `server.tool`, `server/tool` or the tool's own name where a single server has it.
 */
export function findUpstreamTool(tools: readonly UpstreamTool[], name: string): UpstreamTool | undefined {
  const exact = tools.find(({ displayName }) => displayName === name);
  if (exact !== undefined) return exact;
  const wanted = plain(name);
  return (
    only(tools.filter((tool) => tool.name === name)) ??
    only(tools.filter(({ displayName }) => plain(displayName) === wanted)) ??
    only(tools.filter((tool) => plain(tool.name) === wanted))
  );
}

/** Names that resemble one that nobody has, best first. Where none really does, the few that come nearest. */
export function closestNames(tools: readonly UpstreamTool[], name: string, count = 5): string[] {
  const wanted = pairsOf(plain(name));
  const near = tools
    .map(({ displayName, name: own }) => ({
      displayName,
      likeness: Math.max(likeness(wanted, pairsOf(plain(displayName))), likeness(wanted, pairsOf(plain(own)))),
    }))
    .filter(({ likeness: alike }) => alike > 0)
    .sort((left, right) => right.likeness - left.likeness);
  const alike = near.filter(({ likeness: share }) => share > LEAST_LIKE).slice(0, count);
  return (alike.length > 0 ? alike : near.slice(0, FEW)).map(({ displayName }) => displayName);
}

const LEAST_LIKE = 0.25;
const FEW = 3;
const MAX_NAME = 256;

function plain(name: string): string {
  return name
    .slice(0, MAX_NAME)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

function only<Item>(items: readonly Item[]): Item | undefined {
  return items.length === 1 ? items[0] : undefined;
}

function pairsOf(text: string): ReadonlySet<string> {
  const pairs = new Set<string>();
  for (let at = 0; at + 1 < text.length; at += 1) pairs.add(text.slice(at, at + 2));
  return pairs;
}

/** Share of letter pairs that two names have in common (Dice). */
function likeness(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  let common = 0;
  for (const pair of left) if (right.has(pair)) common += 1;
  return (2 * common) / Math.max(1, left.size + right.size);
}

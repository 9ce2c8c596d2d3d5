import type { Blocks } from '../../layout/blocks.ts';
import { DEFINITION, type Layout } from '../../layout/layout.ts';
import { scanGoal, type TermTable } from '../../terms/terms.ts';
import type { Values } from './columns.ts';

/** A name used on more lines than this is vocabulary, not a link. */
const MAX_USES = 60;

export interface SymbolLinks {
  /** For a line inside a function or type: how relevant the most relevant line is that uses its name. */
  readonly defined: Values;
  /** For a line: how relevant the most relevant block is that defines a name this line uses. */
  readonly used: Values;
}

interface ReadText {
  readonly table: TermTable;
  readonly layout: Layout;
  readonly blocks: Blocks;
}

/** Follows names between definitions and uses, one step each way, and writes what it finds to `links`. */
export function linkSymbols(
  { table, layout, blocks }: ReadText,
  relevance: { readonly line: Values; readonly block: Values },
  { defined, used }: SymbolLinks,
): void {
  const lines = layout.flags.length;
  const definedAt = definitionLines(table, layout);
  const demand = new Float32Array(blocks.starts.length);
  used.fill(0);
  defined.fill(0);
  if (definedAt === undefined) return;
  for (let line = 0; line < lines; line += 1) {
    for (let at = table.starts[line] ?? 0; at < (table.starts[line + 1] ?? 0); at += 1) {
      const id = table.ids[at] ?? 0;
      const definition = definedAt[id] ?? -1;
      if (definition === -1 || (table.frequency[id] ?? 0) > MAX_USES) continue;
      const block = blocks.of[definition] ?? 0;
      if (block === blocks.of[line]) continue;
      demand[block] = Math.max(demand[block] ?? 0, relevance.line[line] ?? 0);
      used[line] = Math.max(used[line] ?? 0, relevance.block[definition] ?? 0);
    }
  }
  for (let line = 0; line < lines; line += 1) defined[line] = demand[blocks.of[line] ?? 0] ?? 0;
}

/** For each term that is a defined name, the line of its first definition. */
function definitionLines(table: TermTable, layout: Layout): Int32Array | undefined {
  let found: Int32Array | undefined;
  for (let line = 0; line < layout.flags.length; line += 1) {
    const name = layout.name[line];
    if (((layout.flags[line] ?? 0) & DEFINITION) === 0 || name === undefined || name.length < 3) continue;
    const id = scanGoal(name, table.vocabulary).ids.at(-1) ?? -1;
    if (id === -1) continue;
    found ??= new Int32Array(table.vocabulary.size).fill(-1);
    if (found[id] === -1) found[id] = line;
  }
  return found;
}

import { extname } from 'node:path';
import type { SourceType } from '@jeeves/engine';

const DOCS = new Set(['.md', '.mdx', '.markdown', '.rst', '.adoc', '.org', '.tex']);
const LOGS = new Set(['.log', '.out', '.err', '.trace']);
// Languages whose lines could be taken for prose or for a log; for the rest the text itself tells well enough.
const CODE = new Set(
  (
    '.c .cc .cpp .cs .css .cts .cxx .dart .ex .exs .erl .go .h .hpp .hs .java .js .jsx .kt .kts .less .lua .m .mjs ' +
    '.ml .mts .php .pl .proto .ps1 .py .pyi .r .rb .rs .scala .scss .sh .bash .zsh .sql .svelte .swift .tf .ts .tsx ' +
    '.vue .zig .toml .yaml .yml .json .xml .html .cjs .graphql .nix .vim .clj'
  ).split(' '),
);

/** What a file is, by its name. */
export function sourceOfFile(path: string): SourceType | 'auto' {
  const extension = extname(path).toLowerCase();
  if (CODE.has(extension)) return 'code';
  if (DOCS.has(extension)) return 'docs';
  return LOGS.has(extension) ? 'logs' : 'auto';
}

/** What a command wrote. A failing one wrote about its failure, whatever the lines look like. */
export function sourceOfCommand(failed: boolean): SourceType | 'auto' {
  return failed ? 'logs' : 'auto';
}

import type { Lines } from '../split.ts';
import { type Kind, loose, type Structure } from './kind.ts';
import { readTable } from './table-cells.ts';

/** Tables: a row needs the line that names the columns, and a file of `ls -R` the folder it is in. */
export const TABLE: Kind = {
  name: 'table',
  source: 'logs',
  recognises: (_, lines) => readTable(lines) !== undefined,
  structure,
};

function structure(lines: Lines): Structure {
  const { joined, scopeEnd } = loose(lines.length);
  const table = readTable(lines);
  if (table === undefined) return { joined, scopeEnd };
  if (table.header !== -1) {
    scopeEnd[table.header] = lines.length;
    return { joined, scopeEnd };
  }
  let folder = -1;
  for (let line = 0; line < lines.length; line += 1) {
    if (!/^\S.*:$/.test(lines.at(line).slice(0, 500))) continue;
    if (folder !== -1) scopeEnd[folder] = line;
    folder = line;
  }
  if (folder !== -1) scopeEnd[folder] = lines.length;
  return { joined, scopeEnd };
}

import { packText } from '../packing.ts';
import { insertRows } from '../sql/insert.ts';
import type { Dialect } from '../sql/session.ts';
import { searchSegments } from './search.ts';

/** One process at a time works on the file, so nothing has to be locked. */
export const SQLITE: Dialect = {
  key: packText,
  among: (column, parameter) => `${column} IN (SELECT value FROM json_each(${parameter}))`,
  listed: (parameter) => `(SELECT value AS key FROM json_each(${parameter}))`,
  // As bytes, since the build for WebAssembly looks for the end of a text byte by byte.
  joined: (expression) => `CAST(group_concat(${expression}) AS BLOB)`,
  locked: '',
  unlocked: '',
  async keepWords(session, _, lines) {
    const known = lines.filter((each) => each.known).map(({ seq }) => seq);
    if (known.length > 0) await SQLITE.removeWords(session, known);
    await insertRows(
      session,
      'segment_words (rowid, line)',
      lines.map(({ seq, line }) => [seq, line]),
    );
  },
  async removeWords(session, seqs) {
    await session.all(`DELETE FROM segment_words WHERE ${SQLITE.among('rowid', '$1')}`, [seqs]);
  },
  search: searchSegments,
};

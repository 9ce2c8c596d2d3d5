import { createHash } from 'node:crypto';
import type { Dialect, Session, WordLine } from '../sql/session.ts';
import { searchSegments } from './search.ts';

export const POSTGRES: Dialect = {
  key: keyOf,
  among: (column, parameter) => `${column} = ANY(${parameter})`,
  listed: (parameter) => `(SELECT unnest(${parameter}::bytea[]) AS key)`,
  joined: (expression) => `string_agg(${expression}, ',')`,
  locked: 'FOR UPDATE',
  unlocked: 'FOR UPDATE SKIP LOCKED',
  keepWords,
  async removeWords(session, seqs) {
    await session.all('DELETE FROM segment_words WHERE seq = ANY($1)', [seqs]);
  },
  search: searchSegments,
};

/** Names may be of any length, and no index takes those; no two names are known to share a key. Any string has one. */
function keyOf(name: string): Buffer {
  return createHash('sha256').update(name, 'utf16le').digest();
}

async function keepWords(session: Session, projectNo: number, lines: readonly WordLine[]): Promise<void> {
  await session.all(
    `INSERT INTO segment_words (seq, project, words)
     SELECT seq, $1, array_to_tsvector(string_to_array(line, ' ')) FROM unnest($2::bigint[], $3::text[]) AS given (seq, line)
     ON CONFLICT (seq) DO UPDATE SET words = excluded.words`,
    [projectNo, lines.map(({ seq }) => seq), lines.map(({ line }) => line)],
  );
}

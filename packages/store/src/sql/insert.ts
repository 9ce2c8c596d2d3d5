import type { Row, Session } from './session.ts';

/** So many rows at most go into one statement: both databases bound the number of parameters. */
const ROWS_AT_ONCE = 50;

/** Inserts rows with few statements. `after` is what follows the values, such as what to do about rows that are there. */
export async function insertRows(
  session: Session,
  into: string,
  rows: readonly (readonly unknown[])[],
  after = '',
): Promise<Row[]> {
  const returned: Row[] = [];
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    const some = rows.slice(start, start + ROWS_AT_ONCE);
    returned.push(...(await session.all(`INSERT INTO ${into} VALUES ${marksFor(some)} ${after}`, some.flat())));
  }
  return returned;
}

function marksFor(rows: readonly (readonly unknown[])[]): string {
  let next = 0;
  return rows.map((row) => `(${row.map(() => `$${(next += 1)}`).join(', ')})`).join(', ');
}

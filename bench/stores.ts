// How the stores behave as they grow from 1,000 to 100,000 segments: totals, metadata, search and writes, on SQLite and
// on a Postgres of its own. `npm run bench:stores`; exit code 1 when a limit is missed.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPostgresStores } from '@jeeves/store/postgres';
import { openSqliteStores } from '@jeeves/store/sqlite';
import { startPostgres } from '../packages/store/test/postgres-server.ts';
import { checkLimits } from './stores/limits.ts';
import { type Measurement, measureStore } from './stores/measure.ts';
import { toMarkdown, toTerminal } from './stores/report.ts';

const SIZES = [1_000, 10_000, 100_000] as const;
const RESULTS = new URL('results/', import.meta.url);

const rows = [...(await measureSqlite()), ...(await measurePostgres())];
const checks = checkLimits(rows);
process.stdout.write(toTerminal(rows, checks));
mkdirSync(RESULTS, { recursive: true });
writeFileSync(new URL('stores.md', RESULTS), toMarkdown(rows, checks));
process.exitCode = checks.every((check) => check.held) ? 0 : 1;

async function measureSqlite(): Promise<Measurement[]> {
  const directory = mkdtempSync(join(tmpdir(), 'jeeves-bench-'));
  try {
    const stores = await openSqliteStores({ path: join(directory, 'bench.db') });
    const measured = await measureStore('SQLite', stores.segments, SIZES);
    await stores.close();
    return measured;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function measurePostgres(): Promise<Measurement[]> {
  const server = await startPostgres({ durable: true });
  try {
    const stores = await openPostgresStores({ url: await server.createDatabase() });
    const measured = await measureStore('Postgres', stores.segments, SIZES);
    await stores.close();
    return measured;
  } finally {
    await server.remove();
  }
}

// What the context library costs as a project grows, on SQLite and on Postgres. `npm run bench:context` after
// `npm run build`; exit code 1 when a limit is missed.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStores } from '@jeeves/store';
import { startPostgres } from '../packages/store/test/postgres-server.ts';
import { type Figures, fill, measure } from './context/measure.ts';
import { isHeld, toMarkdown, toTerminal } from './context/report.ts';

const RESULTS = new URL('results/', import.meta.url);
const SIZES = (process.argv[2] ?? '1000,10000,100000').split(',').map(Number);
const directory = mkdtempSync(join(tmpdir(), 'jeeves-bench-'));
const postgres = await startPostgres({ durable: true });

try {
  const tables = [
    { store: 'SQLite', rows: await grow(`sqlite:${join(directory, 'jeeves.db')}`) },
    { store: 'Postgres', rows: await grow(await postgres.createDatabase()) },
  ];
  const load = loadavg()[0]?.toFixed(1);
  const machine = `Node ${process.versions.node}, ${availableParallelism()} cores, load average ${load}`;
  process.stdout.write(toTerminal(tables));
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(new URL('context.md', RESULTS), toMarkdown(tables, machine));
  process.exitCode = tables.every(({ rows }) => rows.every(isHeld)) ? 0 : 1;
} finally {
  await postgres.remove();
  rmSync(directory, { recursive: true, force: true });
}

async function grow(url: string): Promise<Figures[]> {
  const stores = await openStores(url);
  const rows: Figures[] = [];
  let filled = 0;
  for (const size of SIZES) {
    process.stderr.write(`${stores.url.split(':', 1)[0]}: ${size} segments …\n`);
    await fill(stores, filled, size);
    filled = size;
    rows.push(await measure(stores, size, url));
    process.stderr.write(toTerminal([{ store: 'measured', rows: rows.slice(-1) }]));
  }
  await stores.close();
  return rows;
}

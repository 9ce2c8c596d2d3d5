import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { createMemoryStore } from '../../src/store/memory.ts';
import { openSqliteStore } from '../../src/store/sqlite.ts';
import { AVAILABLE_DRIVERS } from './drivers.ts';
import { describeStore } from './suite.ts';

const directory = mkdtempSync(join(tmpdir(), 'jeeves-store-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

describeStore({
  name: 'memory',
  open: async (options) => createMemoryStore(options),
  clean: () => undefined,
  modelRuns: 300,
});

for (const driver of AVAILABLE_DRIVERS) {
  describeStore({
    name: `SQLite (${driver})`,
    open: (options) => openSqliteStore({ ...options, driver, path: join(directory, `${randomUUID()}.db`) }),
    clean: () => rmSync(directory, { recursive: true, force: true }),
    modelRuns: 20,
  });
}

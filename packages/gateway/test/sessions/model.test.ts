import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryStores, type Stores } from '@jeeves/store';
import { openSqliteStores } from '@jeeves/store/sqlite';
import fc from 'fast-check';
import { afterAll, describe, test } from 'vitest';
import { CatalogueModel, CatalogueWorld, commands } from './model.ts';

const directory = mkdtempSync(join(tmpdir(), 'jeeves-sessions-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

let file = 0;
const stores = {
  memory: {
    runs: 80,
    survives: false,
    path: () => '',
    open: async (_: string, options: object): Promise<Stores> => await Promise.resolve(createMemoryStores(options)),
  },
  sqlite: {
    runs: 4,
    survives: true,
    path: () => join(directory, `${(file += 1)}.db`),
    open: async (path: string, options: object): Promise<Stores> => await openSqliteStores({ ...options, path }),
  },
};

describe.each(Object.entries(stores))('sessions on the %s store', (_, { runs, survives, path, open }) => {
  test('deliver every living tool after its last change, and say of none that it was sent when it was not', async () => {
    await fc.assert(
      fc.asyncProperty(commands(survives), async (steps) => {
        const world = new CatalogueWorld(path(), open);
        try {
          await fc.asyncModelRun(() => ({ model: new CatalogueModel(), real: world }), steps);
        } finally {
          await world.close();
        }
      }),
      { numRuns: runs, seed: 6, endOnFailure: true },
    );
  }, 60_000);
});

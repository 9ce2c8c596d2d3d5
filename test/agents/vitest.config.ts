import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const conditions = ['@jeeves/source', 'node'];

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    // Not `.test.ts`: who has not installed the clients does not run these.
    include: ['test/agents/*.spec.ts'],
    // One client each at a time: together they fill two cores and a gigabyte.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});

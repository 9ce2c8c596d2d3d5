import { defineConfig } from 'vitest/config';

// Tests run from sources: every workspace package exports its src under this condition.
const conditions = ['@jeeves/source', 'node'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: ['packages/*/test/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: ['**/dist/**', '**/node_modules/**'],
    // The suites hold no module state, so one worker per core serves all files: start-up is most of a file's cost.
    isolate: false,
    // Left to itself, the runner keeps a core free, and two cores then take ten minutes instead of six.
    maxWorkers: '100%',
    testTimeout: 20_000,
  },
});

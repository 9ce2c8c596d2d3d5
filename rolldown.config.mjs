import { defineConfig } from 'rolldown';

// Programs are bundled because a fresh process pays for every file it opens; libraries are plain tsc output.
const program = (name, entry, output) => ({
  input: `packages/${name}/src/${entry}`,
  platform: 'node',
  // Its WebAssembly file lies beside its code, so it stays where it is installed.
  external: ['node-sqlite3-wasm'],
  resolve: { conditionNames: ['@jeeves/source', 'node', 'import', 'default'] },
  output: { dir: `packages/${name}/dist`, format: 'esm', entryFileNames: output, chunkFileNames: 'chunks/[name]-[hash].js' },
});

export default defineConfig([program('cli', 'cli.ts', 'cli.js'), program('mcp-pruner', 'index.ts', 'index.js')]);

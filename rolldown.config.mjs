import { defineConfig } from 'rolldown';

// Programs are bundled because a fresh process pays for every file it opens; libraries are plain tsc output.
const program = (name, entries) => ({
  input: Object.fromEntries(entries.map((entry) => [entry, `packages/${name}/src/${entry}.ts`])),
  platform: 'node',
  // Its WebAssembly file lies beside its code, so it stays where it is installed.
  external: ['node-sqlite3-wasm'],
  resolve: { conditionNames: ['@jeeves/source', 'node', 'import', 'default'] },
  output: {
    dir: `packages/${name}/dist`,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name].js',
  },
});

export default defineConfig([program('cli', ['cli']), program('mcp-pruner', ['index', 'host/index'])]);

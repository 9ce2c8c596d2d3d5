import { defineConfig } from 'rolldown';

// Programs are bundled because a fresh process pays for every file it opens; libraries are plain tsc output.
const program = (name, entries) => ({
  input: Object.fromEntries(entries.map((entry) => [entry, `packages/${name}/src/${entry}.ts`])),
  platform: 'node',
  // WebAssembly lies beside its code, and agent clients are there or not: these stay where they are installed.
  external: ['node-sqlite3-wasm', 'pg', '@anthropic-ai/claude-agent-sdk', '@openai/codex-sdk', '@openai/codex'],
  resolve: { conditionNames: ['@jeeves/source', 'node', 'import', 'default'] },
  output: {
    dir: `packages/${name}/dist`,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name].js',
  },
});

export default defineConfig([
  program('cli', ['cli']),
  program('mcp-pruner', ['index', 'http', 'http-program', 'host/index', 'exec/index', 'settings/index', 'settings/path']),
]);

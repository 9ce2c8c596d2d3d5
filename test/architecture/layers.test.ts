import { describe, expect, test } from 'vitest';
import { verifies } from '../e2e/verifies.ts';
import {
  importsIn,
  importsOf,
  isRelative,
  packageOf,
  reachableFrom,
  withoutComments,
  writtenFiles,
} from './imports.ts';
import { packageNames, readSource, sourcesOf } from './sources.ts';

/**
 * The one table of who may import whom, as the architecture draws it. `jeeves` lists what may be imported of the
 * workspace, subpath by subpath where only a part is open; `node` says whether the platform may be used.
 */
const ALLOWED: Readonly<Record<string, { jeeves: readonly string[]; libraries: readonly string[]; node: boolean }>> = {
  protocol: { jeeves: [], libraries: ['zod'], node: false },
  process: { jeeves: [], libraries: [], node: true },
  engine: { jeeves: [], libraries: ['gpt-tokenizer'], node: false },
  store: { jeeves: ['@jeeves/engine', '@jeeves/process'], libraries: ['node-sqlite3-wasm', 'pg'], node: true },
  context: { jeeves: ['@jeeves/engine', '@jeeves/store'], libraries: [], node: true },
  'mcp-pruner': {
    jeeves: ['@jeeves/protocol', '@jeeves/process', '@jeeves/engine', '@jeeves/store', '@jeeves/context'],
    libraries: ['zod', 'smol-toml'],
    node: true,
  },
  gateway: {
    jeeves: ['@jeeves/protocol', '@jeeves/process', '@jeeves/engine', '@jeeves/store', '@jeeves/mcp-pruner/host'],
    libraries: ['@modelcontextprotocol/client', '@cfworker/json-schema'],
    node: true,
  },
  runner: {
    jeeves: ['@jeeves/protocol', '@jeeves/process'],
    libraries: ['@anthropic-ai/claude-agent-sdk', '@openai/codex-sdk', 'yaml'],
    node: true,
  },
  viewer: { jeeves: ['@jeeves/protocol', '@jeeves/engine/marker'], libraries: [], node: true },
  cli: {
    jeeves: ['protocol', 'process', 'engine', 'store', 'context', 'mcp-pruner', 'gateway', 'runner', 'viewer'].map(
      (name) => `@jeeves/${name}`,
    ),
    libraries: ['commander'],
    node: true,
  },
};

/** The entries of the engine beside its root, and the libraries they may reach. */
const ENGINE_SUBPATHS = {
  'packages/engine/src/tokens.ts': ['gpt-tokenizer'],
  'packages/engine/src/terms/index.ts': [],
} as const;

/** Names of the wire: fields of requests, results and statistics. Codes and event names are data, not listed here. */
const WIRE_NAMES = [
  'context_focus_question',
  'max_output_bytes',
  'file_path',
  'exit_code',
  'raw_bytes',
  'pruned_bytes',
  'pruner_duration_ms',
  'goal_hint',
  'source_type',
  'max_prune_ratio',
  'min_keep_lines',
  'annotate_lines',
  'include_markers',
  'include_line_numbers',
  'prune_id',
  'pruned_text',
  'raw_text',
  'line_numbering',
  'start_line',
  'end_line',
  'max_line',
  'original_start_line',
  'original_end_line',
  'pruned_line_count',
  'pruned_block',
  'original_lines',
  'kept_lines',
  'pruned_lines',
  'pruned_ratio',
  'tokens_est_before',
  'tokens_est_after',
  'tokens_saved_est',
  'elapsed_ms',
  'used_fallback',
  'cost_estimated_usd',
  'deepinfra_latency_ms',
  'deepinfra_docs_scored',
  'deepinfra_docs_total',
  'deepinfra_http_status',
  'deepinfra_cached',
  'context_descriptors',
  'segment_ids',
  'request_id',
] as const;

/** Markers are text that people read, not fields: in `⟦PRUNÉ: prune_id=…` the word belongs to the grammar. */
const MARKER_START = /⟦(?:PRUNÉ: )?prune_id=/g;

/** The edge of a server: it takes and returns the contract's own types, so the compiler holds every spelling there. */
const EDGES: readonly string[] = [
  ...['host/', 'tools/', 'routes/', 'pruner.ts', 'identity.ts'].map((part) => `packages/mcp-pruner/src/${part}`),
  // A client of our own servers.
  'packages/cli/src/doctor/',
];

/** Names that are not the wire's where they stand. */
const OTHER_MEANINGS: Readonly<Record<string, readonly string[]>> = {
  // A field of Codex.
  'packages/runner/src/providers/codex/items.ts': ['exit_code'],
  // The marker grammar itself.
  'packages/engine/src/marker.ts': ['prune_id'],
  // A column of earlier databases.
  'packages/store/src/sqlite/schema.ts': ['prune_id'],
};

/** What people or other programs start. */
const PROGRAMS = new Set([
  'packages/cli/src/cli.ts',
  'packages/mcp-pruner/src/index.ts',
  'packages/mcp-pruner/src/http.ts',
]);

const SOURCES = packageNames().flatMap((name) => sourcesOf(name).map((file) => ({ name, file })));

function offences(check: (source: { name: string; file: string }) => readonly string[]): string[] {
  return SOURCES.flatMap((source) => check(source).map((what) => `${source.file}: ${what}`));
}

function uses(pattern: RegExp, mayUse: (file: string) => boolean): string[] {
  return offences(({ file }) => (mayUse(file) ? [] : (codeOf(file).match(pattern) ?? [])));
}

describe('packages', () => {
  verifies('workspace.layers', 'import only what the table allows', () => {
    expect(packageNames().filter((name) => ALLOWED[name] === undefined)).toEqual([]);
    const forbidden = offences(({ name, file }) => importsOf(file).filter((specifier) => !isAllowed(name, specifier)));
    expect(forbidden).toEqual([]);
    expect(SOURCES.length).toBeGreaterThan(50);
  });

  verifies('workspace.layers', 'nobody imports the command line', () => {
    const users = writtenFiles().filter((file) => !file.startsWith('packages/cli/'));
    expect(users.filter((file) => importsOf(file).some((specifier) => packageOf(specifier) === '@jeeves/cli'))).toEqual(
      [],
    );
  });

  verifies('workspace.layers', 'reach into no other package past its entries', () => {
    const inward = offences(({ name, file }) =>
      importsOf(file).filter((specifier) => isRelative(specifier) && escapes(file, specifier, name)),
    );
    expect(inward).toEqual([]);
  });
});

describe('the engine', () => {
  const root = [...reachableFrom('packages/engine/src/index.ts')];

  verifies('workspace.engine-pure', 'reaches neither the platform nor a library from its root', () => {
    expect(root.length).toBeGreaterThan(20);
    const outward = root.flatMap((file) => importsOf(file).filter((specifier) => !isRelative(specifier)));
    expect(outward).toEqual([]);
    const globals = root.filter((file) =>
      /\b(?:process|Buffer|require|__dirname)\b\s*[.([]/.test(withoutComments(readSource(file))),
    );
    expect(globals).toEqual([]);
  });

  verifies('workspace.engine-pure', 'keeps each library behind its own subpath', () => {
    const outside = Object.entries(ENGINE_SUBPATHS).flatMap(([entry, libraries]) =>
      [...reachableFrom(entry)].flatMap((file) =>
        importsOf(file).filter(
          (specifier) => isLibrary(specifier) && !libraries.some((library) => library === packageOf(specifier)),
        ),
      ),
    );
    expect(outside).toEqual([]);
    const entries = ['packages/engine/src/index.ts', ...Object.keys(ENGINE_SUBPATHS)];
    const reached = new Set(entries.flatMap((entry) => Array.from(reachableFrom(entry))));
    expect(sourcesOf('engine').filter((file) => !reached.has(file))).toEqual([]);
  });

  verifies('workspace.engine-pure', 'has a marker grammar that stands alone, for browsers', () => {
    expect([...reachableFrom('packages/engine/src/marker.ts')]).toEqual(['packages/engine/src/marker.ts']);
  });
});

describe('words', () => {
  verifies('workspace.wire-names', 'of the wire stand in the contract and at the edge of a server only', () => {
    const found = offences(({ name, file }) => {
      if (name === 'protocol' || EDGES.some((edge) => file.startsWith(edge))) return [];
      const code = withoutComments(readSource(file)).replace(MARKER_START, '');
      const excepted = OTHER_MEANINGS[file] ?? [];
      return WIRE_NAMES.filter((word) => !excepted.includes(word) && new RegExp(`\\b${word}\\b`).test(code));
    });
    expect(found).toEqual([]);
  });

  verifies('workspace.wire-names', 'of the wire are really the contract’s', () => {
    const contract = sourcesOf('protocol').map(readSource).join('\n');
    expect(WIRE_NAMES.filter((word) => !new RegExp(`\\b${word}\\b`).test(contract))).toEqual([]);
  });
});

describe('the process', () => {
  verifies('workspace.process', 'its environment is read in config.ts only; a program may hand it over', () => {
    expect(uses(/\bprocess\s*\.\s*env\b/g, (file) => file.endsWith('/config.ts'))).toEqual([]);
  });

  verifies('workspace.process', 'its arguments and its end belong to programs', () => {
    expect(uses(/\bprocess\s*\.\s*(?:argv|exit)\b/g, (file) => PROGRAMS.has(file))).toEqual([]);
  });
});

describe('the reader of imports', () => {
  test('sees every form of import and nothing in comments or strings', () => {
    const source = [
      "import a from 'a';",
      "import type { B } from 'b';",
      "export { c } from './c.ts';",
      "const d = await import('d/e');",
      "import 'side-effect';",
      "// import x from 'comment';",
      "const words = ['import', 'imports'];",
      "/* from 'block' */ const url = 'https://host//path';",
    ].join('\n');
    expect(importsIn(source)).toEqual(['./c.ts', 'a', 'b', 'd/e', 'side-effect']);
    expect(withoutComments(source)).toContain('https://host//path');
  });

  test.each([
    ['protocol', 'zod', true],
    ['protocol', 'node:fs', false],
    ['protocol', '@jeeves/engine', false],
    ['runner', '@jeeves/mcp-pruner', false],
    ['gateway', '@jeeves/mcp-pruner/host', true],
    ['gateway', '@jeeves/mcp-pruner', false],
    ['viewer', '@jeeves/engine', false],
    ['cli', '@jeeves/store', true],
    ['cli', 'lodash', false],
  ])('%s and %s: %s', (name, specifier, allowed) => {
    expect(isAllowed(name, specifier)).toBe(allowed);
  });
});

/** A program that gives its environment to the configuration does not read it. */
function codeOf(file: string): string {
  const code = withoutComments(readSource(file));
  return PROGRAMS.has(file) ? code.replaceAll('readConfig(process.env', 'readConfig(') : code;
}

function isAllowed(name: string, specifier: string): boolean {
  const rule = ALLOWED[name];
  if (isRelative(specifier)) return true;
  if (rule === undefined) return false;
  if (specifier.startsWith('node:')) return rule.node;
  if (!specifier.startsWith('@jeeves/')) return rule.libraries.includes(packageOf(specifier));
  return rule.jeeves.some(
    (entry) => specifier === entry || (packageOf(entry) === entry && specifier.startsWith(`${entry}/`)),
  );
}

function isLibrary(specifier: string): boolean {
  return !isRelative(specifier) && !specifier.startsWith('node:');
}

function escapes(file: string, specifier: string, name: string): boolean {
  return !new URL(specifier, `file:///${file}`).pathname.startsWith(`/packages/${name}/src/`);
}

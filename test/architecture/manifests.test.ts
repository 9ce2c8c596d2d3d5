import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { verifies } from '../e2e/verifies.ts';
import { importsOf, isRelative, packageOf } from './imports.ts';
import { packageNames, ROOT, readSource, sourcesOf } from './sources.ts';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly license: string;
  readonly type: string;
  readonly engines: { readonly node: string };
  readonly files?: readonly string[];
  readonly bin?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const PACKAGES = [
  'cli',
  'context',
  'engine',
  'gateway',
  'mcp-pruner',
  'process',
  'protocol',
  'runner',
  'store',
  'viewer',
];

/** The most third-party packages that each may depend on at run time. */
const BUDGET: Readonly<Record<string, number>> = {
  engine: 1,
  store: 2,
  protocol: 1,
  process: 0,
  context: 0,
  'mcp-pruner': 5,
  gateway: 4,
  runner: 1,
};

const root = manifestOf('.');
const manifests = packageNames().map((name) => ({ name, manifest: manifestOf(`packages/${name}`) }));

describe.each(manifests)('$name', ({ name, manifest }) => {
  const { dependencies = {}, exports = {}, bin = {} } = manifest;

  verifies('workspace.names', `${name} is a package of the product, at its version, for its platforms`, () => {
    expect(PACKAGES).toContain(name);
    expect(manifest).toMatchObject({
      name: `@jeeves/${name}`,
      version: root.version,
      license: root.license,
      type: 'module',
      engines: root.engines,
    });
  });

  test('publishes its build and its README', () => {
    expect(manifest.files).toEqual(expect.arrayContaining(['dist', 'README.md']));
    const written = (manifest.files ?? []).filter((file) => file !== 'dist');
    expect(written.filter((file) => !existsSync(`${ROOT}packages/${name}/${file}`))).toEqual([]);
  });

  test('exports and programs point to sources that exist', () => {
    const programs = [...Object.values(bin), ...Object.values(exports).filter((target) => typeof target === 'string')];
    const conditional = Object.values(exports).filter((target) => typeof target === 'object');
    expect(programs.length + conditional.length).toBeGreaterThan(0);
    for (const program of programs) {
      expect(program).toMatch(/^\.\/dist\/.+\.js$/);
      expect(sourceExists(program.replace('./dist/', './src/').replace(/\.js$/, '.ts')), program).toBe(true);
    }
    for (const target of conditional) {
      // Conditions are tried in order: the source must come first.
      expect(Object.keys(target)).toEqual(['@jeeves/source', 'types', 'default']);
      const { '@jeeves/source': source = '', types = '', default: built = '' } = target;
      const path = source.replace('./src/', '').replace(/\.ts$/, '');
      expect(sourceExists(source), source).toBe(true);
      expect([types.startsWith('./dist/'), types.endsWith(`/${path}.d.ts`)], types).toEqual([true, true]);
      expect(built).toBe(`./dist/${path}.js`);
    }
  });

  test('declares what it imports', () => {
    const imported = sourcesOf(name)
      .flatMap(importsOf)
      .filter((specifier) => !isRelative(specifier) && !specifier.startsWith('node:'))
      .map(packageOf);
    const declared = Object.keys({ ...dependencies, ...manifest.peerDependencies, ...manifest.optionalDependencies });
    expect([...new Set(imported)].filter((library) => !declared.includes(library))).toEqual([]);
  });

  function sourceExists(path: string): boolean {
    return path.startsWith('./src/') && existsSync(`${ROOT}packages/${name}/${path}`);
  }

  verifies('security.t26.supply-chain', `${name} pins few dependencies and runs nothing at installation`, () => {
    const thirdParty = Object.entries(dependencies).filter(([library]) => !library.startsWith('@jeeves/'));
    expect(thirdParty.length).toBeLessThanOrEqual(BUDGET[name] ?? 5);
    for (const [library, version] of thirdParty) expect(version, library).toMatch(/^\d+\.\d+\.\d+$/);
    expect(Object.keys(manifest.scripts ?? {}).filter(isInstallScript)).toEqual([]);
  });
});

verifies(
  'security.t26.supply-chain',
  'the repository has a lock file and exact versions, and runs nothing at installation',
  () => {
    expect(existsSync(`${ROOT}pnpm-lock.yaml`)).toBe(true);
    for (const [library, version] of Object.entries(root.devDependencies ?? {})) {
      expect(version, library).toMatch(/^(?:\d+\.\d+\.\d+|workspace:\*)$/);
    }
    expect(Object.keys(root.scripts ?? {}).filter(isInstallScript)).toEqual([]);
    expect(root.private).toBe(true);
  },
);

function manifestOf(directory: string): Manifest {
  return JSON.parse(readSource(`${directory}/package.json`)) as Manifest;
}

function isInstallScript(name: string): boolean {
  return /^(?:pre|post)?(?:install|prepare)$/.test(name);
}

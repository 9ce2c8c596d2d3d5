import { describe, expect, test } from 'vitest';
import { exportsIn } from './imports.ts';
import { packageNames, ROOT, readSource } from './sources.ts';

interface Manifest {
  readonly name: string;
  /** A program is exported as the built file it is; what can be imported has conditions. */
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
}

const ENTRIES = packageNames().flatMap((name) => {
  const { exports = {}, ...manifest } = JSON.parse(readSource(`packages/${name}/package.json`)) as Manifest;
  return Object.entries(exports).flatMap(([subpath, target]) =>
    typeof target === 'string'
      ? []
      : [
          {
            specifier: `${manifest.name}${subpath.slice(1)}`,
            file: `packages/${name}/${(target['@jeeves/source'] ?? '').replace('./', '')}`,
          },
        ],
  );
});

describe('the public surface', () => {
  // Whoever changes what others may import says so by changing these lists, too: `vitest run test/architecture -u`.
  test.each(ENTRIES)('$specifier exports exactly its list', async ({ specifier, file }) => {
    const names = exportsIn(readSource(file));
    expect(names.length).toBeGreaterThan(0);
    const list = specifier.replace('@jeeves/', '').replaceAll('/', '-');
    await expect(`${names.join('\n')}\n`).toMatchFileSnapshot(`__snapshots__/surface/${list}.txt`);
  });

  test.each(ENTRIES)('$specifier gives at run time what its list says', async ({ file }) => {
    const listed = exportsIn(readSource(file)).filter((name) => !name.startsWith('type '));
    const module = (await import(`${ROOT}${file}`)) as object;
    expect(Object.keys(module).sort()).toEqual(listed);
  });

  test('has no wildcard and no default', () => {
    const open = ENTRIES.flatMap(({ file }) => exportsIn(readSource(file)).filter((name) => name.startsWith('export')));
    expect(open).toEqual([]);
  });
});

test('the reader of exports sees every form', () => {
  const source = [
    "export { a, type B, c as d } from './x.ts';",
    "export type { E } from './y.ts';",
    'export async function f(): Promise<void> {}',
    'export const G = 1;',
    'export interface H {}',
    'export type I = string;',
    "export * from './z.ts';",
    '// export const hidden = 1;',
  ].join('\n');
  expect(exportsIn(source)).toEqual([
    'G',
    'a',
    'd',
    "export * from './z.ts';",
    'f',
    'type B',
    'type E',
    'type H',
    'type I',
  ]);
});

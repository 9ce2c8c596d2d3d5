import { describe, expect, test } from 'vitest';
import { withoutComments, writtenFiles } from './imports.ts';
import { readSource } from './sources.ts';

const MAX_LINES = 350;
const SELF = 'test/architecture/sizes.test.ts';

const FILES = writtenFiles().filter((file) => file !== SELF);

/** What a file of a kind must not hold. Patterns look at code; those with `prose` also at comments. */
const FORBIDDEN: readonly { what: string; pattern: RegExp; prose?: boolean; where?: (file: string) => boolean }[] = [
  { what: 'a mocked module', pattern: /\bvi\s*\.\s*(?:mock|doMock)\b/ },
  { what: 'a note to self', pattern: /\b(?:TODO|FIXME|XXX)\b/, prose: true },
  { what: 'any as a type', pattern: /(?::\s*|\bas\s+|<)any\b(?!\w)/ },
  {
    what: 'a silenced compiler',
    pattern: /@ts-(?:ignore|nocheck|expect-error)/,
    prose: true,
  },
  { what: 'a skipped or lone test', pattern: /\b(?:it|test|describe)\s*\.\s*(?:skip|only|todo|fails)\b/ },
  { what: 'a default export', pattern: /^export\s+default\b/m, where: (file) => file.startsWith('packages/') },
  { what: 'an enum', pattern: /^\s*(?:export\s+)?(?:const\s+)?enum\s/m },
  {
    what: 'a title that says "should"',
    pattern: /\b(?:it|test|verifies)\s*\(\s*(?:\[[^\]]*\]\s*,|'[^']*'\s*,)?\s*['"`]should\b/,
  },
];

describe('every file that people write', () => {
  test('is found', () => {
    expect(FILES.length).toBeGreaterThan(100);
  });

  test(`has at most ${MAX_LINES} lines`, () => {
    const long = FILES.map((file) => [file, readSource(file).trimEnd().split('\n').length] as const);
    expect(long.filter(([, lines]) => lines > MAX_LINES)).toEqual([]);
  });

  test.each(FORBIDDEN)('holds no $what', ({ pattern, prose = false, where = () => true }) => {
    const guilty = FILES.filter(where).filter((file) => {
      const source = readSource(file);
      return pattern.test(prose ? source : withoutComments(source));
    });
    expect(guilty).toEqual([]);
  });

  test.each([
    ['a mocked module', "vi.mock('./x.ts')"],
    ['a note to self', '// TODO later'],
    ['any as a type', 'const x: any = 1'],
    ['any as a type', 'x as any'],
    ['a silenced compiler', '// @ts-ignore'],
    ['a skipped or lone test', "it.skip('x')"],
    ['a default export', 'export default 1'],
    ['an enum', 'export enum A {}'],
    ['a title that says "should"', "it('should work', f)"],
  ])('%s would be noticed: %s', (what, source) => {
    expect(FORBIDDEN.some((rule) => rule.what === what && rule.pattern.test(source))).toBe(true);
  });
});

import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bundledRipgrep } from '../../src/exec/program.ts';
import { SearchError, search } from '../../src/exec/search.ts';
import { createSearcher, type Engine, requestFor } from './searching.ts';
import { CANARY, makeFifos, temporaryDirectory, unprivileged, writeTree } from './world.ts';

const base = temporaryDirectory();
const root = join(base, 'root');
writeTree(base, {
  'root/a/x.txt': 'one needle\ntwo needle needle\nthree\n',
  'root/a-b/x.txt': 'needle\r\nplain\r\n',
  'root/b.txt': 'the last needle has no line feed after it: needle',
  'root/sub/unicode.txt': 'é€😀 needle\nNEEDLE Ärger\nNeedle ärger\n',
  'root/sub/latin1.txt': Buffer.from('caf\xe9 needle\n', 'latin1'),
  'root/sub/bom.txt': '\uFEFFneedle first\nneedle second\n',
  'root/sub/colon:12:odd name.txt': '42: needle\n',
  'root/sub/line\nfeed.txt': 'needle\n',
  'root/binary.bin': 'needle\n\0\0\nneedle\n',
  'root/empty.txt': '',
  'root/.hidden': 'needle hidden\n',
  'root/.dir/file.txt': 'needle in a hidden directory\n',
  'root/.dir/.deeper/file.txt': 'needle deeper\n',
  'root/words.txt': 'colour\ncolor\nab12\n\nabab\naXc\nfoo.bar\nx_y\n  indented\n',
  'outside/secret.txt': `needle ${CANARY}\n`,
});
symlinkSync('../outside', join(root, 'link-out'));
symlinkSync('../../outside/secret.txt', join(root, 'sub/link-to-secret'));
makeFifos(join(root, 'sub/fifo'));

const ENGINES: readonly Engine[] = ['rg', 'grep'];
const searcher = await createSearcher(root, join(base, 'programs'));

describe.each(ENGINES)('%s', (engine) => {
  it('names itself, its exit code, and every match sorted by path and line', async () => {
    const { matches, ...rest } = await searcher(engine, 'needle', { fixedString: true });
    expect(rest).toEqual({ engine, truncated: false, exitCode: 0 });
    expect(matches.map(({ path, line, column, text }) => [path, line, column, text])).toEqual([
      ['a/x.txt', 1, 5, 'one needle'],
      ['a/x.txt', 2, 5, 'two needle needle'],
      ['a-b/x.txt', 1, 1, 'needle\r'],
      ['b.txt', 1, 10, 'the last needle has no line feed after it: needle'],
      ['sub/bom.txt', 1, 1, 'needle first'],
      ['sub/bom.txt', 2, 1, 'needle second'],
      ['sub/colon:12:odd name.txt', 1, 5, '42: needle'],
      ['sub/latin1.txt', 1, 6, 'caf\uFFFD needle'],
      ['sub/line\nfeed.txt', 1, 1, 'needle'],
      ['sub/unicode.txt', 1, 5, 'é€😀 needle'],
    ]);
  });

  it('takes no match for a success', async () => {
    expect(await searcher(engine, 'no such text')).toEqual({ engine, matches: [], truncated: false, exitCode: 1 });
  });

  it('counts columns in characters, for expressions only if the program tells', async () => {
    const column = engine === 'rg' ? 5 : null;
    expect((await searcher(engine, 'need+le', { paths: [join(root, 'sub/unicode.txt')] })).matches[0]?.column).toBe(
      column,
    );
  });

  it('ignores case when it does not count, beyond ASCII too', async () => {
    const lines = await searcher.lines(engine, 'ÄRGER', { fixedString: true, caseSensitive: false });
    expect(lines).toEqual(['sub/unicode.txt:2:8:NEEDLE Ärger', 'sub/unicode.txt:3:8:Needle ärger']);
  });

  it.each([
    ['.hidden', ['.hidden:1:1:needle hidden']],
    ['.dir', ['.dir/file.txt:1:1:needle in a hidden directory']],
    ['.dir/.deeper/file.txt', ['.dir/.deeper/file.txt:1:1:needle deeper']],
    ['binary.bin', ['binary.bin:1:1:needle', 'binary.bin:3:1:needle']],
    ['empty.txt', []],
  ])('searches %s when it is named', async (name, expected) => {
    expect(await searcher.lines(engine, 'needle', { paths: [join(root, name)], fixedString: true })).toEqual(expected);
  });

  it('finds nothing twice in paths that overlap', async () => {
    const paths = [join(root, 'a/x.txt'), join(root, 'a'), root, root].map((path) => path);
    const lines = await searcher.lines(engine, 'needle', { paths, fixedString: true });
    expect(lines.slice(0, 3)).toEqual([
      'a/x.txt:1:5:one needle',
      'a/x.txt:2:5:two needle needle',
      'a-b/x.txt:1:1:needle\r',
    ]);
    expect(lines).toHaveLength(10);
  });

  it('follows no link out of the root', async () => {
    expect(JSON.stringify(await searcher(engine, 'needle|CANARY'))).not.toContain(CANARY);
  });

  it.each([
    ['sub/fifo', 'invalid_path'],
    ['missing', 'not_found'],
  ])('refuses %s as a path', async (name, code) => {
    await expect(searcher(engine, 'x', { paths: [join(root, name)] })).rejects.toMatchObject({
      name: 'PathError',
      code,
    });
  });
});

describe.each(ENGINES)('context lines of %s', (engine) => {
  const paths = [join(root, 'numbers.txt')];
  writeTree(root, { 'numbers.txt': 'l1\nl2 hit\nl3\nl4\nl5 hit\nl6 hit\nl7\n', 'numbers2.txt': 'l1 hit' });

  it('stand before and after each match, other matches among them', async () => {
    const { matches } = await searcher(engine, 'hit', { paths, contextLines: 2 });
    expect(matches.map(({ line, before, after }) => [line, before, after])).toEqual([
      [2, ['l1'], ['l3', 'l4']],
      [5, ['l3', 'l4'], ['l6 hit', 'l7']],
      [6, ['l4', 'l5 hit'], ['l7']],
    ]);
  });

  it('do not run from one group or file into the next', async () => {
    const both = [...paths, join(root, 'numbers2.txt')];
    const { matches } = await searcher(engine, 'hit', { paths: both, contextLines: 1 });
    expect(matches.map(({ path, before, after }) => [path, before, after])).toEqual([
      ['numbers.txt', ['l1'], ['l3']],
      ['numbers.txt', ['l4'], ['l6 hit']],
      ['numbers.txt', ['l5 hit'], ['l7']],
      ['numbers2.txt', [], []],
    ]);
  });

  it('are complete for the last match before the limit', async () => {
    const { matches, truncated } = await searcher(engine, 'hit', { paths, contextLines: 2, maxMatches: 1 });
    expect(matches).toEqual([
      {
        path: 'numbers.txt',
        line: 2,
        column: engine === 'rg' ? 4 : null,
        text: 'l2 hit',
        before: ['l1'],
        after: ['l3', 'l4'],
      },
    ]);
    expect(truncated).toBe(true);
  });

  it('are absent unless asked for', async () => {
    const { matches } = await searcher(engine, 'hit', { paths, maxMatches: 1 });
    expect(Object.keys(matches[0] ?? {})).toEqual(['path', 'line', 'column', 'text']);
  });

  it('count towards the byte limit', async () => {
    const { matches, truncated } = await searcher(engine, 'hit', { paths, contextLines: 2, maxOutputBytes: 11 });
    expect(matches).toMatchObject([{ text: 'l2 hit', before: ['l1'], after: ['l3', 'l'] }]);
    expect(truncated).toBe(true);
  });
});

describe.each(ENGINES)('limits of %s', (engine) => {
  writeTree(root, { 'many.log': 'match é\n'.repeat(200_000) });
  const paths = [join(root, 'many.log')];

  it('ends at the wanted number of matches', async () => {
    const { matches, ...rest } = await searcher(engine, 'match', { paths, maxMatches: 7 });
    expect(matches.map(({ line }) => line)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(rest).toEqual({ engine, truncated: true, exitCode: null });
  });

  it('ends at the wanted number of bytes, cutting the last text between characters', async () => {
    const { matches, ...rest } = await searcher(engine, 'match', { paths, maxOutputBytes: 23 });
    expect(matches.map(({ text }) => text)).toEqual(['match é', 'match é', 'match ']);
    expect(rest).toEqual({ engine, truncated: true, exitCode: null });
  });

  it('leaves out a line that nobody wrote, says so, and goes on', async () => {
    const minified = join(root, `minified-${engine}.js`);
    writeFileSync(minified, `${'x'.repeat(34 * 1024 ** 2)} needle\nneedle behind it\n`);
    const before = process.memoryUsage.rss();
    const { matches, truncated } = await searcher(engine, 'needle', { paths: [minified] });
    expect(matches).toMatchObject([{ line: 2, text: 'needle behind it' }]);
    expect(truncated).toBe(true);
    expect(process.memoryUsage.rss() - before).toBeLessThan(200 * 1024 ** 2);
    rmSync(minified);
  });

  it('is killed at its time', async () => {
    const huge = join(base, 'huge.log');
    writeFileSync(huge, 'x'.repeat(79).concat('\n').repeat(500_000));
    const begun = performance.now();
    const attempt = searcher(engine, '(x+x+)+y', { paths: Array.from({ length: 1 }, () => huge), timeoutMs: 1 });
    await expect(attempt).rejects.toMatchObject({ name: 'SearchError', code: 'timeout' });
    expect(performance.now() - begun).toBeLessThan(1000);
  });

  it('is killed when nobody wants the answer any more', async () => {
    const attempt = searcher(engine, 'x', { signal: AbortSignal.abort(new Error('cancelled')) });
    await expect(attempt).rejects.toThrow('cancelled');
  });
});

describe.each(ENGINES)('errors of %s', (engine) => {
  it.each(['(unclosed', '[z-a]', 'a\nb'])('are rg_error with exit code 2: %j', async (pattern) => {
    const attempt = searcher(engine, pattern);
    await expect(attempt).rejects.toBeInstanceOf(SearchError);
    await expect(attempt).rejects.toMatchObject({ code: 'rg_error', exitCode: 2 });
  });

  it('are told in the program’s own words', async () => {
    await expect(searcher(engine, '(unclosed')).rejects.toThrow(/unclosed|Unmatched/i);
  });

  const closed = join(base, `closed-${engine}`);
  writeTree(closed, { 'a.txt': 'needle\n', 'b.txt': 'needle\n', 'only/b.txt': 'needle\n' });
  chmodSync(join(closed, 'b.txt'), 0o000);
  chmodSync(join(closed, 'only/b.txt'), 0o000);

  it('with matches are a truncated success', async () => {
    const overrides = { root: closed, cwd: closed, paths: [closed] };
    const result = await unprivileged(() => searcher(engine, 'needle', overrides));
    expect(result).toMatchObject({
      matches: [{ path: 'a.txt', line: 1, text: 'needle' }],
      truncated: true,
      exitCode: 2,
    });
  });

  it('without matches are not', async () => {
    const overrides = { root: closed, cwd: closed, paths: [join(closed, 'only')] };
    const attempt = unprivileged(() => searcher(engine, 'needle', overrides));
    await expect(attempt).rejects.toMatchObject({ code: 'rg_error', exitCode: 2 });
    await expect(attempt).rejects.toThrow('some files could not be read');
  });
});

describe('both engines', () => {
  it.each([
    'needle',
    'colou?r',
    '^colo',
    'r$',
    '[0-9]+',
    'a.c',
    '(ab)+$',
    'b{1}a',
    'foo\\.bar',
    '[[:alpha:]]_[[:alpha:]]',
    'colour|ab12',
    '^$',
    '^ +',
    '[^a-z]',
    '.',
    '^.{4}$',
    'é.',
    'x*',
    '\\bneedle\\b',
  ])('find the same for %j', async (pattern) => {
    const overrides = {
      paths: [
        join(root, 'a'),
        join(root, 'a-b'),
        join(root, 'words.txt'),
        join(root, 'b.txt'),
        join(root, 'sub/unicode.txt'),
      ],
    };
    const [rg, grep] = await Promise.all(ENGINES.map((engine) => searcher(engine, pattern, overrides)));
    const facts = (result: typeof rg) => result?.matches.map(({ path, line, text }) => [path, line, text]);
    expect(facts(grep)).toEqual(facts(rg));
    expect(facts(rg)?.length).toBeGreaterThan(0);
  });

  it('find the same for any fixed string in any tree', async () => {
    const word = fc.constantFrom('a', 'B', 'é', '€', '.', '*', '-', '[', '\\', ' ', '😀', '\t', '\r', '$');
    const text = fc.array(fc.oneof({ weight: 5, arbitrary: word }, { weight: 1, arbitrary: fc.constant('\n') }), {
      maxLength: 60,
    });
    const name = fc.constantFrom('a', 'b', 'a-b', 'sub/a', 'sub/b:1', 'sub dir/é', '-n', '.h/x', 'z/.h');
    const tree = fc.uniqueArray(
      fc.tuple(
        name,
        text.map((parts) => parts.join('')),
      ),
      { selector: ([path]) => path, minLength: 1, maxLength: 6 },
    );
    const pattern = fc.array(word, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(''));
    let round = 0;
    await fc.assert(
      fc.asyncProperty(tree, pattern, fc.boolean(), async (files, wanted, caseSensitive) => {
        const directory = join(base, `tree-${(round += 1)}`);
        mkdirSync(directory);
        writeTree(directory, Object.fromEntries(files));
        const overrides = { fixedString: true, caseSensitive, root: directory, paths: [directory], contextLines: 1 };
        const [rg, grep] = await Promise.all(ENGINES.map((engine) => searcher(engine, wanted, overrides)));
        expect(grep?.matches).toEqual(rg?.matches);
      }),
      { numRuns: 40 },
    );
  });
});

describe('the choice of the program', () => {
  const empty = join(base, 'programs/none');
  mkdirSync(empty, { recursive: true });

  it('falls on the ripgrep installed along when there is none on the path', async () => {
    expect(bundledRipgrep()).toMatch(/\/rg$/);
    expect(await search(await requestFor(root, 'colour', empty))).toMatchObject({ engine: 'rg', exitCode: 0 });
  });

  it('falls on grep when there is no ripgrep at all', async () => {
    const found = await search(await requestFor(root, 'colour', join(base, 'programs/grep')), { bundled: () => null });
    expect(found).toMatchObject({ engine: 'grep', exitCode: 0 });
  });

  it('falls on grep when ripgrep cannot be started', async () => {
    const broken = join(base, 'broken');
    writeTree(broken, { rg: '#!/nowhere/interpreter\n' });
    chmodSync(join(broken, 'rg'), 0o755);
    const path = `${broken}:${join(base, 'programs/grep')}`;
    expect(await search(await requestFor(root, 'colour', path), { bundled: () => join(broken, 'rg') })).toMatchObject({
      engine: 'grep',
    });
  });

  it('is a spawn_error when there is neither', async () => {
    const attempt = search(await requestFor(root, 'colour', empty), { bundled: () => null });
    await expect(attempt).rejects.toMatchObject({ name: 'SearchError', code: 'spawn_error' });
  });

  it('never falls on what lies in the searched directory', async () => {
    writeTree(root, { 'planted/rg': '#!/bin/sh\necho planted >&2; exit 2\n' });
    chmodSync(join(root, 'planted/rg'), 0o755);
    const request = { ...(await requestFor(root, 'colour', '.::planted')), cwd: join(root, 'planted') };
    expect(await search(request)).toMatchObject({ engine: 'rg', exitCode: 0 });
  });

  it('takes a program that prints something else for a failure', async () => {
    const odd = join(base, 'odd');
    writeTree(odd, { rg: '#!/bin/sh\necho this is not JSON\n' });
    chmodSync(join(odd, 'rg'), 0o755);
    await expect(search(await requestFor(root, 'x', odd))).rejects.toMatchObject({ code: 'rg_error' });
  });
});

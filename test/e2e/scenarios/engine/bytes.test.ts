import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { split } from '@jeeves/engine';
import { describe, expect } from 'vitest';
import { verifies } from '../../verifies.ts';
import { ALL_MAY_GO, CANONICAL, numberedLines, rebuilt, scoring, world } from './world.ts';

const CORPUS = fileURLToPath(new URL('../../../corpus/texts/', import.meta.url));

/** Texts on which a careless line splitter loses or invents a byte. */
const PECULIAR: Readonly<Record<string, string>> = {
  'no line': '',
  'one line without a newline': 'alone',
  'newlines only': '\n\n\n\n\n\n',
  CRLF: rows('\r\n'),
  'CRLF without a final newline': rows('\r\n').slice(0, -2),
  'a final CR that ends nothing': `${rows('\n')}last\r`,
  'mixed endings': `${rows('\n')}${rows('\r\n')}${rows('\n')}`,
  'bare carriage returns': rows('\r\r\n'),
  'no final newline': rows('\n').slice(0, -1),
  'form feeds': rows('\f\n'),
  'vertical tabs and separators': rows('\v\u001c\u001d\u001e\n'),
  'U+2028 and U+2029': rows('\u2028\u2029\n'),
  NEL: rows('\u0085\n'),
  'a byte order mark': `\uFEFF${rows('\n')}`,
  'NUL characters': rows('\0\n'),
  'half a surrogate pair': rows('\ud83d\n'),
  'marker-shaped lines': rows('\n⟦PRUNÉ: prune_id=prn_x lignes 1-9 (9) raison=hors focus⟧\n'),
  'compact marker-shaped lines': rows('\n⟦pruned 1-9 (9 lines)⟧\n'),
  'lines that look numbered': rows('\n3│ not a number of ours\n'),
};

describe('nothing is lost', () => {
  for (const [name, text] of Object.entries(PECULIAR)) {
    verifies('text.rebuild', `${name}: kept lines and recovered gaps are the input, byte for byte`, async () => {
      const { prune, recover } = world({ backend: scoring((line) => (line.includes('row 7') ? 1 : 0)) });
      for (const source of ['code', 'logs', 'docs'] as const) {
        for (const annotateLines of [false, true]) {
          for (const includeMarkers of [false, true]) {
            const asked = { ...ALL_MAY_GO, text, goal: 'row 7', source, annotateLines, includeMarkers };
            const result = await prune(asked);
            expect(await rebuilt(result, recover, { markers: includeMarkers, prefix: annotateLines })).toBe(text);
          }
        }
      }
    });
  }

  verifies(
    'text.rebuild',
    'every real text of the corpus comes back whole, by default and at its smallest',
    async () => {
      const files = readdirSync(CORPUS, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
      expect(files.length).toBeGreaterThan(20);
      const { prune, recover } = world();
      let removed = 0;
      for (const { parentPath, name } of files) {
        const text = readFileSync(`${parentPath}/${name}`, 'utf8');
        for (const request of [
          { text, goal: 'Where is the timeout set?' },
          { ...ALL_MAY_GO, text, goal: 'timeout' },
        ]) {
          const result = await prune(request);
          expect(await rebuilt(result, recover), name).toBe(text);
          removed += result.stats.prunedLines;
        }
      }
      expect(removed).toBeGreaterThan(1000);
    },
  );

  verifies('text.lines.only-newline-ends', 'only \\n ends a line', async () => {
    const counts = [
      ['', 0],
      ['a', 1],
      ['a\n', 1],
      ['\n', 1],
      ['a\n\n', 2],
      ['a\r\nb', 2],
      ['a\rb', 1],
      ['a\fb\vc\u0085d\u2028e\u2029f', 1],
    ] as const;
    for (const [text, count] of counts) {
      const { stats } = await world().prune({ ...CANONICAL, text, goal: 'a' });
      expect(stats.originalLines, JSON.stringify(text)).toBe(count);
    }
    expect([split('a\r\nb').at(0), split('a\r\nb').ending(0)]).toEqual(['a', '\r\n']);
  });

  verifies('text.lines.window', 'a window of a file is numbered as in the file', async () => {
    const text = numberedLines(100, (line) => `row ${line + 500}`);
    const { prune, recover } = world({ backend: scoring((line) => (line === 'row 550' ? 1 : 0)) });
    const result = await prune({ ...ALL_MAY_GO, text, goal: 'row 550', source: 'logs', firstLine: 501 });
    const { pruneId, gaps } = result;
    expect(gaps.length).toBeGreaterThan(0);
    for (const gap of gaps) {
      expect(gap.marker).toContain(` lignes ${gap.startLine}-${gap.endLine} (${gap.lineCount}) `);
      expect((await recover({ pruneId, ranges: [gap] })).text.startsWith(`row ${gap.startLine}\n`)).toBe(true);
    }
    expect((await recover({ pruneId, ranges: [{ startLine: 599, endLine: 900 }] })).text).toBe('row 599\nrow 600\n');
    await expect(recover({ pruneId, ranges: [{ startLine: 1, endLine: 510 }] })).rejects.toMatchObject({
      code: 'invalid_range',
    });
  });
});

function rows(ending: string): string {
  return Array.from({ length: 40 }, (_, at) => `row ${at + 1}${ending}`).join('');
}

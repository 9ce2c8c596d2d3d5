import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadTokenCounter } from '@jeeves/engine/tokens';
import { describe, expect, test } from 'vitest';
import { verifies } from '../../verifies.ts';
import { desk, LOG } from './program.ts';

const { file, run, path } = desk();

const ROW = { id: 'log-1', query: 'why does the build fail', text: LOG, gold: [301], kind: 'logs' };
const SMALL = { id: 7, query: 'second', text: 'first\u2028line\nthe second line\n' };

interface Pruned {
  readonly id: unknown;
  readonly kept: [number, number][];
  readonly tokens_before: number;
  readonly tokens_after: number;
  readonly gaps: number;
  readonly warnings: string[];
}

function pruneCases(cases: string, ...options: string[]): ReturnType<typeof run> {
  return run(['bench', 'prune', '--cases', file('cases.jsonl', cases), '--out', 'kept.jsonl', ...options]);
}

function pruned(): Pruned[] {
  const rows = readFileSync(join(path, 'kept.jsonl'), 'utf8').trimEnd().split('\n');
  return rows.map((row) => JSON.parse(row) as Pruned);
}

/** The text as a reader gets it, put together from the raw text and the kept ranges alone. */
function rendered(text: string, kept: readonly [number, number][]): string {
  const lines = text.split('\n').map((line, at, all) => (at === all.length - 1 ? line : `${line}\n`));
  const marker = (first: number, last: number): string => {
    const count = last - first + 1;
    const ending = /\r?\n?$/.exec(lines[last - 1] ?? '')?.[0] ?? '';
    return first > last ? '' : `⟦pruned ${first}-${last} (${count} ${count === 1 ? 'line' : 'lines'})⟧${ending}`;
  };
  let [whole, next] = ['', 1];
  for (const [first, last] of kept) {
    whole += marker(next, first - 1) + lines.slice(first - 1, last).join('');
    next = last + 1;
  }
  return whole + marker(next, lines.length);
}

describe('jeeves bench prune', () => {
  verifies(
    'cli.bench.prune',
    'writes kept ranges, exact tokens with markers, gaps and warnings of each case',
    async () => {
      const { code, out, err } = await pruneCases(`${JSON.stringify(ROW)}\n\n${JSON.stringify(SMALL)}\n`);
      expect(code).toBe(0);
      expect(err).toMatch(/^2 rows pruned in \d+\.\d s → kept\.jsonl\n$/);
      const [log, small] = pruned();
      const count = await loadTokenCounter();
      expect(Object.keys(log ?? {})).toEqual(['id', 'kept', 'tokens_before', 'tokens_after', 'gaps', 'warnings']);
      expect(log?.kept.some(([first, last]) => first <= 301 && last >= 301)).toBe(true);
      expect(log?.tokens_before).toBe(count(LOG).tokens);
      expect(log?.tokens_after).toBe(count(rendered(LOG, log?.kept ?? [])).tokens);
      expect(log?.tokens_after).toBeLessThan((log?.tokens_before ?? 0) / 2);
      expect(log?.gaps).toBeGreaterThan(0);
      expect(small).toMatchObject({ id: 7, kept: [[1, 2]], gaps: 0, tokens_after: small?.tokens_before });
      expect(out).toMatch(/kind +cases +recall +all gold +tokens +gaps\/1,000 +in budget\nall +2 +1\.000 +1\.000 +/);
    },
  );

  verifies('cli.bench.prune', 'prunes what `jeeves prune` prunes', async () => {
    await pruneCases(`${JSON.stringify(ROW)}\n`);
    const { out } = await run(['prune', '--goal', ROW.query, '--source', 'logs'], { stdin: LOG });
    const closing = out.lastIndexOf('⟦jeeves recover ');
    expect(`${rendered(LOG, pruned()[0]?.kept ?? [])}\n`).toBe(out.slice(0, closing));
  });

  const budgets: readonly [string, readonly string[], number][] = [
    ['in tokens', ['--max-tokens', '6000'], 6000],
    ['as a share', ['--share', '0.4'], 0.4],
  ];
  for (const [name, options, budget] of budgets) {
    verifies('cli.bench.prune.budget', `a budget ${name} is kept and counted`, async () => {
      const { code, out } = await pruneCases(`${JSON.stringify(ROW)}\n`, ...options);
      expect(code).toBe(0);
      const [log] = pruned();
      const most = budget < 1 ? budget * (log?.tokens_before ?? 0) : budget;
      expect(log?.tokens_after).toBeLessThanOrEqual(most);
      expect(out).toMatch(/\nall .* 1\/1\nlogs .* 1\/1\n$/);
    });
  }

  verifies('cli.bench.prune.bad-input', 'names malformed rows by line and field, and prunes the others', async () => {
    const wrongKind = { ...ROW, kind: 'prose' };
    const rows = [ROW, { id: 'x' }, wrongKind, { ...ROW, gold: [0] }, SMALL].map((row) => JSON.stringify(row));
    const { code, err } = await pruneCases(`${rows.join('\n')}\nnot json\n`);
    expect(code).toBe(2);
    expect(err).toContain('cases.jsonl:2: "query" must be a string\n');
    expect(err).toContain('cases.jsonl:3: "kind" must be "code", "logs" or "docs"\n');
    expect(err).toContain('cases.jsonl:4: "gold" must be a list of line numbers, from 1\n');
    expect(err).toContain('cases.jsonl:6: not JSON\n');
    expect(err).toContain('4 malformed rows left out');
    expect(pruned().map(({ id }) => id)).toEqual(['log-1', 7]);
  });

  const wrong: readonly [string, readonly string[], string][] = [
    ['a missing file', ['--cases', 'missing.jsonl', '--out', 'x'], '--cases missing.jsonl: cannot be read'],
    ['an output in no directory', ['--cases', 'c.jsonl', '--out', 'no/such/x'], '--out no/such/x: cannot be written'],
    ['no output', ['--cases', 'c.jsonl'], "'--out <file>'"],
    ['a share of nothing', ['--cases', 'c.jsonl', '--out', 'x', '--share', '0'], 'Give a number above 0, up to 1'],
    ['no tokens at all', ['--cases', 'c.jsonl', '--out', 'x', '--max-tokens', '0'], 'Give a whole number, 1 or more'],
    ['two budgets', ['--cases', 'c.jsonl', '--out', 'x', '--share', '.5', '--max-tokens', '9'], 'cannot be used with'],
  ];
  for (const [name, args, message] of wrong) {
    verifies('cli.bench.prune.bad-input', `${name} ends with exit code 2 and leaves no file behind`, async () => {
      file('c.jsonl', `${JSON.stringify(SMALL)}\n`);
      const { code, err } = await run(['bench', 'prune', ...args]);
      expect(code).toBe(2);
      expect(err).toContain(message);
      expect(existsSync(join(path, 'x')) || existsSync(join(path, 'x.part'))).toBe(false);
    });
  }

  test('an empty file of cases gives an empty file of results', async () => {
    const { code, out } = await pruneCases('');
    expect([code, out, readFileSync(join(path, 'kept.jsonl'), 'utf8')]).toEqual([0, '', '']);
  });
});

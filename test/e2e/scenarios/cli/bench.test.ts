import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { verifies } from '../../verifies.ts';
import { desk, LOG } from './program.ts';

const { file, run, path } = desk();

const ROW = { id: 'log-1', query: 'why does the build fail', text: LOG, gold: [301], kind: 'logs' };
const SMALL = { id: 7, query: 'second', text: 'first\u2028line\nthe second line\n' };

function score(cases: string): Promise<{ code: number | null; out: string; err: string }> {
  return run(['bench', 'score', '--cases', file('cases.jsonl', cases), '--out', 'scores.jsonl']);
}

function scores(): { id: unknown; scores: number[] }[] {
  const rows = readFileSync(join(path, 'scores.jsonl'), 'utf8').trimEnd().split('\n');
  return rows.map((row) => JSON.parse(row) as { id: unknown; scores: number[] });
}

describe('jeeves bench score', () => {
  verifies('cli.bench.score', 'writes one score per line of each text, and measures against gold lines', async () => {
    const { code, out } = await score(`${JSON.stringify(ROW)}\n\n${JSON.stringify(SMALL)}\n`);
    expect(code).toBe(0);
    expect(scores().map(({ id, scores }) => [id, scores.length])).toEqual([
      ['log-1', 601],
      [7, 2],
    ]);
    expect(scores()[0]?.scores.every((value) => value >= 0 && value <= 1)).toBe(true);
    expect(out).toMatch(/kind +cases +recall@10% +recall@30% +recall@50% +AUC\nall +1 +1\.000 +1\.000 +1\.000 +/);
  });

  verifies('cli.bench.score', 'names malformed rows by their line, scores the others, and ends with 2', async () => {
    const { code, err } = await score(`${JSON.stringify(ROW)}\n{"id":"x"}\nnot json\n${JSON.stringify(SMALL)}\n`);
    expect(code).toBe(2);
    expect(err).toContain('cases.jsonl:2: "query" must be a string\n');
    expect(err).toContain('cases.jsonl:3: not JSON\n');
    expect(scores()).toHaveLength(2);
  });

  const cases: readonly [string, readonly string[], string][] = [
    ['a missing file', ['--cases', 'missing.jsonl', '--out', 'x'], '--cases missing.jsonl: cannot be read'],
    ['an output in no directory', ['--cases', 'c.jsonl', '--out', 'no/such/x'], '--out no/such/x: cannot be written'],
    ['no output', ['--cases', 'c.jsonl'], "'--out <file>'"],
  ];
  for (const [name, args, message] of cases) {
    verifies('cli.bench.score', `${name} ends with exit code 2 and leaves no file behind`, async () => {
      file('c.jsonl', `${JSON.stringify(SMALL)}\n`);
      const { code, err } = await run(['bench', 'score', ...args]);
      expect(code).toBe(2);
      expect(err).toContain(message);
      expect(existsSync(join(path, 'x')) || existsSync(join(path, 'x.part'))).toBe(false);
    });
  }
});

import { describe, expect } from 'vitest';
import { verifies } from '../../verifies.ts';
import { desk, idIn, LOG } from './program.ts';

const { run } = desk();

let known: Promise<string> | undefined;

/** The id of the log, pruned once for all tests: recovering changes nothing. */
function prunedId(): Promise<string> {
  known ??= run(['prune', '--goal', 'why does the build fail'], { stdin: LOG }).then(({ out }) => idIn(out));
  return known;
}

function linesOf(text: string, first: number, last: number): string {
  return text
    .split(/(?<=\n)/)
    .slice(first - 1, last)
    .join('');
}

describe('jeeves recover', () => {
  verifies('cli.recover.lines', 'gives back what another process cut, byte for byte', async () => {
    const id = await prunedId();
    const all = await run(['recover', id, '--all']);
    const two = await run(['recover', id, '--lines', '560-601,3-4']);
    expect(all).toEqual({ code: 0, out: LOG, err: '' });
    // The log's last line has no newline; with another after it, it must not become one line with it.
    expect(two).toEqual({ code: 0, out: `${linesOf(LOG, 560, 601)}\n${linesOf(LOG, 3, 4)}`, err: '' });
  });

  verifies('cli.recover.lines', 'brings an end beyond the text back to it, and numbers lines on request', async () => {
    const id = await prunedId();
    const { out } = await run(['recover', id, '--lines', '600-9999', '--line-numbers']);
    expect(out).toBe(
      '600│ 12:04:09 INFO linking lib/part_298.so, library 298 of 300\r\n601│ 12:04:09 INFO linking lib/part_299.so, library 299 of 300',
    );
  });

  verifies('cli.recover.lines', 'answers as recover_text does with --json', async () => {
    const id = await prunedId();
    const { code, out } = await run(['recover', id, '--lines', '2', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({
      raw_text: linesOf(LOG, 2, 2),
      metadata: { prune_id: id, ranges: [{ start_line: 2, end_line: 2 }], line_numbering: 'original' },
    });
  });

  verifies('cli.recover.query', 'finds the passage that serves a goal', async () => {
    const id = await prunedId();
    const { code, out } = await run(['recover', id, '--query', 'module_77']);
    expect(code).toBe(0);
    expect(out).toContain('12:00:01 INFO building src/module_77.o, object 77 of 300\r\n');
    expect(LOG).toContain(out.slice(0, out.indexOf('\n')));
    expect(out.length).toBeLessThan(LOG.length);
  });

  const cases: readonly [string, (id: string) => readonly string[], string][] = [
    ['an unknown id', () => ['prn_0000000000000000000000', '--all'], 'no text is kept under it'],
    ['a start past the end', (id) => [id, '--lines', '700-710'], '--lines 700-710: the text ends at line 601'],
    ['a range that ends before it starts', (id) => [id, '--lines', '9-3'], 'Write 3-9.'],
    ['line 0', (id) => [id, '--lines', '0-3'], 'Lines count from 1.'],
    ['no choice', (id) => [id], '--lines 10-40, --query "…" or --all'],
    ['two choices', (id) => [id, '--all', '--query', 'x'], 'exclude each other'],
    ['no id', () => [], "missing required argument 'id'"],
  ];
  for (const [name, args, message] of cases) {
    verifies('cli.recover.lines', `${name} ends with exit code 2 and says what to do`, async () => {
      const { code, out, err } = await run(['recover', ...args(await prunedId())]);
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(err).toContain(message);
    });
  }

  verifies('cli.recover.lines', 'says that memory: cannot be recovered from', async () => {
    const { code, err } = await run(['recover', 'prn_x', '--all'], { env: { JEEVES_STORE: 'memory:' } });
    expect(code).toBe(2);
    expect(err).toContain('JEEVES_STORE is memory:');
  });
});

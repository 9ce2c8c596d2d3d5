import { openStore } from '@jeeves/engine/store/sqlite';
import { describe, expect } from 'vitest';
import { verifies } from '../../verifies.ts';
import { desk, idIn, LOG } from './program.ts';

const { run, path } = desk();

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
    expect(all).toMatchObject({ code: 0, out: LOG, err: '' });
    // The log's last line has no newline; with another after it, it must not become one line with it.
    expect(two).toMatchObject({ code: 0, out: `${linesOf(LOG, 560, 601)}\n${linesOf(LOG, 3, 4)}`, err: '' });
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
    ['no id', () => [], 'its prune id, or --last'],
    ['an id and --last', (id) => [id, '--last'], 'its prune id, or --last'],
    ['a short beginning', () => ['prn_a', '--all'], 'at least 6 characters'],
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

describe('texts that wait', () => {
  const { run: at } = desk();

  verifies('cli.prunes', 'are listed with size, age and goal, the newest first', async () => {
    expect(await at(['prunes'])).toMatchObject({ code: 0, out: '', err: expect.stringContaining('nothing is kept') as string });
    const ids: string[] = [];
    for (const goal of ['why does the build fail', 'which \u001b[31mlibrary\u001b[0m is\nlinked']) {
      ids.push(idIn((await at(['prune', '--goal', goal], { stdin: LOG })).out));
    }
    const { code, out } = await at(['prunes']);
    expect(code).toBe(0);
    expect(out.split('\n')).toEqual([
      expect.stringMatching(/^id +size +age +goal$/),
      expect.stringMatching(new RegExp(`^${ids[1]}  \\d+ KB +\\d+ s  which library is linked$`)),
      expect.stringMatching(new RegExp(`^${ids[0]}  \\d+ KB +\\d+ s  why does the build fail$`)),
      '',
    ]);
    const { out: one } = await at(['prunes', '-n', '1', '--json']);
    expect(JSON.parse(one)).toEqual({
      prune_id: ids[1],
      bytes: LOG.length,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
      goal: 'which \u001b[31mlibrary\u001b[0m is\nlinked',
    });
  });

  verifies('cli.recover.last', 'are recovered as the last one, or by how their id begins', async () => {
    const { out: pruned } = await at(['prune', '--goal', 'why does the build fail'], { stdin: LOG });
    const id = idIn(pruned);
    expect((await at(['recover', '--last'])).out).toBe(LOG);
    expect((await at(['recover', '--last', '--lines', '301'])).out).toContain('ERROR src/parser.c:88');
    expect((await at(['recover', id.slice(0, 12), '--lines', '301'])).out).toContain('ERROR src/parser.c:88');
    const ambiguous = await at(['recover', 'prn_', '--all']);
    expect(ambiguous.code).toBe(2);
    const unknown = await at(['recover', 'prn_zz999zz', '--all']);
    expect(unknown).toMatchObject({ code: 2, err: expect.stringContaining('no text is kept under it') as string });
  });

  verifies('cli.recover.last', 'whose ids begin alike are named', async () => {
    const store = await openStore(`sqlite:${path}/alike.db`);
    const entry = { text: 'a\n', firstLine: 1, createdAt: Date.now() };
    await store.put({ ...entry, pruneId: 'prn_aa111bb', goal: 'first' });
    await store.put({ ...entry, pruneId: 'prn_aa111cc', text: 'b\n', goal: 'second' });
    await store.close();
    const env = { JEEVES_STORE: `sqlite:${path}/alike.db` };
    const { code, err } = await run(['recover', 'prn_aa111', '--all'], { env });
    expect(code).toBe(2);
    expect(err).toMatch(/begins several.*\n {2}prn_aa111cc {2}second\n {2}prn_aa111bb {2}first\n/);
    expect((await run(['recover', 'prn_aa111c', '--all'], { env })).out).toBe('b\n');
  });
});

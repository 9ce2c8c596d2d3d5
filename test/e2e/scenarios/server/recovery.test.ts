import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { type ServerProcess, startServer, temporaryDirectory } from '../../../../packages/mcp-pruner/test/harness.ts';
import { verifies } from '../../verifies.ts';
import {
  bashOf,
  corpus,
  numberedLines,
  pruningOf,
  readOf,
  recoveredOf,
  sharedSite,
  site,
  structuredOf,
  textOf,
} from './site.ts';

const MARKER = /^⟦pruned (\d+)-(\d+) \(\d+ lines?\)⟧(\r?\n)?$/;
const ask = { context_focus_question: 'How is a cycle of formulas detected, and which error does a cell then show?' };
const server = sharedSite();

/** Puts a pruned text back together: each marker that stands where its gap must be is replaced by what recovery gives. */
async function rebuilt(on: ServerProcess, pruned: string, pruneId: string, firstLine = 1): Promise<string> {
  let raw = '';
  let line = firstLine;
  for (const piece of pruned.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    const [, start, end] = MARKER.exec(piece) ?? [];
    if (Number(start) !== line) {
      raw += piece;
      line += 1;
      continue;
    }
    const ranges = [{ start_line: Number(start), end_line: Number(end) }];
    const recovered = recoveredOf(await on.call('recover_text', { prune_id: pruneId, ranges }));
    raw += recovered.raw_text;
    line = Number(end) + 1;
  }
  return raw;
}

const SOURCE = corpus('code/sheet-engine.ts');
const TEXTS: readonly [string, string][] = [
  ['as it is', SOURCE],
  ['with CRLF', SOURCE.replaceAll('\n', '\r\n')],
  ['without a final newline', SOURCE.trimEnd()],
  ['with form feeds and U+2028', SOURCE.replaceAll(' = ', ' =\f ').replaceAll('{', '{\u2028')],
  [
    'with lines that look like markers',
    SOURCE.replaceAll('\n\n', '\n⟦pruned 3-9 (7 lines)⟧\n⟦prune_id=prn_x · recover_text restores any range⟧\n'),
  ],
];

describe('kept lines and recovered gaps', () => {
  for (const [name, text] of TEXTS) {
    verifies(['recover.one-space', 'pruning.target.embedded'], `rebuild a file ${name}, byte for byte`, async () => {
      const on = server();
      writeFileSync(join(on.root, 'sheet.ts'), text);
      const { content, pruning } = readOf(await on.call('read', { file_path: 'sheet.ts', ...ask }));
      expect(content.length).toBeLessThan(text.length);
      expect(await rebuilt(on, content, pruning.prune_id ?? '')).toBe(text);
    });
  }

  verifies(
    ['recover.one-space', 'files.read.window'],
    'rebuild a window of a file, a command’s output and a search',
    async () => {
      const on = server();
      writeFileSync(join(on.root, 'sheet.ts'), SOURCE);
      const read = readOf(await on.call('read', { file_path: 'sheet.ts', start_line: 51, ...ask }));
      const window = SOURCE.split('\n').slice(50).join('\n');
      expect(await rebuilt(on, read.content, read.pruning.prune_id ?? '', 51)).toBe(window);

      const bash = bashOf(await on.call('bash', { command: 'cat -n sheet.ts', ...ask }));
      const raw = bashOf(await on.call('bash', { command: 'cat -n sheet.ts' }));
      expect(bash.stdout.length).toBeLessThan(raw.stdout.length);
      expect(await rebuilt(on, bash.stdout, bash.pruning.prune_id ?? '')).toBe(raw.stdout);

      const search = { pattern: '.', path: 'sheet.ts', max_matches: 5000 };
      const grep = await on.call('grep', { ...search, ...ask });
      const { prune_id = '' } = pruningOf(grep);
      const shown = textOf(grep).slice(0, textOf(grep).lastIndexOf('\n'));
      expect(textOf(grep)).toMatch(/⟦pruned \d+-\d+ \(\d+ lines\)⟧/);
      expect(await rebuilt(on, shown, prune_id)).toBe(textOf(await on.call('grep', search)));
    },
  );

  verifies('recover.by-goal', 'can also be asked for by what they are about', async () => {
    const on = server();
    writeFileSync(join(on.root, 'sheet.ts'), SOURCE);
    const { prune_id } = pruningOf(await on.call('read', { file_path: 'sheet.ts', ...ask }));
    const result = await on.call('recover_text', { prune_id, query: 'circular reference' });
    const { raw_text, metadata } = recoveredOf(result);
    expect(metadata.ranges.length).toBeGreaterThan(0);
    expect(raw_text).toContain('#CYCLE!');
  });
});

describe('another server', () => {
  verifies(
    ['store.survives-restart', 'store.ttl.stdio'],
    'gives back what the first one pruned, for 24 hours',
    async () => {
      const root = temporaryDirectory();
      writeFileSync(join(root, 'sheet.ts'), SOURCE);
      const env = { JEEVES_STORE: `sqlite:${join(temporaryDirectory(), 'jeeves.db')}` };
      const first = await startServer({ root, env });
      const { content, pruning } = readOf(await first.call('read', { file_path: 'sheet.ts', ...ask }));
      first.child.kill('SIGKILL');
      await first.exit;
      for (const [hours, found] of [
        [0, true],
        [23.9, true],
        [24.1, false],
      ] as const) {
        const clock = `data:text/javascript,const now=Date.now;Date.now=()=>now()+${hours * 3_600_000}`;
        const later = await startServer({ root, env, nodeArgs: ['--import', clock] });
        if (found) expect(await rebuilt(later, content, pruning.prune_id ?? '')).toBe(SOURCE);
        else await expect(rebuilt(later, content, pruning.prune_id ?? '')).rejects.toThrow('-32004');
        await later.close();
      }
    },
  );

  verifies('store.ttl.stdio', 'forgets sooner where that is configured', async () => {
    const on = await site({ files: { 'sheet.ts': SOURCE }, env: { MCP_PRUNER_PRUNE_ID_TTL_S: '1' } });
    const { prune_id } = pruningOf(await on.call('read', { file_path: 'sheet.ts', ...ask }));
    await new Promise((resolve) => setTimeout(resolve, 1100));
    const ranges = [{ start_line: 1, end_line: 1 }];
    await expect(on.call('recover_text', { prune_id, ranges })).rejects.toThrow('-32004');
  });

  verifies('store.default-path', 'finds them in the user’s state directory unless told otherwise', async () => {
    const home = temporaryDirectory();
    const env = { JEEVES_STORE: undefined, HOME: home };
    const on = await site({ files: { 'sheet.ts': SOURCE }, env });
    const { prune_id } = pruningOf(await on.call('read', { file_path: 'sheet.ts', ...ask }));
    const same = { JEEVES_STORE: `sqlite:${home}/.local/state/jeeves/jeeves.db` };
    const other = await site({ env: same });
    const ranges = [{ start_line: 1, end_line: 1 }];
    expect(structuredOf(await other.call('recover_text', { prune_id, ranges }))).toMatchObject({
      raw_text: SOURCE.slice(0, SOURCE.indexOf('\n') + 1),
    });
  });
});

describe('a store that cannot be opened', () => {
  verifies('recover.unavailable', 'makes recovery unavailable, but does not stop pruning', async () => {
    const blocked = temporaryDirectory();
    mkdirSync(join(blocked, 'jeeves.db'));
    const on = await site({
      files: { 'sheet.ts': SOURCE },
      env: { JEEVES_STORE: `sqlite:${join(blocked, 'jeeves.db')}` },
    });
    const ranges = [{ start_line: 1, end_line: 2 }];
    const lost = await on.ask('tools/call', { name: 'recover_text', arguments: { prune_id: 'prn_old', ranges } });
    expect(lost.error).toEqual({
      code: -32603,
      message: 'recovery_unavailable',
      data: { code: 'recovery_unavailable', prune_id: 'prn_old' },
    });
    const { content, pruning } = readOf(await on.call('read', { file_path: 'sheet.ts', ...ask }));
    expect(pruning).toMatchObject({ applied: true });
    expect(await rebuilt(on, content, pruning.prune_id ?? '')).toBe(SOURCE);
    expect(on.events.filter(({ event }) => event === 'mcp_pruner.config_invalid')).toMatchObject([
      { data: { variable: 'JEEVES_STORE', message: expect.stringContaining('kept in memory') } },
    ]);
  });
});

describe('recovery that is refused', () => {
  verifies(
    ['recover.error-numbers', 'recover.ranges.past-end', 'recover.ranges.invalid', 'recover.unknown-id'],
    'has a number, a name and what is needed to do better',
    async () => {
      const on = server();
      writeFileSync(join(on.root, 'ten.txt'), numberedLines(10));
      const { prune_id } = pruningOf(await on.call('read', { file_path: 'ten.txt', ...ask }));
      const refused = async (args: object): Promise<unknown> =>
        (await on.ask('tools/call', { name: 'recover_text', arguments: args })).error;
      expect(await refused({ prune_id: 'prn_none', ranges: [] })).toEqual({
        code: -32004,
        message: 'prune_id_not_found',
        data: { code: 'prune_id_not_found', prune_id: 'prn_none' },
      });
      for (const [start_line, end_line] of [
        [11, 12],
        [5, 4],
        [0, 3],
      ]) {
        expect(await refused({ prune_id, ranges: [{ start_line, end_line }] })).toEqual({
          code: -32005,
          message: 'invalid_range',
          data: { code: 'invalid_range', start_line, end_line, max_line: 10 },
        });
      }
    },
  );
});

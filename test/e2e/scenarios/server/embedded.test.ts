import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { verifies } from '../../verifies.ts';
import { corpus, numberedLines, pruningOf, readOf, sharedSite, site, structuredOf, textOf } from './site.ts';

const WORDS = 'alpha\nbravo\ncharlie\ndelta\necho\n';

describe('the embedded engine', () => {
  const CODE = corpus('code/sheet-engine.ts');
  const server = sharedSite({ files: { 'sheet.ts': CODE, 'short.txt': WORDS } });
  const ask = { context_focus_question: 'How is a cycle of formulas detected, and which error does a cell then show?' };

  verifies(
    ['pruning.target.embedded', 'pruning.backend-field', 'request.events.pruner'],
    'prunes and is named in the events',
    async () => {
      const { call, events, until } = server();
      const { content, bytes, pruning } = readOf(await call('read', { file_path: 'sheet.ts', ...ask }));
      expect(bytes).toBe(Buffer.byteLength(CODE));
      expect(pruning).toMatchObject({ attempted: true, applied: true, backend: 'embedded', raw_bytes: bytes });
      expect(Buffer.byteLength(content)).toBe(pruning.pruned_bytes);
      await until(() => events.some(({ event }) => event === 'tool.respond_ok'));
      const data = (name: string): unknown => events.find(({ event }) => event === name)?.data;
      expect(data('pruner.call_start')).toEqual({ endpoint: 'embedded:', tool: 'read', input_bytes: bytes });
      expect(data('pruner.call_ok')).toMatchObject({ tool: 'read', pruned_bytes: pruning.pruned_bytes });
    },
  );

  verifies(
    ['output.same-pruned-text', 'pruning.closing-line'],
    'gives text and object the same lines; the closing line is the text’s',
    async () => {
      const result = await server().call('read', { file_path: 'sheet.ts', ...ask });
      const { content, pruning } = readOf(result);
      expect(content).toMatch(/^⟦pruned \d+-\d+ \(\d+ lines\)⟧$/m);
      const closing = `⟦prune_id=${pruning.prune_id} · recover_text restores any range⟧`;
      expect(content).not.toContain(closing);
      expect(textOf(result)).toBe(`${content}${content.endsWith('\n') ? '' : '\n'}${closing}`);
      expect(Buffer.byteLength(textOf(result))).toBeLessThan(Buffer.byteLength(CODE));
    },
  );

  verifies('pruning.closing-line', 'says nothing where there is nothing to save', async () => {
    const { call, root } = server();
    const texts = [WORDS, 'x', '\n'.repeat(40), numberedLines(12), `${'a'.repeat(60)}\n`.repeat(8)];
    for (const raw of texts) {
      writeFileSync(join(root, 'tiny.txt'), raw);
      const result = await call('read', { file_path: 'tiny.txt', ...ask });
      expect(Buffer.byteLength(textOf(result))).toBeLessThanOrEqual(Buffer.byteLength(raw));
      expect(pruningOf(result)).toMatchObject({ attempted: true, applied: true, fallback: false });
    }
  });

  verifies('files.read.window', 'keeps the file’s line numbers in markers and recovery', async () => {
    const { call } = server();
    const result = await call('read', { file_path: 'sheet.ts', start_line: 101, ...ask });
    const gap = /⟦pruned (\d+)-(\d+) \((\d+) lines\)⟧/.exec(textOf(result));
    const [start_line, end_line] = [Number(gap?.[1]), Number(gap?.[2])];
    expect(start_line).toBeGreaterThan(100);
    const ranges = [{ start_line, end_line }];
    const recovered = await call('recover_text', { prune_id: pruningOf(result).prune_id, ranges });
    const asked = await call('read', { file_path: 'sheet.ts', start_line, end_line });
    expect(structuredOf(recovered)).toMatchObject({ raw_text: readOf(asked).content });
  });

  verifies('files.implicit-cap', 'sees a large file whole before an agent’s 40,000 bytes are counted', async () => {
    const log = numberedLines(6000, (n) => `2026-01-01T00:00:00Z INFO request ${n} served in ${n % 90} ms`).replace(
      'INFO request 5500 served',
      'ERROR request 5500 failed: ledger out of balance',
    );
    const { call } = await site({ client: 'claude-code', files: { 'app.log': log } });
    const result = await call('read', {
      file_path: 'app.log',
      context_focus_question: 'Which request failed with an error?',
    });
    expect(textOf(result)).toContain('ERROR request 5500 failed: ledger out of balance');
    expect(Buffer.byteLength(textOf(result))).toBeLessThan(40_300);
    expect(pruningOf(result).raw_bytes).toBe(Buffer.byteLength(log));
  });

  verifies('security.t27.quiet-logs', 'and its tools log neither contents nor questions', async () => {
    const { call, events, root, until } = server();
    writeFileSync(
      join(root, 'secret.txt'),
      numberedLines(50, (n) => `CANARY-CONTENT ${n}`),
    );
    const question = { context_focus_question: 'Where is CANARY-QUESTION?' };
    const seen = events.length;
    await call('read', { file_path: 'secret.txt', ...question });
    await call('bash', { command: `cat secret.txt; : ${'x'.repeat(300)} CANARY-COMMAND; exit 1`, ...question });
    await call('grep', { pattern: 'CANARY', ...question });
    await until(() => events.slice(seen).filter(({ event }) => event === 'tool.respond_ok').length === 3);
    expect(JSON.stringify(events.slice(seen))).not.toContain('CANARY');
  });
});

describe('PRUNER_URL', () => {
  const PRUNED = { attempted: true, applied: true, backend: 'embedded' };
  const OFF = { attempted: false, applied: false, reason: 'disabled_or_unconfigured' };
  const MATRIX: readonly [string | undefined, object][] = [
    [undefined, PRUNED],
    ['embedded:', PRUNED],
    ['', OFF],
    ['  ', OFF],
    ['ftp://example.com/prune', OFF],
    ['localhost:8000', OFF],
    ['http://', OFF],
  ];
  for (const [value, pruning] of MATRIX) {
    verifies(
      ['pruning.target.unset', 'pruning.target.embedded', 'pruning.disabled'],
      `${value === undefined ? 'unset' : JSON.stringify(value)} means ${pruning === OFF ? 'no pruning' : 'the embedded engine'}`,
      async () => {
        const { call } = await site({ files: { 'words.txt': WORDS }, env: { PRUNER_URL: value } });
        const result = await call('read', { file_path: 'words.txt', context_focus_question: 'Where is bravo?' });
        expect(pruningOf(result)).toMatchObject(pruning);
        expect(textOf(result)).toBe(WORDS);
      },
    );
  }
});

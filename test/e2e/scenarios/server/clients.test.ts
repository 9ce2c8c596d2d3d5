import type { PruningMetadata, RecoverTextResult } from '@jeeves/protocol';
import { afterAll, describe, expect } from 'vitest';
import { cleanUp, type Result, type ServerProcess } from '../../../../packages/mcp-pruner/test/harness.ts';
import { verifies } from '../../verifies.ts';
import { corpus, numberedLines, pruningOf, site, textOf } from './site.ts';

const SOURCE = corpus('code/sheet-engine.ts');
const ask = { context_focus_question: 'How is a circular reference between cells detected?' };

type Shape = 'both' | 'text';

const MATRIX: readonly [client: string, output: string | undefined, shape: Shape][] = [
  ['harness', undefined, 'both'],
  ['harness', 'auto', 'both'],
  ['harness', 'structured', 'both'],
  ['harness', 'text', 'text'],
  ['claude-code', undefined, 'text'],
  ['claude-code', 'auto', 'text'],
  ['claude-code', 'structured', 'both'],
  ['claude-code', 'text', 'text'],
  ['codex-mcp-client', undefined, 'text'],
  ['codex-mcp-client', 'auto', 'text'],
  ['codex-mcp-client', 'structured', 'both'],
  ['codex-mcp-client', 'text', 'text'],
];

function sited(client: string, output?: string): Promise<ServerProcess> {
  return site({ client, files: { 'sheet.ts': SOURCE, 'words.txt': 'one\ntwo\n' }, env: { MCP_PRUNER_OUTPUT: output } });
}

/** What does not depend on when and under which id a call ran. */
function comparable(value: unknown): unknown {
  const json = JSON.stringify(value).replace(/prn_\w{35}/g, 'prn');
  return JSON.parse(
    json.replace(/"(pruner_)?duration_ms":\d+/g, '"$1duration_ms":0').replace(/jeeves-server-\w+/g, 'root'),
  );
}

/** One call of each kind: raw, pruned, failed before it ran, failed after it ran, searched. */
async function callAll({ call }: ServerProcess): Promise<Result[]> {
  return [
    await call('grep', { pattern: 'o' }),
    await call('read', { file_path: 'words.txt' }),
    await call('read', { file_path: 'sheet.ts', max_tokens: 2000, ...ask }),
    await call('read', { file_path: 'nowhere.txt' }),
    await call('bash', { command: 'echo out; echo err >&2; exit 2' }),
  ];
}

afterAll(cleanUp);

describe('the parts of a result', () => {
  let expected: { texts: unknown; objects: unknown } | undefined;
  for (const [client, output, shape] of MATRIX) {
    const parts = shape === 'both' ? 'text and object' : 'the text alone, the object out of sight';
    verifies(
      ['output.auto', 'output.choice', 'output.same-pruned-text', 'recover.text-only-clients', 'recover.metadata'],
      `for ${client} with ${output ?? 'nothing'} set are ${parts}`,
      async () => {
        const server = await sited(client, output);
        const results = await callAll(server);
        for (const result of results) {
          expect(result.content).toHaveLength(1);
          expect(Object.keys(result).filter((key) => key !== 'isError')).toEqual(
            shape === 'both' ? ['content', 'structuredContent'] : ['content', '_meta'],
          );
          if (shape === 'text') expect(Object.keys(result._meta ?? {})).toEqual(['jeeves/result']);
        }
        const seen = { texts: comparable(results.map(textOf)), objects: comparable(results.map(objectOf)) };
        expected ??= seen;
        expect(seen).toEqual(expected);
        await expectRecovered(server, results, shape);
      },
    );
  }
});

function metadataOf(result: Result): RecoverTextResult['metadata'] {
  return (objectOf(result) as RecoverTextResult).metadata;
}

function objectOf({ structuredContent, _meta }: Result): unknown {
  return structuredContent ?? _meta?.['jeeves/result'];
}

/** As JSON for clients that read the object, as the lines themselves for those that get text only. */
async function expectRecovered({ call }: ServerProcess, results: readonly Result[], shape: Shape): Promise<void> {
  const pruned = results.map(pruningOf).find(({ applied }) => applied);
  const ranges = [{ start_line: 2, end_line: 3 }];
  const result = await call('recover_text', { prune_id: pruned?.prune_id, ranges });
  const raw_text = `${SOURCE.split('\n').slice(1, 3).join('\n')}\n`;
  const whole = { raw_text, metadata: { prune_id: pruned?.prune_id, ranges, line_numbering: 'original' } };
  if (shape === 'text') expect(textOf(result)).toBe(raw_text);
  else expect(JSON.parse(textOf(result))).toEqual(whole);
  expect(objectOf(result)).toEqual(whole);
}

describe('recovered lines', () => {
  verifies(
    'files.implicit-cap',
    'are cut for an agent that would cut them worse, and say where they go on',
    async () => {
      const { call } = await site({
        client: 'claude-code',
        files: { 'long.log': numberedLines(6000, (n) => `INFO entry ${n}`) },
      });
      const { prune_id } = pruningOf(
        await call('read', { file_path: 'long.log', context_focus_question: 'Where is the ERROR?' }),
      );
      const result = await call('recover_text', { prune_id, ranges: [{ start_line: 1, end_line: 6000 }] });
      const lines = textOf(result).split('\n');
      const next = Number(/^\[cut at 40000 bytes; recover on with start_line=(\d+)\]$/.exec(lines.pop() ?? '')?.[1]);
      expect(lines.at(-1)).toBe(`INFO entry ${next - 1}`);
      expect(Buffer.byteLength(lines.join('\n'))).toBeLessThanOrEqual(40_000);
      expect(metadataOf(result)).toMatchObject({ ranges: [{ start_line: 1, end_line: next - 1 }], truncated: true });
    },
  );

  for (const client of ['claude-code', 'codex-mcp-client']) {
    verifies(
      ['files.implicit-cap', 'recover.metadata'],
      `can all be had by ${client}, also very long ones`,
      async () => {
        const long = `WARN ${'x'.repeat(60_000)}\n`;
        const text = `${numberedLines(50, (n) => `INFO entry ${n}`)}${long}`;
        const { call } = await site({ client, files: { 'long.log': text } });
        const { prune_id } = pruningOf(
          await call('read', { file_path: 'long.log', context_focus_question: 'Which entry is number 7?' }),
        );
        const recover = (start_line: number, end_line: number): Promise<Result> =>
          call('recover_text', { prune_id, ranges: [{ start_line, end_line }] });
        const until = await recover(49, 51);
        expect(textOf(until)).toBe('INFO entry 49\nINFO entry 50\n[cut at 40000 bytes; recover on with start_line=51]');
        expect(metadataOf(until)).toMatchObject({ ranges: [{ start_line: 49, end_line: 50 }], truncated: true });
        const alone = await recover(51, 51);
        expect(textOf(alone)).toBe(long);
        expect(metadataOf(alone)).toEqual({
          prune_id,
          ranges: [{ start_line: 51, end_line: 51 }],
          line_numbering: 'original',
        });
      },
    );
  }
});

describe('errors', () => {
  for (const client of ['claude-code', 'codex-mcp-client']) {
    verifies('output.text-errors', `reach the model of ${client} as a text that says what is wrong`, async () => {
      const { call } = await sited(client);
      const invalid = await call('read', { file_pth: 'words.txt', max_output_bytes: 3 });
      expect(invalid.isError).toBe(true);
      for (const field of ['file_path', 'file_pth', 'max_output_bytes']) expect(textOf(invalid)).toContain(field);
      const neither = await call('recover_text', { prune_id: 'prn_none' });
      expect(textOf(neither)).toContain('- ranges: give either ranges or query');
      const unknown = await call('recover_text', { prune_id: 'prn_none', ranges: [] });
      expect(unknown.isError).toBe(true);
      expect(textOf(unknown)).toMatch(/^prune_id_not_found: .*"prn_none".*run the tool again/);
      const { prune_id } = pruningOf(await call('read', { file_path: 'sheet.ts', ...ask }));
      const range = await call('recover_text', { prune_id, ranges: [{ start_line: 9000, end_line: 9001 }] });
      expect(textOf(range)).toMatch(/^invalid_range: 9000-9001: the last line is \d+/);
    });
  }

  verifies('output.text-block', 'of a tool begin with their code and carry their metadata', async () => {
    const { call } = await sited('harness');
    const result = await call('grep', { pattern: '(' });
    expect(textOf(result)).toMatch(/^rg_error: /);
    expect((result.structuredContent as { pruning: PruningMetadata }).pruning.raw_bytes).toBe(0);
  });
});

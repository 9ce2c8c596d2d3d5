import { Buffer } from 'node:buffer';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { verifies } from '../../../test/e2e/verifies.ts';
import { cleanUp, introduce, type Result, type ServerProcess, startServer, temporaryDirectory } from './harness.ts';

let server: ServerProcess;
const root = temporaryDirectory();
const FILLER = Array.from({ length: 300 }, (_, at) => `nothing of interest happens in line ${at} of this file\n`).join(
  '',
);

beforeAll(async () => {
  writeFileSync(join(root, 'a.txt'), 'alpha\nbeta\n');
  writeFileSync(join(root, 'long.txt'), `${FILLER}the port is 8006\n${FILLER}`);
  server = await startServer({ root });
});
afterAll(cleanUp);

function textOf({ content }: Result): string {
  expect(content).toHaveLength(1);
  return content?.[0]?.text ?? '';
}

const PRUNE = { file_path: 'long.txt', context_focus_question: 'Which port is used?' };

describe('what a client gets', () => {
  verifies('output.auto', 'is text and object, or text alone where the object would replace it', async () => {
    for (const client of ['cursor', 'claude-code', 'codex-mcp-client', 'Visual Studio Code']) {
      await introduce(server, client);
      const result = await server.call('read', { file_path: 'a.txt' });
      const object = expect.objectContaining({ tool: 'read', content: 'alpha\nbeta\n', bytes: 11 });
      const content = [{ type: 'text', text: 'alpha\nbeta\n' }];
      const textOnly = client === 'claude-code' || client === 'codex-mcp-client';
      expect(result, client).toEqual(
        textOnly ? { content, _meta: { 'jeeves/result': object } } : { content, structuredContent: object },
      );
    }
  });

  verifies('output.choice', 'can be forced', async () => {
    for (const [output, client, keys] of [
      ['structured', 'claude-code', ['content', 'structuredContent']],
      ['text', 'cursor', ['content', '_meta']],
    ] as const) {
      const forced = await startServer({ root, client, env: { MCP_PRUNER_OUTPUT: output } });
      expect(Object.keys(await forced.call('read', { file_path: 'a.txt' }))).toEqual(keys);
      await forced.close();
    }
  });

  verifies('output.text-errors', 'says in words what was wrong, where the model sees nothing else', async () => {
    for (const client of ['claude-code', 'codex-mcp-client']) {
      await introduce(server, client);
      const invalid = await server.call('grep', { pattern: '', max_matches: 0, nope: 1 });
      expect(invalid.isError).toBe(true);
      for (const field of ['pattern', 'max_matches', 'nope']) expect(textOf(invalid)).toContain(field);
      const ranges = [{ start_line: 1, end_line: 2 }];
      const unknown = await server.call('recover_text', { prune_id: 'prn_nope', ranges });
      expect(unknown).toMatchObject({ isError: true });
      expect(textOf(unknown)).toMatch(/^prune_id_not_found: /);
      const pruned = await server.call('read', PRUNE);
      const object = pruned._meta?.['jeeves/result'] as { pruning: { prune_id: string } } | undefined;
      const prune_id = object?.pruning.prune_id;
      const range = await server.call('recover_text', { prune_id, ranges: [{ start_line: 9, end_line: 2 }] });
      expect(textOf(range)).toMatch(/^invalid_range: /);
    }
    await introduce(server, 'cursor');
    const call = { name: 'recover_text', arguments: { prune_id: 'prn_nope', ranges: [] } };
    expect((await server.ask('tools/call', call)).error).toMatchObject({
      code: -32004,
      data: { code: 'prune_id_not_found', prune_id: 'prn_nope' },
    });
  });

  verifies('output.text-block', 'is the content, the streams with headings, the matches, or the lines', async () => {
    await introduce(server, 'cursor');
    expect(textOf(await server.call('read', { file_path: 'a.txt' }))).toBe('alpha\nbeta\n');
    const failing = await server.call('bash', { command: 'echo out; echo err >&2; exit 3' });
    expect(textOf(failing)).toMatch(/^nonzero_exit: .+\nout\n\[stderr\]\nerr\n\[exit code 3\]\n?$/s);
    expect(textOf(await server.call('grep', { pattern: 'bet', path: 'a.txt' }))).toMatch(/^a\.txt:2:1:beta\n?$/);
    expect(textOf(await server.call('read', { file_path: 'nope' }))).toMatch(/^not_found: /);
  });

  verifies('output.same-pruned-text', 'is the same pruned text twice, notices apart', async () => {
    await introduce(server, 'cursor');
    const result = await server.call('read', PRUNE);
    const { content, pruning } = result.structuredContent as { content: string; pruning: { prune_id: string } };
    const text = textOf(result);
    expect(text.startsWith(content)).toBe(true);
    expect(text.slice(content.length).trim()).toMatch(/^⟦prune_id=\S+ · .+⟧$/);
    expect(text).toContain(pruning.prune_id);
    expect(content).toMatch(/⟦pruned \d+-\d+ \(\d+ lines\)⟧/);
    expect(content).toContain('the port is 8006');
  });
});

describe('a giant output', () => {
  verifies('files.reply-cap', 'is cut so that the reply stays within 8 MiB, and says so', async () => {
    writeFileSync(join(root, 'nul.bin'), Buffer.alloc(10 * 1024 * 1024));
    writeFileSync(join(root, 'quotes.txt'), '"'.repeat(10 * 1024 * 1024));
    for (const file_path of ['nul.bin', 'quotes.txt']) {
      const { result } = await server.ask('tools/call', {
        name: 'read',
        arguments: { file_path, max_output_bytes: 10_485_760 },
      });
      expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThan(8 * 1024 * 1024);
      expect(Buffer.byteLength(JSON.stringify(result))).toBeGreaterThan(2 * 1024 * 1024);
      expect(result?.structuredContent).toMatchObject({ truncated: true });
    }
  });
});

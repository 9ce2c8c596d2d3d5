import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ReadError } from '@jeeves/protocol';
import { describe, expect } from 'vitest';
import { temporaryDirectory } from '../../../../packages/mcp-pruner/test/harness.ts';
import { verifies } from '../../verifies.ts';
import {
  eventsOf,
  failedReadOf,
  numberedLines,
  pruningOf,
  readOf,
  recoveredOf,
  sharedSite,
  site,
  structuredOf,
  textOf,
  unprivileged,
} from './site.ts';

const LINES = numberedLines(3000);
const server = sharedSite({
  files: { 'lines.txt': LINES, 'empty.txt': '', 'one-line.txt': 'x'.repeat(5000), 'dir/inner.txt': 'inner\n' },
});

function errorOf(result: Parameters<typeof structuredOf>[0]): ReadError['error'] {
  return failedReadOf(result).error;
}

describe('a file', () => {
  verifies(['files.read.result', 'files.read.bytes'], 'comes back whole, with all that describes it', async () => {
    const result = await server().call('read', { file_path: 'dir/inner.txt' });
    expect(textOf(result)).toBe('inner\n');
    expect(result.isError).toBeUndefined();
    expect(readOf(result)).toEqual({
      tool: 'read',
      file_path: 'dir/inner.txt',
      encoding: 'utf-8',
      content: 'inner\n',
      truncated: false,
      bytes: 6,
      duration_ms: expect.any(Number),
      pruning: { attempted: false, applied: false, fallback: false, reason: 'no_focus_question', raw_bytes: 6 },
    });
  });

  verifies('files.read.result', 'is found by its absolute path too, and an empty one is a success', async () => {
    const absolute = join(server().root, 'dir/inner.txt');
    expect(structuredOf(await server().call('read', { file_path: absolute }))).toMatchObject({ content: 'inner\n' });
    expect(structuredOf(await server().call('read', { file_path: 'empty.txt' }))).toMatchObject({
      content: '',
      bytes: 0,
    });
  });

  verifies(
    'files.invalid-utf8',
    'with bytes that are not UTF-8 has U+FFFD in their place, and the cap counts that',
    async () => {
      const { root, call } = server();
      writeFileSync(join(root, 'latin.txt'), Buffer.alloc(1000, 0xe9));
      const whole = readOf(await call('read', { file_path: 'latin.txt' }));
      expect(whole.content).toBe('\uFFFD'.repeat(1000));
      const cut = readOf(await call('read', { file_path: 'latin.txt', max_output_bytes: 1024 }));
      expect(cut).toMatchObject({ content: '\uFFFD'.repeat(341), truncated: true, bytes: 1023 });
    },
  );

  verifies('files.read.window', 'gives the lines that are asked for', async () => {
    const { call } = server();
    const window = await call('read', { file_path: 'lines.txt', start_line: 10, end_line: 12 });
    expect(structuredOf(window)).toMatchObject({ content: 'line 10\nline 11\nline 12\n', truncated: false, bytes: 24 });
    const past = await call('read', { file_path: 'lines.txt', start_line: 4000 });
    expect(structuredOf(past)).toMatchObject({ content: '', bytes: 0 });
    expect(textOf(past)).toBe('[the file has 3000 lines]');
  });
});

describe('a file that is too large', () => {
  verifies(
    ['files.max-output-bytes', 'output.same-pruned-text'],
    'is cut at the limit and the text names the next call',
    async () => {
      const result = await server().call('read', { file_path: 'lines.txt', max_output_bytes: 1024 });
      const { content, truncated, bytes } = readOf(result);
      expect({ truncated, bytes }).toEqual({ truncated: true, bytes: 1024 });
      expect(LINES.startsWith(content)).toBe(true);
      expect(textOf(result)).toBe(`${content}\n[cut at 1024 bytes inside line 126; read on with start_line=126]`);
      const next = await server().call('read', { file_path: 'lines.txt', start_line: 126, end_line: 126 });
      expect(textOf(next)).toBe('line 126\n');
    },
  );

  verifies(
    'files.max-output-bytes',
    'says so when the cut falls between two lines, and keeps the last line asked for',
    async () => {
      const bytes = Buffer.byteLength(numberedLines(150));
      const args = { file_path: 'lines.txt', max_output_bytes: bytes, end_line: 2000 };
      const text = textOf(await server().call('read', args));
      expect(text.split('\n').at(-1)).toBe(
        `[cut at ${bytes} bytes after line 150; read on with start_line=151 end_line=2000]`,
      );
    },
  );

  verifies('files.max-output-bytes', 'sends nobody in circles when one line is longer than the limit', async () => {
    const text = textOf(await server().call('read', { file_path: 'one-line.txt', max_output_bytes: 1024 }));
    expect(text).toBe(
      `${'x'.repeat(1024)}\n[cut at 1024 bytes inside line 1; a larger max_output_bytes shows more of it]`,
    );
  });

  verifies('files.implicit-cap', 'is cut in the middle at 1 MiB when no limit is given', async () => {
    const { root, call } = server();
    const text = numberedLines(11_000, (n) => `${n} ${'y'.repeat(99 - String(n).length)}`);
    writeFileSync(join(root, 'huge.txt'), text);
    const result = await call('read', { file_path: 'huge.txt' });
    const { truncated, bytes, content, pruning } = readOf(result);
    expect({ truncated, bytes }).toEqual({ truncated: true, bytes: text.length });
    expect(Buffer.byteLength(textOf(result))).toBeLessThanOrEqual(1_048_576);
    expect(Buffer.byteLength(content)).toBeGreaterThan(1_000_000);
    const [, start, end] = /^⟦pruned (\d+)-(\d+) \(\d+ lines\)⟧$/m.exec(content) ?? [];
    const ranges = [{ start_line: Number(start), end_line: Number(end) }];
    const recovered = recoveredOf(await call('recover_text', { prune_id: pruning.prune_id, ranges })).raw_text;
    expect(content.replace(/⟦pruned .*⟧\n/, recovered)).toBe(text);
  });

  for (const client of ['claude-code', 'codex-mcp-client']) {
    verifies('files.implicit-cap', `is cut at 40,000 bytes for ${client}, unless it asks for more`, async () => {
      const text = numberedLines(6000, (n) => `number ${n}`);
      const { call } = await site({ client, files: { 'big.txt': text } });
      const result = await call('read', { file_path: 'big.txt' });
      expect(structuredOf(result)).toMatchObject({ truncated: true, bytes: text.length });
      expect(Buffer.byteLength(textOf(result))).toBeLessThanOrEqual(40_000);
      expect(textOf(result)).toMatch(/^number 1\n[^]*\n⟦pruned \d+-\d+ \(\d+ lines\)⟧\n[^]*\nnumber 6000\n⟦prune_id=/);
      const more = await call('read', { file_path: 'big.txt', max_output_bytes: 100_000 });
      expect(structuredOf(more)).toMatchObject({ truncated: false, bytes: text.length });
      const line = await call('read', { file_path: 'big.txt', start_line: 3000, end_line: 3000 });
      expect(textOf(line)).toBe('number 3000\n');
    });
  }

  verifies('files.reply-cap', 'makes no reply above 8 MiB, and the result says that it was cut', async () => {
    const { root, messages, ask } = server();
    writeFileSync(join(root, 'escapes.txt'), '\u0001"\\'.repeat(1_000_000));
    const args = { file_path: 'escapes.txt', max_output_bytes: 10_485_760 };
    const { result } = await ask('tools/call', { name: 'read', arguments: args });
    expect(Buffer.byteLength(JSON.stringify(messages.at(-1)))).toBeLessThanOrEqual(8 * 1024 * 1024);
    const { truncated, bytes, pruning, content } = readOf(result ?? {});
    expect({ truncated, bytes, raw: pruning.raw_bytes }).toEqual({ truncated: true, bytes: 3_000_000, raw: 3_000_000 });
    expect(Buffer.byteLength(content)).toBeGreaterThan(200_000);
    expect(content).toMatch(/\n\[\d+ bytes left out here\]\n/);
    expect(textOf(result ?? {}).slice(-200)).toContain(`⟦prune_id=${pruning.prune_id} · `);
  });
});

describe('a file that cannot be read', () => {
  verifies(['files.read.not-found', 'request.events.failed'], 'because it does not exist is `not_found`', async () => {
    const seen = server().events.length;
    const result = await server().call('read', { file_path: 'nowhere.txt' });
    expect(result.isError).toBe(true);
    expect(errorOf(result)).toEqual({ code: 'not_found', message: 'nowhere.txt does not exist' });
    expect(textOf(result)).toBe('not_found: nowhere.txt does not exist');
    await server().until(() => eventsOf(server(), seen).includes('tool.respond_ok'));
    expect(
      server()
        .events.slice(seen)
        .find(({ event }) => event === 'tool.exec_failed')?.data,
    ).toMatchObject({
      tool: 'read',
      code: 'not_found',
      duration_ms: expect.any(Number),
    });
  });

  verifies('files.read.permission-denied', 'because it may not be read is `permission_denied`', async () => {
    const { call, root } = await site({ nodeArgs: unprivileged() });
    chmodSync(root, 0o755);
    writeFileSync(join(root, 'secret.txt'), 'secret\n', { mode: 0o000 });
    expect(errorOf(await call('read', { file_path: 'secret.txt' })).code).toBe('permission_denied');
  });

  verifies('files.read.io-error', 'for any other reason is `io_error`', async () => {
    expect(errorOf(await server().call('read', { file_path: 'x'.repeat(300) })).code).toBe('io_error');
  });

  verifies(
    'files.read.invalid-path',
    'because it is outside the root or no regular file is `invalid_path`',
    async () => {
      const { root, call } = server();
      const outside = temporaryDirectory();
      writeFileSync(join(outside, 'out.txt'), 'out\n');
      symlinkSync(join(outside, 'out.txt'), join(root, 'link.txt'));
      mkdirSync(join(root, 'folder'));
      const paths = ['../x', '/etc/passwd', join(outside, 'out.txt'), 'link.txt', 'folder', '.', '/dev/null'];
      for (const file_path of paths) {
        const result = await call('read', { file_path });
        expect([file_path, errorOf(result).code]).toEqual([file_path, 'invalid_path']);
        expect(JSON.stringify(result)).not.toContain('out\\n');
      }
    },
  );

  verifies(
    ['files.errors.carry-pruning', 'pruning.error-metadata'],
    'carries metadata without an attempt, whatever was asked',
    async () => {
      const plain = { attempted: false, applied: false, fallback: false, raw_bytes: 0 };
      const { call } = server();
      const unasked = await call('read', { file_path: 'nowhere.txt' });
      expect(pruningOf(unasked)).toEqual({ ...plain, reason: 'no_focus_question' });
      const asked = await call('read', { file_path: 'nowhere.txt', context_focus_question: 'Where is it?' });
      expect(pruningOf(asked)).toEqual({ ...plain, reason: 'output_empty' });
    },
  );
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { ServerProcess } from '../../../../packages/mcp-pruner/test/harness.ts';
import { verifies } from '../../verifies.ts';
import { type Answer, json, type Service, serve, silence, text as textAnswer } from '../engine/http-service.ts';
import { bashOf, type Files, grepOf, pruningOf, readOf, site, structuredOf, textOf } from './site.ts';

const QUESTION = { context_focus_question: '  Where is bravo? ' };
const WORDS = 'alpha\nbravo\ncharlie\ndelta\necho\n';
const SKIPPED = { attempted: false, applied: false, fallback: false };

/** A server and the service that prunes for it. */
async function sited(
  answer: Answer,
  files: Files = { 'words.txt': WORDS },
): Promise<ServerProcess & { service: Service }> {
  const service = await serve(answer);
  const server = await site({ files, env: { PRUNER_URL: `${service.url}/prune` } });
  return { ...server, service };
}

function sentTo({ received }: Service): { code: string; query: string }[] {
  return received.map(({ body }) => JSON.parse(body) as { code: string; query: string });
}

describe('nothing is asked of the pruner', () => {
  verifies(['pruning.no-question', 'stdio.opt-in'], 'without a question', async () => {
    const { call, service } = await sited(json({ pruned_code: 'bravo\n' }));
    const results = [
      await call('read', { file_path: 'words.txt' }),
      await call('bash', { command: 'cat words.txt' }),
      await call('grep', { pattern: 'a' }),
    ];
    for (const result of results) expect(pruningOf(result)).toMatchObject({ ...SKIPPED, reason: 'no_focus_question' });
    expect(service.received).toEqual([]);
  });

  verifies('pruning.disabled', 'when its address is empty', async () => {
    const { call } = await site({ files: { 'words.txt': WORDS }, env: { PRUNER_URL: '' } });
    const result = await call('read', { file_path: 'words.txt', ...QUESTION });
    expect(pruningOf(result)).toEqual({ ...SKIPPED, reason: 'disabled_or_unconfigured', raw_bytes: 31 });
    expect(textOf(result)).toBe(WORDS);
  });

  verifies('pruning.output-empty', 'when there is no output', async () => {
    const { call, service } = await sited(json({ pruned_code: 'bravo\n' }), { 'empty.txt': '' });
    const results = [
      await call('read', { file_path: 'empty.txt', ...QUESTION }),
      await call('bash', { command: 'true', ...QUESTION }),
      await call('grep', { pattern: 'a', ...QUESTION }),
    ];
    for (const result of results)
      expect(pruningOf(result)).toEqual({ ...SKIPPED, reason: 'output_empty', raw_bytes: 0 });
    expect(service.received).toEqual([]);
  });

  verifies('pruning.too-large', 'when the output exceeds 2,097,152 bytes, and not one byte below', async () => {
    const { call, root, service } = await sited(json({ pruned_code: 'x' }));
    const limits = { max_output_bytes: 3_000_000, ...QUESTION };
    writeFileSync(join(root, 'large.txt'), 'x'.repeat(2_097_153));
    const large = await call('read', { file_path: 'large.txt', ...limits });
    expect(pruningOf(large)).toEqual({ ...SKIPPED, reason: 'too_large', raw_bytes: 2_097_153 });
    expect(service.received).toEqual([]);
    writeFileSync(join(root, 'large.txt'), 'x'.repeat(2_097_152));
    const fitting = await call('read', { file_path: 'large.txt', ...limits });
    expect(pruningOf(fitting)).toMatchObject({ attempted: true, raw_bytes: 2_097_152 });
    expect(service.received).toHaveLength(1);
  });

  verifies('pruning.check-order', 'for the first reason that holds: question, address, empty, size', async () => {
    const { call } = await site({ files: { 'empty.txt': '' }, env: { PRUNER_URL: '' } });
    const unasked = await call('read', { file_path: 'empty.txt' });
    expect(pruningOf(unasked).reason).toBe('no_focus_question');
    const unconfigured = await call('read', { file_path: 'empty.txt', ...QUESTION });
    expect(pruningOf(unconfigured).reason).toBe('disabled_or_unconfigured');
    const missing = await call('read', { file_path: 'nowhere.txt', ...QUESTION });
    expect(pruningOf(missing).reason).toBe('disabled_or_unconfigured');
  });
});

describe('a service that answers', () => {
  for (const field of ['pruned_code', 'content', 'text']) {
    verifies('pruning.applied', `with \`${field}\` is believed`, async () => {
      const { call } = await sited(json({ [field]: 'bravo\n' }));
      const { content, pruning } = readOf(await call('read', { file_path: 'words.txt', ...QUESTION }));
      expect(content).toBe('bravo\n');
      expect(pruning).toEqual({
        attempted: true,
        applied: true,
        fallback: false,
        raw_bytes: 31,
        backend: 'http',
        pruned_bytes: 6,
        pruner_duration_ms: expect.any(Number),
        prune_id: expect.stringMatching(/^prn_\w{35}$/),
      });
    });
  }

  verifies('pruning.mapping.read', 'gets the content of a file and replaces it', async () => {
    const { call, service } = await sited(json({ pruned_code: 'delta\n' }));
    const result = await call('read', { file_path: 'words.txt', start_line: 2, end_line: 4, ...QUESTION });
    expect(sentTo(service)).toEqual([{ code: 'bravo\ncharlie\ndelta\n', query: 'Where is bravo?' }]);
    expect(structuredOf(result)).toMatchObject({ content: 'delta\n', bytes: 20, file_path: 'words.txt' });
  });

  verifies('pruning.mapping.bash', 'gets stdout of a command, or stderr when that is all there is', async () => {
    const { call, service } = await sited(json({ pruned_code: 'bravo\n' }));
    const both = await call('bash', { command: 'cat words.txt; echo noise >&2', ...QUESTION });
    expect(bashOf(both)).toMatchObject({ stdout: 'bravo\n', stderr: 'noise\n' });
    const one = await call('bash', { command: 'cat words.txt >&2', ...QUESTION });
    expect(bashOf(one)).toMatchObject({ stdout: '', stderr: 'bravo\n' });
    expect(sentTo(service).map(({ code }) => code)).toEqual([WORDS, WORDS]);
  });

  verifies('pruning.mapping.grep', 'gets the matches as lines, and its lines are read back into matches', async () => {
    const { call, service } = await sited(
      json({ pruned_code: '(filtered 1 line)\nwords.txt:4:5:delta\n(filtered 1 line)' }),
    );
    const result = await call('grep', { pattern: 'a$', ...QUESTION });
    expect(sentTo(service)[0]?.code).toBe('words.txt:1:5:alpha\nwords.txt:4:5:delta');
    const { matches, match_count, pruning } = grepOf(result);
    expect(matches).toEqual([{ path: 'words.txt', line: 4, column: 5, text: 'delta' }]);
    expect({ match_count, applied: pruning.applied }).toEqual({ match_count: 2, applied: true });
    expect(textOf(result)).toBe(
      `⟦pruned 1-1 (1 line)⟧\nwords.txt:4:5:delta\n⟦prune_id=${pruning.prune_id} · recover_text restores any range⟧`,
    );
  });

  verifies('pruning.metadata.raw-bytes', 'is told of raw bytes after the tool’s own cut', async () => {
    const { call, service } = await sited(json({ pruned_code: 'x' }), { 'long.txt': 'x'.repeat(5000) });
    const result = await call('read', { file_path: 'long.txt', max_output_bytes: 1024, ...QUESTION });
    expect(sentTo(service)[0]?.code).toHaveLength(1024);
    expect(pruningOf(result)).toMatchObject({ raw_bytes: 1024, pruned_bytes: 1 });
  });

  verifies(
    ['pruning.aligned', 'pruning.backend-field'],
    'keeps its words in the object, while the text has our markers',
    async () => {
      const { call } = await sited(json({ pruned_code: '(filtered 1 lines)\nbravo\n(filtered 3 lines)' }));
      const result = await call('read', { file_path: 'words.txt', ...QUESTION });
      const { content, pruning } = readOf(result);
      expect(content).toBe('(filtered 1 lines)\nbravo\n(filtered 3 lines)');
      expect(textOf(result)).toBe(
        `⟦pruned 1-1 (1 line)⟧\nbravo\n⟦pruned 3-5 (3 lines)⟧\n⟦prune_id=${pruning.prune_id} · recover_text restores any range⟧`,
      );
      const ranges = [{ start_line: 3, end_line: 5 }];
      const recovered = await call('recover_text', { prune_id: pruning.prune_id, ranges });
      expect(structuredOf(recovered)).toMatchObject({ raw_text: 'charlie\ndelta\necho\n' });
    },
  );

  verifies(
    'pruning.unaligned',
    'in words of its own is applied as it is, and the raw text stays recoverable',
    async () => {
      const { call } = await sited(json({ pruned_code: 'bravo is second of five words' }));
      const result = await call('read', { file_path: 'words.txt', ...QUESTION });
      const { content, pruning } = readOf(result);
      expect(content).toBe('bravo is second of five words');
      expect(pruning).toMatchObject({ applied: true, aligned: false, backend: 'http' });
      expect(textOf(result)).toBe(
        `bravo is second of five words\n⟦prune_id=${pruning.prune_id} · recover_text restores any range⟧`,
      );
      const ranges = [{ start_line: 1, end_line: 99 }];
      const recovered = await call('recover_text', { prune_id: pruning.prune_id, ranges });
      expect(structuredOf(recovered)).toMatchObject({ raw_text: WORDS });
    },
  );

  verifies('pruning.applied', 'that nothing can go is believed too, and costs not a word', async () => {
    const { call } = await sited(json({ pruned_code: WORDS }));
    const result = await call('read', { file_path: 'words.txt', ...QUESTION });
    expect(textOf(result)).toBe(WORDS);
    expect(pruningOf(result)).toMatchObject({ applied: true, pruned_bytes: 31, raw_bytes: 31 });
  });
});

describe('a service that fails', () => {
  verifies('pruning.failure.http', 'with a status is `http_error`', async () => {
    await leavesRaw(textAnswer('', 500), 'http_error');
  });
  verifies('pruning.failure.timeout', 'to answer is `timeout`', async () => {
    await leavesRaw(silence(), 'timeout');
  });
  const UNUSABLE: readonly [string, Answer][] = [
    ['with a page', textAnswer('<html>')],
    ['with another field', json({ answer: 'bravo' })],
    ['with nothing', json({ pruned_code: '' })],
    ['and says so', json({ pruned_code: 'bravo', error_msg: 'out of memory' })],
  ];
  for (const [how, answer] of UNUSABLE) {
    verifies('pruning.failure.invalid', `${how} is \`invalid_response\``, async () => {
      await leavesRaw(answer, 'invalid_response');
    });
  }

  verifies(
    ['pruning.raw-unchanged', 'pruning.metadata.flags', 'request.events.pruner'],
    'leaves its failure in the events',
    async () => {
      const { events, url } = await leavesRaw(textAnswer('', 503), 'http_error');
      const told = events.filter(({ event }) => event.startsWith('pruner.'));
      expect(told.map(({ event }) => event)).toEqual(['pruner.call_start', 'pruner.call_failed']);
      expect(told[0]?.data).toEqual({ endpoint: `${url}/`, tool: 'read', input_bytes: 31 });
      expect(told[1]?.data).toMatchObject({
        tool: 'read',
        reason: 'http_error',
        pruner_duration_ms: expect.any(Number),
      });
    },
  );
});

/** The output is what it would be without a question, and the metadata says why. */
async function leavesRaw(answer: Answer, code: string): Promise<{ events: ServerProcess['events']; url: string }> {
  const { url } = await serve(answer);
  const server = await site({ files: { 'words.txt': WORDS }, env: { PRUNER_URL: url, PRUNER_TIMEOUT_MS: '200' } });
  const result = await server.call('read', { file_path: 'words.txt', ...QUESTION });
  expect(textOf(result)).toBe(WORDS);
  expect(result.isError).toBeUndefined();
  const { content, pruning } = readOf(result);
  expect(content).toBe(WORDS);
  expect(pruning).toEqual({
    attempted: true,
    applied: false,
    fallback: true,
    reason: 'pruner_error',
    raw_bytes: 31,
    backend: 'http',
    pruner_duration_ms: expect.any(Number),
    error: { code, message: expect.stringMatching(/\w/) },
  });
  await server.until(() => server.events.some(({ event }) => event === 'tool.respond_ok'));
  return { events: server.events, url };
}

describe('lines of a search', () => {
  const FILES = { 'a.txt': '42:x\nplain\n', 'a.txt:2': '5:plain\n' };
  const lines = ['a.txt:1:1:42:x', 'a.txt:2:1:plain', 'a.txt:2:1:1:5:plain'];

  verifies(
    ['pruning.grep-table', 'pruning.grep-ambiguity'],
    'come back as the match they were, in any order',
    async () => {
      const { call, service } = await sited(
        json({ pruned_code: `${lines[2]}\n\n(filtered 1 lines)\n${lines[0]}` }),
        FILES,
      );
      const { matches, pruning } = grepOf(await call('grep', { pattern: '.', ...QUESTION }));
      expect(sentTo(service)[0]?.code).toBe(lines.join('\n'));
      expect(matches).toEqual([
        { path: 'a.txt', line: 1, column: 1, text: '42:x' },
        { path: 'a.txt:2', line: 1, column: 1, text: '5:plain' },
      ]);
      expect(pruning).toMatchObject({ applied: true });
    },
  );

  verifies('pruning.grep-ambiguity', 'that read the same for two matches stand for both', async () => {
    const files = { 'a.txt': 'one\n1:5:plain\n', 'a.txt:2': '5:plain\n' };
    const { call, service } = await sited(json({ pruned_code: 'a.txt:2:1:1:5:plain' }), files);
    const { matches } = grepOf(await call('grep', { pattern: '.', ...QUESTION }));
    expect(sentTo(service)[0]?.code).toBe('a.txt:1:1:one\na.txt:2:1:1:5:plain\na.txt:2:1:1:5:plain');
    expect(matches).toEqual([
      { path: 'a.txt', line: 2, column: 1, text: '1:5:plain' },
      { path: 'a.txt:2', line: 1, column: 1, text: '5:plain' },
    ]);
  });

  verifies(
    ['pruning.grep-table', 'pruning.failure.invalid', 'pruning.raw-unchanged'],
    'that were not sent make the answer unusable',
    async () => {
      for (const pruned_code of [`${lines[0]}\na.txt:3:1:made up`, 'a.txt:1:1:42', 'Nothing of interest.']) {
        const { call } = await sited(json({ pruned_code }), FILES);
        const result = await call('grep', { pattern: '.', ...QUESTION });
        expect(textOf(result)).toBe(lines.join('\n'));
        expect(grepOf(result).matches).toHaveLength(3);
        expect(pruningOf(result)).toMatchObject({ applied: false, error: { code: 'invalid_response' } });
      }
    },
  );
});

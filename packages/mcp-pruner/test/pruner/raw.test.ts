import { randomBytes } from 'node:crypto';
import { createMemoryStore, type RecoveryStore } from '@jeeves/engine';
import { describe, expect, test } from 'vitest';
import { showRaw } from '../../src/pruner/raw.ts';
import type { Answer, ToolOutput } from '../../src/pruner.ts';

const store = createMemoryStore();

async function shown(raw: string, shownBytes: number, parts: Partial<ToolOutput> = {}, where: RecoveryStore = store): Promise<Answer> {
  const output: ToolOutput = {
    tool: 'bash',
    raw: Buffer.from(raw),
    goal: undefined,
    source: 'auto',
    budget: { maxTokens: 0, aroundTokens: 0, shownBytes },
    deadline: 0,
    signal: new AbortController().signal,
    emit: () => undefined,
    ...parts,
  };
  const options = {
    setting: { kind: 'off' },
    timeoutMs: 1,
    store: where,
    randomBytes,
    fetch: globalThis.fetch,
    now: () => 5,
  } as const;
  return await showRaw(output, options);
}

const NUMBERS = Array.from({ length: 1000 }, (_, at) => `line ${at + 1}\n`).join('');

describe('an output that fits', () => {
  test('is shown as it is and kept nowhere', async () => {
    expect(await shown('one\ntwo\n', 8)).toEqual({ text: 'one\ntwo\n', structuredText: 'one\ntwo\n' });
  });
});

describe('an output that does not fit', () => {
  test('is cut in the middle between lines, marked and recoverable', async () => {
    const { text, structuredText, closing, truncated, pruneId = '' } = await shown(NUMBERS, 1000, { firstLine: 11 });
    const [, start, end, count] = /^⟦pruned (\d+)-(\d+) \((\d+) lines\)⟧$/m.exec(text) ?? [];
    expect(text.startsWith('line 1\n')).toBe(true);
    expect(text.endsWith('line 1000\n')).toBe(true);
    expect(text).toContain(`line ${Number(start) - 11}\n⟦pruned ${start}-${end} (${count} lines)⟧\nline ${Number(end) - 9}\n`);
    expect(Buffer.byteLength(`${text}${closing}`)).toBeLessThanOrEqual(1000);
    expect({ structuredText, truncated }).toEqual({ structuredText: text, truncated: true });
    expect(await store.get(pruneId)).toMatchObject({ text: NUMBERS, firstLine: 11 });
  });

  test('can be made smaller still, under the same id', async () => {
    const large = await shown(NUMBERS, 4000);
    const small = large.fit?.(900);
    expect(small?.text.length).toBeLessThanOrEqual(900);
    expect(small?.pruneId).toBe(large.pruneId);
    expect(large.fit?.(99_999).text).toBe(large.text);
  });

  test('of one line shows both of its ends', async () => {
    const { text, truncated } = await shown(`start ${'é'.repeat(2000)} end`, 500);
    expect(text).toMatch(/^start é+\n\[\d+ bytes left out here\]\né+ end$/);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(500);
    expect(truncated).toBe(true);
  });

  test('says so when it cannot be kept', async () => {
    const refusing = { ...store, url: '', put: () => Promise.reject(new Error('full')) } as unknown as RecoveryStore;
    const { closing, pruneId } = await shown(NUMBERS, 1000, {}, refusing);
    expect(closing).toBe('[what is left out could not be kept for recovery]');
    expect(pruneId).toBeUndefined();
  });

  test('knows which lines are shown where somebody asks', async () => {
    const { kept, text } = await shown(NUMBERS, 1000, { onlySentLines: true });
    expect(kept).toHaveLength(1000);
    expect(kept?.reduce((sum, flag) => sum + flag, 0)).toBe(text.split('\n').length - 2);
  });
});

describe('an output with colours', () => {
  test('is shown without them, and recovered with them', async () => {
    const { text, closing, stripped, pruneId = '' } = await shown('\x1b[31mred\x1b[0m\n', 99, { strip: true });
    expect({ text, closing, stripped }).toEqual({ text: 'red\n', stripped: true });
    expect((await store.get(pruneId))?.text).toBe('\x1b[31mred\x1b[0m\n');
  });

  test('keeps them where nobody asked to leave them out', async () => {
    expect((await shown('\x1b[31mred\x1b[0m\n', 99)).text).toBe('\x1b[31mred\x1b[0m\n');
  });
});

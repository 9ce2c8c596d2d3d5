import { describe, expect, it } from 'vitest';
import { type CaptureResult, pruneCapture } from '../../src/capture/prune-capture.ts';
import {
  type Backend,
  type CaptureRequest,
  createLexicalBackend,
  createMemoryStore,
  type Gap,
  recover,
  split,
} from '../../src/index.ts';

const store = createMemoryStore();
const backend = createLexicalBackend();
let ids = 0;

function pruned(request: Omit<CaptureRequest, 'goal'>, judge: Backend = backend): Promise<CaptureResult> {
  ids += 1;
  return pruneCapture(
    { goal: 'why does the build fail', source: 'logs', ...request },
    {
      backend: judge,
      store,
      newId: () => `prn_capture${ids}`,
      now: () => 1000,
      countTokens: () => ({ tokens: 0, method: 'estimate' }),
    },
  );
}

/** Every line scores as the table says, 0 otherwise. */
function judging(scores: Readonly<Record<string, number>>): Backend {
  return {
    name: 'table',
    judge: ({ texts }) =>
      Promise.resolve({ scores: Float64Array.from({ length: texts.length }, (_, at) => scores[texts.at(at)] ?? 0) }),
  };
}

async function recovered(pruneId: string, { startLine, endLine }: { startLine: number; endLine: number }): Promise<string> {
  return (await recover({ pruneId, ranges: [{ startLine, endLine }] }, { store, backend })).text;
}

async function rebuilt({ text, gaps, pruneId }: CaptureResult): Promise<string> {
  let out = '';
  const waiting = [...gaps];
  const lines = split(text);
  for (let index = 0; index < lines.length; index += 1) {
    if (waiting[0]?.marker === lines.at(index)) out += await recovered(pruneId, waiting.shift() as Gap);
    else out += lines.raw(index);
  }
  return out;
}

const COMPILED = Array.from({ length: 600 }, (_, at) => `cc -c src/part_${at}.c -o out/part_${at}.o\n`);

describe('a capture that is larger than what is looked at', () => {
  const RAW = [...COMPILED.slice(0, 500), 'error: part_500.c:3: no such field\n', ...COMPILED.slice(500)].join('');

  it.each([6000, 12_000, 25_000])('has one gap over what was not looked at, with %d bytes', async (bytes) => {
    const raw = Buffer.from(RAW);
    const result = await pruned({ raw, lookedAt: { bytes, lines: 10_000 } });
    expect(result.stats).toMatchObject({ originalLines: 601, usedFallback: false });
    expect(result.stats.keptLines + result.stats.prunedLines).toBe(601);
    for (const [at, gap] of result.gaps.entries()) {
      expect(gap.startLine).toBeGreaterThan((result.gaps[at - 1]?.endLine ?? -1) + 1);
    }
    expect(await rebuilt(result)).toBe(RAW);
  });

  it.each([
    ['gaps on both sides', { 'l 1': 1, 'l 100': 1 }],
    ['kept lines on both sides', { 'l 10': 1, 'l 91': 1, 'l 5': 1, 'l 95': 1 }],
    ['everything there is', {}],
    ['all but the last line', { 'l 100': 1 }],
  ])('merges the middle with %s', async (_, scores) => {
    const text = Array.from({ length: 100 }, (_, at) => `l ${at + 1}`).join('\n');
    const limits = { maxPruneRatio: 1, minKeepLines: 0 };
    const result = await pruned(
      { raw: Buffer.from(text), limits, source: 'docs', lookedAt: { bytes: 9999, lines: 20 } },
      judging(scores),
    );
    expect(result.gaps.some(({ startLine, endLine }) => startLine <= 11 && endLine >= 90)).toBe(true);
    expect(await rebuilt(result)).toBe(text);
  });

  it('keeps the numbers of a window of a file', async () => {
    const result = await pruned({ raw: Buffer.from(RAW), firstLine: 1001, lookedAt: { bytes: 8000, lines: 10_000 } });
    expect(await rebuilt(result)).toBe(RAW);
    expect(result.gaps.at(-1)?.endLine).toBeLessThanOrEqual(1601);
  });
});

describe('a capture with colours', () => {
  it('is judged and shown without them, and recovered with them', async () => {
    const raw = [...COMPILED, '\x1b[31merror: \x1b[0mno such field\n', ...COMPILED].map((line) => `\x1b[2m${line}`).join('');
    const result = await pruned({ raw, strip: true });
    expect(result.stripped).toBe(true);
    expect(result.text).toContain('error: no such field\n');
    expect(result.text).not.toContain('\x1b');
    expect(await recovered(result.pruneId, { startLine: 601, endLine: 601 })).toBe(
      '\x1b[2m\x1b[31merror: \x1b[0mno such field\n',
    );
  });

  it('is left alone where nobody asked for it, and says so where there are none', async () => {
    expect(await pruned({ raw: '\x1b[31mred\x1b[0m\n' })).toMatchObject({ text: '\x1b[31mred\x1b[0m\n', stripped: false });
    expect(await pruned({ raw: 'red\n', strip: true })).toMatchObject({ text: 'red\n', stripped: false });
  });
});

it('remembers what it was pruned for', async () => {
  const { pruneId } = await pruned({ raw: 'one line\n' });
  expect(await store.get(pruneId)).toMatchObject({ goal: 'why does the build fail', text: 'one line\n', firstLine: 1 });
});

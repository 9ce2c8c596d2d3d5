import { type Backend, EngineError, type RecoveryStore } from '@jeeves/engine';
import { createMemoryStore } from '@jeeves/store';
import { describe, expect, test } from 'vitest';
import { createResultPruner, MIN_PRUNED_CHARS, type ResultPruner } from '../src/prune-result.ts';
import type { CounterName } from '../src/stats/counters.ts';
import type { UpstreamResult } from '../src/upstream/upstream.ts';

const NEEDLE = '12:00:30 ERROR src/parser.c:88: expected ";" before "return"';
const LOG = Array.from({ length: 400 }, (_, at) => (at === 200 ? NEEDLE : `12:00:${at} INFO built part ${at}`)).join(
  '\n',
);
const GOAL = 'which error stopped the build?';
const STRUCTURED_CLIENT = { client: { name: 'some-client', version: '1' } };
const TEXT_CLIENT = { client: { name: 'claude-code', version: '2' } };

interface Bench extends ResultPruner {
  readonly counts: Partial<Record<CounterName, number>>;
  readonly store: RecoveryStore;
}

function bench(backend?: Backend, store: RecoveryStore = createMemoryStore()): Bench {
  const counts: Partial<Record<CounterName, number>> = {};
  const pruner = createResultPruner({
    store,
    now: Date.now,
    randomBytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
    output: 'auto',
    counters: {
      add: (name, by = 1) => {
        counts[name] = (counts[name] ?? 0) + by;
      },
    },
    ...(backend !== undefined && { backend }),
  });
  return { ...pruner, counts, store };
}

function textResult(text: string): UpstreamResult {
  return { content: [{ type: 'text', text, annotations: { priority: 1 } }] };
}

describe('a long text', () => {
  test('keeps what serves the goal, and the rest can be recovered', async () => {
    const { prune, counts, store } = bench();
    const { content } = await prune(textResult(LOG), GOAL, STRUCTURED_CLIENT);
    const [block] = content;
    const text = String(block?.['text']);
    expect(text).toContain(NEEDLE);
    expect(text.length).toBeLessThan(LOG.length / 2);
    expect(block?.['annotations']).toEqual({ priority: 1 });
    const id = /⟦prune_id=(prn_\w+) · recover_text restores any range⟧$/.exec(text)?.[1] ?? '';
    expect((await store.get(id))?.text).toBe(LOG);
    expect(counts.resultsPruned).toBe(1);
    expect(counts.tokensPruned).toBeGreaterThan(1000);
  });

  test('stands alone: other blocks and fields stay as they are', async () => {
    const image = { type: 'image', data: 'aGk=', mimeType: 'image/png' };
    const result = { content: [image, ...textResult(LOG).content], isError: true, _meta: { a: 1 }, other: [2] };
    const pruned = await bench().prune(result, GOAL, STRUCTURED_CLIENT);
    expect(pruned).toMatchObject({ content: [image, { type: 'text' }], isError: true, _meta: { a: 1 }, other: [2] });
    expect(pruned.content[0]).toBe(image);
  });

  test('is not repeated by an object that a client would show instead', async () => {
    const result = { ...textResult(LOG), structuredContent: { log: LOG }, _meta: { a: 1 } };
    const { prune } = bench();
    expect(await prune(result, GOAL, STRUCTURED_CLIENT)).toMatchObject({ structuredContent: { log: LOG } });
    const shown = await prune(result, GOAL, TEXT_CLIENT);
    expect(shown).not.toHaveProperty('structuredContent');
    expect(shown['_meta']).toEqual({ a: 1, 'jeeves/result': { log: LOG } });
    const checked = await prune(result, GOAL, { ...TEXT_CLIENT, keepStructured: true });
    expect(checked).toMatchObject({ structuredContent: { log: LOG } });
  });
});

describe('a result comes back as it was', () => {
  const failing: Backend = { name: 'failing', judge: () => Promise.reject(new EngineError('http_error', 'no')) };
  const refusing: RecoveryStore = {
    ...createMemoryStore(),
    put: () => Promise.reject(new EngineError('store_failed', 'full')),
  };
  const same: [string, UpstreamResult, Bench][] = [
    ['when it is short', textResult('x\n'.repeat(MIN_PRUNED_CHARS / 2 - 1)), bench()],
    ['when it holds no text', { content: [{ type: 'image', data: 'x'.repeat(5000) }] }, bench()],
    ['when it is empty', { content: [] }, bench()],
    ['when a resource is long', { content: [{ type: 'resource', resource: { uri: 'x:', text: LOG } }] }, bench()],
    ['when it is larger than any pruner takes', textResult(`${LOG}\n`.repeat(300)), bench()],
    ['when its text is none', { content: [{ type: 'text', text: 7 }, { type: 'text' }] }, bench()],
    ['when judging fails', textResult(LOG), bench(failing)],
    ['when it cannot be stored', textResult(LOG), bench(undefined, refusing)],
  ];
  test.each(same)('%s', async (_, result, { prune, counts }) => {
    expect(await prune(result, GOAL, TEXT_CLIENT)).toBe(result);
    expect(counts).toEqual({});
  });
});

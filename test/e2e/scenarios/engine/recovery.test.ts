import { EngineError, type RecoveryStore } from '@jeeves/engine';
import { fromRecoverTextInput, RPC_RECOVER_TEXT, toRecoverError, toRecoverTextResult } from '@jeeves/protocol';
import { describe, expect } from 'vitest';
import { verifies } from '../../verifies.ts';
import { ALL_MAY_GO, CANONICAL, numberedLines, scoring, type World, world } from './world.ts';

const TEXT = numberedLines(50, (line) => `row ${line}`);
const range = (startLine: number, endLine: number) => ({ startLine, endLine });

async function pruned(parts: Parameters<typeof world>[0] = {}): Promise<World & { pruneId: string }> {
  const made = world({ backend: scoring(), ...parts });
  const { pruneId } = await made.prune({ ...ALL_MAY_GO, text: TEXT, goal: 'zebra', source: 'logs' });
  return { ...made, pruneId };
}

async function wire(asking: Promise<unknown>): Promise<ReturnType<typeof toRecoverError>> {
  return toRecoverError((await asking.catch((error: unknown) => error)) as EngineError);
}

describe('ranges', () => {
  verifies(
    ['recover.ranges.concatenates', 'recover.original-lines'],
    'come back in the order asked, overlaps and repeats included',
    async () => {
      const { recover, pruneId } = await pruned();
      const { text, ranges } = await recover({ pruneId, ranges: [range(5, 6), range(1, 1), range(5, 5)] });
      expect(text).toBe('row 5\nrow 6\nrow 1\nrow 5\n');
      expect(ranges).toEqual([range(5, 6), range(1, 1), range(5, 5)]);
    },
  );

  verifies(
    'recover.ranges.concatenates',
    'stay apart when the last line, which has no ending, is not last',
    async () => {
      const { recover, prune } = world({ backend: scoring() });
      const { pruneId } = await prune({ ...ALL_MAY_GO, text: 'a\r\nb\nc', goal: 'zebra', source: 'logs' });
      const ranges = [range(3, 3), range(1, 1), range(3, 3)];
      expect((await recover({ pruneId, ranges })).text).toBe('c\na\r\nc');
      expect((await recover({ pruneId, ranges, lineNumbers: true })).text).toBe('3│ c\n1│ a\r\n3│ c');
    },
  );

  verifies('recover.ranges.clamps', 'an end past the last line is brought back to it', async () => {
    const { recover, pruneId } = await pruned();
    for (const end of [50, 51, 1_000_000, Number.MAX_SAFE_INTEGER]) {
      const { text, ranges } = await recover({ pruneId, ranges: [range(49, end)] });
      expect({ text, ranges }).toEqual({ text: 'row 49\nrow 50\n', ranges: [range(49, 50)] });
    }
  });

  verifies('recover.ranges.none', 'none give an empty text', async () => {
    const { recover, pruneId } = await pruned();
    expect(await recover({ pruneId, ranges: [] })).toEqual({ pruneId, text: '', ranges: [] });
  });

  const WRONG = [range(2, 1), range(0, 5), range(-3, 5), range(0, 0), range(-9, -3), range(50, 49)];
  for (const wrong of WRONG) {
    verifies(
      'recover.ranges.invalid',
      `${wrong.startLine}-${wrong.endLine} is invalid, alone or after a good one`,
      async () => {
        const { recover, pruneId } = await pruned();
        await expect(recover({ pruneId, ranges: [wrong] })).rejects.toMatchObject({ code: 'invalid_range' });
        await expect(recover({ pruneId, ranges: [range(1, 2), wrong] })).rejects.toBeInstanceOf(EngineError);
      },
    );
  }

  verifies('recover.ranges.past-end', 'a start past the last line is invalid and names that line', async () => {
    const { recover, prune, pruneId } = await pruned();
    await expect(recover({ pruneId, ranges: [range(51, 60)] })).rejects.toMatchObject({
      code: 'invalid_range',
      data: { maxLine: 50 },
    });
    const empty = await prune({ ...CANONICAL, text: '', goal: 'zebra' });
    await expect(recover({ pruneId: empty.pruneId, ranges: [range(1, 1)] })).rejects.toMatchObject({
      code: 'invalid_range',
      data: { maxLine: 0 },
    });
  });

  verifies('recover.line-numbers', 'lines are numbered only when asked', async () => {
    const { recover, pruneId } = await pruned();
    const numbered = await recover({ pruneId, ranges: [range(9, 11), range(2, 2)], lineNumbers: true });
    expect(numbered.text).toBe('9│ row 9\n10│ row 10\n11│ row 11\n2│ row 2\n');
    expect((await recover({ pruneId, ranges: [range(9, 9)], lineNumbers: false })).text).toBe('row 9\n');
    expect((await recover({ pruneId, ranges: [range(9, 9)] })).text).toBe('row 9\n');
  });

  verifies('recover.metadata', 'the wire answer is seed 002’s', async () => {
    const { recover, pruneId } = await pruned();
    const args = { prune_id: pruneId, ranges: [{ start_line: 49, end_line: 99 }], include_line_numbers: true };
    const asked = fromRecoverTextInput(RPC_RECOVER_TEXT.input.parse(args));
    expect(toRecoverTextResult(await recover(asked))).toEqual({
      raw_text: '49│ row 49\n50│ row 50\n',
      metadata: { prune_id: pruneId, ranges: [{ start_line: 49, end_line: 50 }], line_numbering: 'original' },
    });
  });
});

describe('by goal', () => {
  verifies('recover.by-goal', 'the passages that serve it come back, as ranges of the raw text', async () => {
    const text = numberedLines(400, (line) => (line === 222 ? 'the gasket is torqued to 12 Nm' : `plain row ${line}`));
    const { prune, recover } = world();
    const { pruneId } = await prune({ ...ALL_MAY_GO, text, goal: 'something else', source: 'docs' });
    const found = await recover({ pruneId, goal: 'how is the gasket torqued' });
    expect(found.text).toContain('the gasket is torqued to 12 Nm\n');
    expect(found.text.length).toBeLessThan(text.length);
    const [first, ...others] = found.ranges;
    expect(found.text.startsWith((await recover({ pruneId, ranges: first === undefined ? [] : [first] })).text)).toBe(true);
    expect(found.text.match(/^⟦pruned \d+-\d+ /gm) ?? []).toHaveLength(others.length);
  });

  verifies('recover.by-goal.marked', 'what lies between the passages is marked, and lines are numbered on request', async () => {
    const WANTED = [20, 200, 380];
    const text = numberedLines(400, (line) => (WANTED.includes(line) ? `gasket torque of step ${line}` : `row ${line}`));
    const { prune, recover } = world();
    const { pruneId } = await prune({ ...ALL_MAY_GO, text, goal: 'something else', source: 'docs' });
    const found = await recover({ pruneId, goal: 'gasket torque', lineNumbers: true });
    for (const line of WANTED) expect(found.text).toContain(`${line}│ gasket torque of step ${line}\n`);
    let rebuilt = '';
    for (const line of found.text.split(/(?<=\n)/)) {
      const [, from, to] = /^⟦pruned (\d+)-(\d+) \(\d+ lines?\)⟧\n$/.exec(line) ?? [];
      if (from === undefined) rebuilt += line.replace(/^\d+│ /, '');
      else rebuilt += (await recover({ pruneId, ranges: [range(Number(from), Number(to))] })).text;
    }
    const [first, last] = [found.ranges[0]?.startLine ?? 0, found.ranges.at(-1)?.endLine ?? 0];
    expect(rebuilt).toBe((await recover({ pruneId, ranges: [range(first, last)] })).text);
  });
});

describe('a short request', () => {
  verifies('recover.within-reason', 'brings all lines once, with their numbers, and not a thousand times', async () => {
    const { prune, recover } = world();
    const text = 'x y z\n'.repeat(330_000);
    const { pruneId } = await prune({ text, goal: 'row', maxInputChars: 10 });
    const whole = range(1, 330_000);
    const once = await recover({ pruneId, ranges: [whole], lineNumbers: true });
    expect(once.text.endsWith('330000│ x y z\n')).toBe(true);
    const often = recover({ pruneId, ranges: Array.from({ length: 1000 }, () => whole), lineNumbers: true });
    await expect(often).rejects.toMatchObject({
      code: 'invalid_range',
      data: { maxLine: 330_000, maxChars: 4_620_000 },
    });
    await expect(often).rejects.toThrow(/some of them at a time/);
    expect((await wire(often)).data).toMatchObject({ code: 'invalid_range', max_chars: 4_620_000 });
    const overlapping = [range(1, 1000), range(500, 1500), range(1, 1000)];
    expect((await recover({ pruneId, ranges: overlapping })).text).toHaveLength(3001 * 6);
  });
});

describe('ids', () => {
  verifies('recover.unknown-id', 'an unknown id is an error that names it and says what to do', async () => {
    const { recover } = world();
    for (const pruneId of ['prn_unknown', '', 'x'.repeat(10_000), '../../etc/passwd', '__proto__', 'prn_\0']) {
      const failure = recover({ pruneId, ranges: [range(1, 1)] });
      await expect(failure).rejects.toMatchObject({ code: 'prune_id_not_found', data: { pruneId } });
      await expect(failure).rejects.toThrow(/run the tool again/);
    }
  });

  verifies('recover.one-space', 'texts of all kinds, no-ops too, are found in one place', async () => {
    const { prune, recover } = world();
    const texts = ['', 'a', TEXT, `${TEXT}x`];
    const results = await Promise.all(texts.map((text) => prune({ text, goal: 'row', maxInputChars: TEXT.length })));
    for (const [at, { pruneId }] of results.entries()) {
      const text = texts[at] ?? '';
      const ranges = text === '' ? [] : [range(1, 1000)];
      expect((await recover({ pruneId, ranges })).text).toBe(text);
    }
  });

  verifies('recover.ids.fresh', 'every pruning has an id of its own', async () => {
    const { prune } = world();
    const results = await Promise.all(Array.from({ length: 200 }, () => prune({ text: TEXT, goal: 'row' })));
    expect(new Set(results.map(({ pruneId }) => pruneId)).size).toBe(200);
  });

  verifies('recover.unavailable', 'a store that cannot be read is said to be so', async () => {
    const broken: RecoveryStore = {
      url: 'memory:',
      put: async () => {},
      get: () => Promise.reject(new Error('disk gone')),
      close: async () => {},
    };
    await expect(world({ store: broken }).recover({ pruneId: 'prn_x', ranges: [range(1, 1)] })).rejects.toMatchObject({
      code: 'recovery_unavailable',
    });
  });

  verifies('recover.error-numbers', 'each failure has its number and name on the wire', async () => {
    const { recover, pruneId } = await pruned();
    const broken = { ...(await pruned()).store, get: () => Promise.reject(new Error('disk gone')) };
    expect(await wire(recover({ pruneId: 'prn_x', ranges: [range(1, 1)] }))).toEqual({
      code: -32004,
      message: 'prune_id_not_found',
      data: { code: 'prune_id_not_found', prune_id: 'prn_x' },
    });
    expect(await wire(recover({ pruneId, ranges: [range(60, 61)] }))).toEqual({
      code: -32005,
      message: 'invalid_range',
      data: { code: 'invalid_range', start_line: 60, end_line: 61, max_line: 50 },
    });
    expect(await wire(world({ store: broken }).recover({ pruneId, ranges: [range(1, 1)] }))).toEqual({
      code: -32603,
      message: 'recovery_unavailable',
      data: { code: 'recovery_unavailable', prune_id: pruneId },
    });
  });
});

import { describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import type { Context, Output } from '../../src/context.ts';
import { writePiped, writeToTerminal } from '../../src/output/pruned.ts';
import { verifies } from '../../../../test/e2e/verifies.ts';
import { answer } from '../answers.ts';

const LOG = [
  ...Array.from({ length: 30 }, (_, at) => `step ${at} compiled module number ${at * 7} without complaint`),
  'ERROR: the linker found no symbol frobnicate',
  ...Array.from({ length: 30 }, (_, at) => `step ${at} packed artefact number ${at * 3} into the archive`),
  '⟦pruned 1-2 (2 lines)⟧',
].join('\n');
const GAPS = [
  [1, 29],
  [33, 60],
] as const;

function screen(isTTY: boolean): { context: Context; out: () => string; err: () => string } {
  const texts = { out: '', err: '' };
  const stream = (name: 'out' | 'err'): Output => ({
    isTTY,
    write(text, done) {
      texts[name] += text;
      done();
      return true;
    },
  });
  const context = { stdout: stream('out'), stderr: stream('err'), config: readConfig({}, '/') } as unknown as Context;
  return { context, out: () => texts.out, err: () => texts.err };
}

describe('on a terminal', () => {
  test('gaps are coloured, input that looks like one is not, and a summary follows on stderr', async () => {
    const { context, out, err } = screen(true);
    const result = answer(LOG, GAPS);
    await writeToTerminal(LOG, result, {}, context);
    for (const { marker } of result.gaps) expect(out()).toContain(`\u001B[36m${marker}\u001B[39m\n`);
    expect(out()).not.toContain('\u001B[36m⟦pruned 1-2 (2 lines)⟧');
    expect(err()).toContain('kept 5 of 62 lines · 1,000 → 200 tokens (−80 %) · prn_1');
    expect(err()).toContain('jeeves recover prn_1 --lines 1-29\n');
  });

  test('without its colours the text is the pruned text', async () => {
    const { context, out } = screen(true);
    const result = answer(LOG, GAPS, { annotateLines: true });
    await writeToTerminal(LOG, result, { lineNumbers: true }, context);
    // oxlint-disable-next-line no-control-regex -- colours are control characters
    const plain = out().replaceAll(/\u001B\[\d+m/g, '');
    expect(plain).toBe(result.text.endsWith('\n') ? result.text : `${result.text}\n`);
  });

  verifies('cli.prune.terminal', 'nothing in the text can command the terminal', async () => {
    const { context, out } = screen(true);
    const hostile = `${LOG}\n\u001B]0;title\u0007\u001B[2Jcleared\u0008 \u009B5nand\rback\n`;
    await writeToTerminal(hostile, answer(hostile, GAPS), {}, context);
    // oxlint-disable-next-line no-control-regex -- our own colours are taken out first
    const plain = out().replaceAll(/\u001B\[(?:36|39|2|22)m/g, '');
    // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
    expect(plain).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F]/);
    expect(plain).toContain('cleared andback\n');
  });

  test('a text without gaps is said to be whole', async () => {
    const { context, out, err } = screen(true);
    await writeToTerminal('a\nb\n', answer('a\nb\n', []), {}, context);
    expect(out()).toBe('a\nb\n');
    expect(err()).toContain('nothing cut: all 2 lines kept');
  });
});

describe('in a pipe', () => {
  test('the closing line follows a cut text on a line of its own', async () => {
    const { context, out, err } = screen(false);
    const result = answer(LOG, GAPS);
    await writePiped(LOG, result, {}, context);
    const separator = result.text.endsWith('\n') ? '' : '\n';
    expect(out()).toBe(`${result.text}${separator}⟦jeeves recover prn_1 --lines 1-29⟧\n`);
    expect(err()).toBe('');
  });

  test('without markers the prune id goes to stderr', async () => {
    const { context, out, err } = screen(false);
    const result = answer(LOG, GAPS, { includeMarkers: false });
    await writePiped(LOG, result, { markers: false }, context);
    expect(out()).toBe(result.text);
    expect(err()).toContain('prn_1');
  });

  test('a text that is not worth its closing line comes whole', async () => {
    const short = Array.from({ length: 12 }, (_, at) => `row ${at}\n`).join('');
    const { context, out, err } = screen(false);
    const result = answer(short, [[2, 5]]);
    await writePiped(short, result, {}, context);
    expect(out()).toBe(short);
    expect(err()).toBe('returned whole: the gaps save less than the line that names them\n');
  });
});

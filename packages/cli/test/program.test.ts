import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';
import type { Context, Output } from '../src/context.ts';
import { createProgram } from '../src/program.ts';

const DAY_MS = 24 * 3600 * 1000;
const home = mkdtempSync(join(tmpdir(), 'jeeves-program-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** The program in this process, for what no real process can be brought to do: a clock that leaps, a terminal. */
async function run(args: readonly string[], world: Partial<Context> = {}, columns?: number) {
  const texts = { out: '', err: '' };
  let code = 0;
  const stream = (name: 'out' | 'err'): Output => ({
    ...(columns === undefined ? {} : { isTTY: true, columns }),
    write(text, done) {
      texts[name] += text;
      done();
      return true;
    },
  });
  const context: Context = {
    stdin: { isTTY: true, async *[Symbol.asyncIterator]() {} },
    stdout: stream('out'),
    stderr: stream('err'),
    config: readConfig({}, home),
    cwd: home,
    packageRoot: new URL('..', import.meta.url),
    now: Date.now,
    randomBytes: (count) => randomBytes(count),
    fetch: globalThis.fetch,
    setExitCode: (given) => {
      code = given;
    },
    ...world,
  };
  await createProgram(context, '1.2.3').parseAsync(args, { from: 'user' });
  return { ...texts, code };
}

describe('verify', () => {
  test('ends with 1 and says how to see it again when cut lines do not come back', async () => {
    const lines = Array.from({ length: 1500 }, (_, at) => `12:00:${at} INFO request ${at * 7} took ${at} ms\n`);
    writeFileSync(join(home, 'notes.txt'), lines.join(''));
    let now = 0;
    const leaping = { now: () => (now += DAY_MS) };
    const { code, out } = await run(['verify', 'notes.txt', '--cases', '12', '--seed', 'it is'], leaping);
    expect(code).toBe(1);
    expect(out).toMatch(/rebuild the text byte for byte +\d+ +[1-9]\d*\n/);
    expect(out).toMatch(/case \d+: notes\.txt \(/);
    expect(out).toContain('no text is kept under');
    expect(out).toContain("jeeves verify notes.txt --cases 12 --seed 'it is'\n");
  });
});

describe('demo', () => {
  test.each([80, 100, 120, 200])('fits a terminal of %i columns', async (columns) => {
    const { code, out } = await run(['demo'], {}, columns);
    // oxlint-disable-next-line no-control-regex -- colours are control characters
    const plain = out.replaceAll(/\u001B\[\d+m/g, '');
    const widest = Math.max(...plain.split('\n').map((line) => Array.from(line).length));
    expect(code).toBe(0);
    expect(widest).toBeLessThanOrEqual(columns);
    expect(plain.includes(' │ ')).toBe(columns >= 100);
  });
});

describe('prune', () => {
  test('asks for a text when nothing is piped in', async () => {
    await expect(run(['prune', '--goal', 'x'])).rejects.toThrow('no input: name a file, or pipe a text in');
  });

  test('says when standard input cannot be read', async () => {
    const failure = Object.assign(new Error('EISDIR: illegal operation'), { code: 'EISDIR' });
    const stdin: Context['stdin'] = { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(failure) }) };
    await expect(run(['prune', '--goal', 'x'], { stdin })).rejects.toThrow(
      'standard input cannot be read: it is a directory',
    );
  });
});

import { describe, expect, test } from 'vitest';
import type { Output } from '../../src/context.ts';
import { forTerminal, plainOn } from '../../src/output/terminal.ts';

function recording(isTTY: boolean): Output & { readonly written: (string | Uint8Array)[] } {
  const written: (string | Uint8Array)[] = [];
  return { isTTY, written, write: (text) => written.push(text) > 0 };
}

function shown(text: string | Uint8Array): string {
  const output = recording(true);
  forTerminal(output).write(text, () => undefined);
  return output.written.join('');
}

describe('a terminal', () => {
  test.each([
    ['a title', 'a\u001B]0;owned\u0007b', 'ab'],
    ['a link', 'a\u001B]8;;http://x\u001B\\b', 'ab'],
    ['the clipboard', 'a\u001B]52;c;aGk=\u0007b', 'ab'],
    ['a cleared screen', 'a\u001B[2Jb\u001B[Hc', 'abc'],
    ['a colour that is not ours', 'a\u001B[38;5;9mb\u001B[8mc', 'abc'],
    ['a reset', 'a\u001Bcb', 'ab'],
    ['eight-bit sequences', 'a\u009B31mb\u009D0;x\u009Cc', 'abc'],
    ['a string that never ends', 'a\u001BPb\nc', 'a\nc'],
    ['a bell and a backspace', 'a\u0007\u0008b', 'ab'],
    ['an overwritten line', 'safe\revil', 'safeevil'],
    ['reversed letters', 'a\u202Eb\u2066c', 'abc'],
    ['a half sequence', 'a\u001B[', 'a'],
    ['tabs and lines', 'a\tb\r\nc\n', 'a\tb\nc\n'],
    ['our colours and progress', '\u001B[31ma\u001B[39m\r\u001B[2K5 rows', '\u001B[31ma\u001B[39m\r\u001B[2K5 rows'],
  ])('gets of %s only what can be read', (_, text, clean) => {
    expect(shown(text)).toBe(clean);
    expect(shown(Buffer.from(text))).toBe(clean);
  });

  test('gets no colours of a text', () => {
    expect(plainOn({ isTTY: true, write: () => true }, 'a\u001B[31mb')).toBe('ab');
  });

  test('that is none gets every byte', () => {
    const output = recording(false);
    const bytes = Buffer.from('a\u001B[2Jb');
    forTerminal(output).write(bytes, () => undefined);
    expect(output.written).toEqual([bytes]);
    expect(plainOn(output, 'a\u001B[31mb')).toBe('a\u001B[31mb');
  });
});

import { describe, expect, test } from 'vitest';
import { readMessage } from '../../src/host/message.ts';

function read(text: string): ReturnType<typeof readMessage> {
  return readMessage({ kind: 'text', text });
}

function nested(depth: number): string {
  return `{"jsonrpc":"2.0","id":7,"method":"ping","params":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
}

describe('depth', () => {
  test.each([
    ['64 is read', nested(64), 'request'],
    ['65 is refused', nested(65), 'invalid'],
    ['5,000 is refused', nested(5000), 'invalid'],
    [
      'brackets in strings do not count',
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: '[{"['.repeat(99) }),
      'request',
    ],
    ['a string that never ends is no JSON', '{"jsonrpc":"2.0', 'unparsable'],
    ['an escaped quote ends no string', String.raw`{"jsonrpc":"2.0","id":1,"method":"\"[[[\\"}`, 'request'],
  ])('%s', (_, text, kind) => {
    expect(read(text).kind).toBe(kind);
  });

  test('a message that is too deep still gets its id back', () => {
    expect(read(nested(100))).toMatchObject({ kind: 'invalid', id: 7, error: { code: -32600 } });
  });

  test('a giant one is refused before it is parsed', () => {
    const before = process.memoryUsage().rss;
    expect(read('['.repeat(16 * 1024 * 1024))).toMatchObject({ kind: 'invalid', id: null, error: { code: -32600 } });
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
  });
});

test('what is logged of a message holds nothing of it', () => {
  for (const text of ['secret', '{"secret":1}', '["secret"]']) {
    const found = read(text);
    expect('why' in found && found.why).not.toContain('secret');
  }
});

import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isBareKey, tomlString, tomlStrings } from '../../../src/providers/codex/toml.ts';

// The server has a TOML parser of its own; this package needs none to write.
const server = createRequire(new URL('../../../../mcp-pruner/package.json', import.meta.url));
const { parse } = (await import(pathToFileURL(server.resolve('smol-toml')).href)) as {
  readonly parse: (text: string) => Readonly<Record<string, unknown>>;
};

const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, '\ufffd');

test('any text is read back as it was', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(parse(`a.b=${tomlString(text)}`)).toEqual({ a: { b: text } });
    }),
  );
});

test('half of a surrogate pair, which TOML cannot say, becomes the replacement character', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 0xffff })), (units) => {
      const text = String.fromCharCode(...units);
      expect(parse(`a=${tomlString(text)}`)).toEqual({ a: wellFormed(text) });
    }),
  );
});

test('any list is read back as it was', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' })), (texts) => {
      expect(parse(`a=${tomlStrings(texts)}`)).toEqual({ a: texts });
    }),
  );
});

test.each(['', '"', '\\', "'", '\u007f', '\u0000', '\n\r\t\b\f', '\u2028', 'é😀', '${x}', '"""', 'a = 1 # b'])(
  '%j survives',
  (text) => {
    expect(parse(`a=${tomlString(text)}`)).toEqual({ a: text });
  },
);

test.each([
  ['PRUNER_URL', true],
  ['my-server_2', true],
  ['a.b', false],
  ['a b', false],
  ['', false],
  ['a="b', false],
])('%j as a key: %s', (key, bare) => {
  expect(isBareKey(key)).toBe(bare);
});

import { expect, test } from 'vitest';
import { pricesFor } from '../../src/ledger/prices.ts';

test.each([
  ['claude-agent-sdk', undefined, 3],
  ['claude-agent-sdk', 'claude-opus-4-5', 5],
  ['claude-agent-sdk', 'haiku', 1],
  ['codex', undefined, 1.25],
  ['codex', 'gpt-5.6-codex', 1.25],
  ['fake', 'some-model', 3],
])('%s with %s costs %s for a million tokens of input, assumed', (provider, model, input) => {
  expect(pricesFor(provider, model)).toMatchObject({ input, basis: 'assumed' });
});

test('given prices are taken as they are', () => {
  const given = { input: 1, output: 2, cache_write: 3, cache_read: 4 };
  expect(pricesFor('codex', 'gpt-5', given)).toEqual({ ...given, basis: 'given' });
});

import { type Backend, split, withRecent } from '@jeeves/engine';
import { expect, it } from 'vitest';

function counting(): { backend: Backend; times: () => number } {
  let times = 0;
  const judge: Backend['judge'] = async ({ texts }) => {
    times += 1;
    return { scores: new Float64Array(texts.length).fill(times / 100) };
  };
  return { backend: withRecent({ name: 'counting', judge }), times: () => times };
}

it('judges a text once for the same goal and source, and again for another', async () => {
  const { backend, times } = counting();
  const first = await backend.judge({ goal: 'a', texts: split('x\ny\n'), source: 'code' });
  const again = await backend.judge({ goal: 'a', texts: split('x\ny\n'), source: 'code' });
  expect(again).toEqual(first);
  expect(times()).toBe(1);
  await backend.judge({ goal: 'b', texts: split('x\ny\n'), source: 'code' });
  await backend.judge({ goal: 'a', texts: split('x\ny\n'), source: 'logs' });
  await backend.judge({ goal: 'a', texts: split('x\nz\n'), source: 'code' });
  expect(times()).toBe(4);
});

it('gives scores that nobody can spoil for the next', async () => {
  const { backend } = counting();
  const ask = () => backend.judge({ goal: 'a', texts: split('x\n'), source: 'code' });
  (await ask()).scores.fill(1);
  (await ask()).scores.fill(1);
  expect((await ask()).scores[0]).toBe(0.01);
});

it('forgets the oldest, and never keeps a long text', async () => {
  const { backend, times } = counting();
  const long = 'x'.repeat(70_000);
  for (const text of [long, long]) await backend.judge({ goal: 'a', texts: split(text), source: 'code' });
  expect(times()).toBe(2);
  for (let at = 0; at < 17; at += 1) await backend.judge({ goal: 'a', texts: split(`${at}`), source: 'code' });
  await backend.judge({ goal: 'a', texts: split('0'), source: 'code' });
  expect(times()).toBe(20);
});

import { describe, expect } from 'vitest';
import { verifies } from '../../../../test/e2e/verifies.ts';
import { entry, isAlive, serversOf, textOf, until, world } from '../world.ts';

describe('another configuration', () => {
  verifies('gateway.rules.reload', 'starts what is new, ends what is gone, and leaves the rest running', async () => {
    const { ask, tools, reconfigure, status } = world({ same: entry(), gone: entry() });
    await tools();
    const kept = textOf(await ask('same', 'pid'));
    const ended = Number(textOf(await ask('gone', 'pid')));
    const unusable = [{ server: 'odd', problem: 'x' }];
    await reconfigure(serversOf({ same: entry(), fresh: entry({}, { deny: ['crash'] }) }), unusable);
    await until(() => !isAlive(ended), 'the removed server ends');
    const names = (await tools()).tools.map(({ displayName }) => displayName);
    expect(names).toHaveLength(25);
    expect(names).toContain('fresh__echo');
    expect(names).not.toContain('fresh__crash');
    expect(textOf(await ask('same', 'pid'))).toBe(kept);
    expect(textOf(await ask('gone', 'pid'))).toBe('error: the server "gone" is not configured');
    expect(status().map(({ server }) => server)).toEqual(['same', 'fresh', 'odd']);
  });
});

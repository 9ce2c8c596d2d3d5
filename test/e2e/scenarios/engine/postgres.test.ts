import { openStore } from '@jeeves/store';
import { beforeAll, describe, expect } from 'vitest';
import { sharedPostgres } from '../../../../packages/store/test/postgres-server.ts';
import { verifies } from '../../verifies.ts';
import { CANONICAL, numberedLines, rebuilt, scoring, world } from './world.ts';

const TEXT = numberedLines(100, (line) => `row ${line}\r`);

let url: string;
beforeAll(async () => {
  url = await (await sharedPostgres()).createDatabase();
}, 60_000);

describe('a Postgres store', () => {
  verifies('store.postgres', 'what one replica pruned, another gives back byte for byte', async () => {
    const [here, there] = await Promise.all([openStore(url), openStore(url)]);
    const { prune } = world({ store: here, backend: scoring() });
    const { recover } = world({ store: there, backend: scoring() });
    const result = await prune({ ...CANONICAL, text: TEXT, goal: 'zebra', source: 'logs' });
    expect(result.gaps.length).toBeGreaterThan(0);
    expect(await rebuilt(result, recover)).toBe(TEXT);
    await Promise.all([here.close(), there.close()]);
  });
});

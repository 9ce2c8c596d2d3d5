import { join } from 'node:path';
import { openStore } from '@jeeves/store';
import { describe, expect } from 'vitest';
import { HARNESSES } from '../../../../packages/store/test/harness.ts';
import { entryOf } from '../../../../packages/store/test/texts.ts';
import { verifies } from '../../verifies.ts';
import { cleanUpServices, startService, temporaryHome } from '../text/service.ts';

cleanUpServices();

const SMALL = { ttlMs: 60_000, maxBytes: 4096 };

describe('texts of HTTP callers', () => {
  for (const { name, shares, place, open, clean } of HARNESSES) {
    // What is in the memory of one process has one quota and no neighbours.
    if (!shares) continue;
    verifies('doors.http-quota', `push out only each other in ${name}`, async () => {
      const where = await place();
      const agents = await open(where, { limits: SMALL });
      const http = await open(where, { limits: { ...SMALL, quota: 'http' } });
      await agents.recovery.put(entryOf('prn_agent', 'a'.repeat(1000)));
      for (let at = 0; at < 20; at += 1) await http.recovery.put(entryOf(`prn_http_${at}`, 'h'.repeat(1000)));
      expect(await agents.recovery.get('prn_agent')).toBeDefined();
      // One recovery space: either side gives back what the other put, and a quota of four holds four.
      expect(await agents.recovery.get('prn_http_19')).toBeDefined();
      expect(await http.recovery.get('prn_http_16')).toBeDefined();
      expect(await http.recovery.get('prn_http_15')).toBeUndefined();
      for (let at = 0; at < 20; at += 1) await agents.recovery.put(entryOf(`prn_more_${at}`, 'm'.repeat(1000)));
      expect(await http.recovery.get('prn_http_19')).toBeDefined();
      expect(await agents.recovery.get('prn_agent')).toBeUndefined();
      await Promise.all([agents.close(), http.close()]);
      clean();
    });
  }

  verifies('doors.http-quota', 'are kept apart from an agent’s by the service itself', async () => {
    const home = temporaryHome();
    const url = `sqlite:${join(home, 'texts.db')}`;
    const service = await startService({ home, env: { JEEVES_STORE: url } });
    const text = Array.from({ length: 200 }, (_, at) => `line ${at} about nothing`).join('\n');
    const { prune_id } = await service.prune({ text, goal_hint: 'line 7' });
    const recovered = async (): Promise<boolean> => {
      const ranges = [{ start_line: 1, end_line: 1 }];
      const { result } = await service.rpc('recover_text', { prune_id, ranges, include_line_numbers: false });
      return result !== undefined;
    };
    const fill = async (limits: typeof SMALL & { quota?: string }, prefix: string): Promise<void> => {
      const store = await openStore(url, { limits });
      for (let at = 0; at < 5; at += 1) await store.put(entryOf(`${prefix}${at}`, 'x'.repeat(2000)));
      await store.close();
    };
    await fill(SMALL, 'prn_agent_');
    expect(await recovered()).toBe(true);
    await fill({ ...SMALL, quota: 'http' }, 'prn_http_');
    expect(await recovered()).toBe(false);
  });
});

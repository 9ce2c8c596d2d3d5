import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { watch } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryStore, openStores } from '@jeeves/store';
import { afterAll, describe, expect, test } from 'vitest';
import { type ContextTools, createContextTools } from '../../../src/tools/context/index.ts';

const directory = mkdtempSync(join(tmpdir(), 'jeeves-early-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function toolsOn(path: string): ContextTools {
  const recovery = createMemoryStore();
  return createContextTools({
    storeUrl: `sqlite:${path}`,
    home: directory,
    early: true,
    recovery,
    now: Date.now,
    randomBytes,
  });
}

describe('context tools that open their store early', () => {
  test('have it open before anybody calls', async () => {
    const path = join(directory, 'there.db');
    await (await openStores(`sqlite:${path}`)).close();
    const opened = lockTaken('there.db.busy');
    const box = toolsOn(path);
    expect(await opened).toBe(true);
    await box.close();
  });

  test('make no file where there is none', async () => {
    const path = join(directory, 'missing.db');
    await toolsOn(path).close();
    expect(existsSync(path)).toBe(false);
  });

  test('say what is wrong with it to whoever calls', async () => {
    const path = join(directory, 'foreign.db');
    writeFileSync(path, 'no database');
    const box = toolsOn(path);
    const list = box.tools.find(({ definition }) => definition.name === 'context_list_projects');
    const call = {
      args: {},
      requestId: 'req_1',
      client: { name: 'test', version: '1' },
      signal: new AbortController().signal,
      receivedAt: 0,
      emit: () => undefined,
      progress: () => undefined,
    };
    await expect(list?.run(call)).resolves.toMatchObject({ structured: { error: expect.anything() } });
    await box.close();
  });
});

/** Resolves once somebody takes the lock of a database in the directory. */
async function lockTaken(name: string): Promise<boolean> {
  for await (const { filename } of watch(directory, { signal: AbortSignal.timeout(20_000) })) {
    if (filename === name) return true;
  }
  return false;
}

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PruningMetadata } from '@jeeves/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifies } from '../../../test/e2e/verifies.ts';
import { FAULTS, type Fault, type FaultServer, startFaultServer } from '../../engine/test/backends/fault-server.ts';
import { cleanUp, type Result, type ServerProcess, startServer, temporaryDirectory } from './harness.ts';

const TIMEOUT_MS = 300;
const GRACE_MS = 250;
const QUESTION = { context_focus_question: 'Where does the ledger go wrong?' };
const CALLS: readonly [tool: string, args: object][] = [
  ['read', { file_path: 'ledger.txt' }],
  ['bash', { command: 'cat ledger.txt; echo done >&2' }],
  ['grep', { pattern: 'entry' }],
];

let faults: FaultServer;
let root: string;

beforeAll(async () => {
  faults = await startFaultServer();
  root = temporaryDirectory();
  writeFileSync(
    join(root, 'ledger.txt'),
    Array.from({ length: 60 }, (_, at) => `entry ${at}: é "quoted"\r\n`).join(''),
  );
});
afterAll(async () => {
  await cleanUp();
  await faults.close();
});

function startWith(url: string): Promise<ServerProcess> {
  return startServer({ root, env: { PRUNER_URL: url, PRUNER_TIMEOUT_MS: String(TIMEOUT_MS) } });
}

/** A result without its metadata and times: what a fault must not change by a byte. */
function payload({ content, structuredContent, isError }: Result): unknown {
  const { pruning: _, duration_ms: __, ...rest } = structuredContent ?? {};
  return { content, isError, ...rest };
}

function pruningOf({ structuredContent }: Result): PruningMetadata {
  return structuredContent?.['pruning'] as PruningMetadata;
}

async function survives(fault: Fault): Promise<void> {
  const server = await startWith(faults.url(fault.name));
  const raws = await Promise.all(CALLS.map(([tool, args]) => server.call(tool, args)));
  const results = await Promise.all(CALLS.map(([tool, args]) => server.call(tool, { ...args, ...QUESTION })));
  for (const [at, [tool]] of CALLS.entries()) {
    const [raw, result] = [raws[at] as Result, results[at] as Result];
    expect(payload(result), tool).toEqual(payload(raw));
    expect(pruningOf(result), tool).toEqual({
      attempted: true,
      applied: false,
      fallback: true,
      reason: 'pruner_error',
      raw_bytes: pruningOf(raw).raw_bytes,
      backend: 'http',
      pruner_duration_ms: expect.any(Number),
      error: { code: fault.code, message: expect.any(String) },
    });
    expect(pruningOf(result).pruner_duration_ms, tool).toBeLessThanOrEqual(TIMEOUT_MS + GRACE_MS);
  }
  expect(server.events.filter(({ event }) => event === 'pruner.call_failed')).toHaveLength(CALLS.length);
  expect(server.events.filter(({ level }) => level === 'error')).toEqual([]);
  await server.until(() => faults.openExchanges() === 0, 3000);
  expect(await server.close()).toMatchObject({ code: 0 });
}

describe('the raw output comes back, byte for byte and in time, when the pruner', () => {
  for (const fault of faultsOf('timeout')) {
    verifies(['pruning.raw-unchanged', 'pruning.failure.timeout'], `is slow: ${fault.name}`, () => survives(fault));
  }
  for (const fault of faultsOf('http_error')) {
    verifies(['pruning.raw-unchanged', 'pruning.failure.http'], `fails: ${fault.name}`, () => survives(fault));
  }
  for (const fault of faultsOf('invalid_response')) {
    verifies(['pruning.raw-unchanged', 'pruning.failure.invalid'], `talks nonsense: ${fault.name}`, () =>
      survives(fault),
    );
  }
});

function faultsOf(code: Fault['code']): readonly Fault[] {
  return FAULTS.filter((fault) => fault.code === code);
}

describe('a pruner', () => {
  test('that drops the connection after each answer is asked again all the same', async () => {
    faults.reply = () => ({ pruned_code: 'entry 7: é "quoted"\r\n' });
    const server = await startWith(faults.url('ok-then-close'));
    for (let round = 0; round < 3; round += 1) {
      const result = await server.call('read', { file_path: 'ledger.txt', ...QUESTION });
      expect(pruningOf(result)).toMatchObject({ applied: true });
    }
    await server.close();
  });

  test('is never sent on by a redirect, and sees text and question of a call and nothing else', async () => {
    const before = faults.requests.length;
    const server = await startWith(faults.url('status-307'));
    await server.call('read', { file_path: 'ledger.txt', ...QUESTION });
    const seen = faults.requests.slice(before);
    expect(seen.map(({ path }) => path)).toEqual(['status-307']);
    expect(Object.keys(JSON.parse(seen[0]?.body ?? ''))).toEqual(['code', 'query']);
    await server.close();
  });
});

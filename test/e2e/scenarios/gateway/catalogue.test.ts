import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { verifies } from '../../verifies.ts';
import { PROGRAM } from '../cli/program.ts';
import {
  EVERYTHING,
  FILESYSTEM,
  freshHome,
  type GatewayProcess,
  PLAYWRIGHT,
  script,
  startGateway,
  textOf,
  until,
} from './gateway.ts';

interface Answer {
  readonly etag: string;
  readonly tools: readonly Readonly<Record<string, unknown>>[];
  readonly totalAvailable: number;
  readonly filtered: number;
  readonly alreadySent: readonly string[];
}

async function find(gateway: GatewayProcess, args: object = {}): Promise<Answer> {
  const result = await gateway.call('automatic_mcp', args);
  expect(Object.keys(result)).toEqual(['content']);
  expect(result.content).toHaveLength(1);
  return JSON.parse(textOf(result)) as Answer;
}

/** The three reference servers, all of them listed. */
async function reference(home: string = freshHome()): Promise<GatewayProcess> {
  const servers = {
    everything: script(EVERYTHING),
    files: script(FILESYSTEM, [home]),
    browser: script(PLAYWRIGHT),
  };
  const gateway = await startGateway({ home, servers });
  const listed = async (): Promise<boolean> => {
    const { etag, totalAvailable } = await find(gateway, { query: 'zzz' });
    return etag !== '' && totalAvailable > 50;
  };
  await until(listed, 'all three servers are listed', 60_000);
  return gateway;
}

describe('automatic_mcp before the reference servers', () => {
  verifies(
    [
      'gateway.raw-definitions',
      'gateway.result-fields',
      'gateway.dedup',
      'gateway.reference-servers',
      'gateway.query-filters',
    ],
    'gives every definition once and then none, and for a task the few that it needs',
    async () => {
      const gateway = await reference();
      const first = await find(gateway, { sessionId: 'one' });
      expect(first.filtered).toBe(first.totalAvailable);
      expect(first.tools).toHaveLength(first.filtered);
      expect(first.alreadySent).toEqual([]);
      const names = first.tools.map(({ name }) => String(name));
      expect(names).toEqual(
        expect.arrayContaining(['files__read_text_file', 'everything__echo', 'browser__browser_click']),
      );
      for (const tool of first.tools) expect(tool['inputSchema']).toMatchObject({ type: 'object' });
      const second = await find(gateway, { sessionId: 'one' });
      expect(second).toMatchObject({ tools: [], filtered: 0, totalAvailable: first.totalAvailable, etag: first.etag });
      expect([...second.alreadySent].sort()).toEqual([...names].sort());
      const tasks = [
        ['read the contents of notes.txt', 'files__read_text_file'],
        ['take a screenshot of the page', 'browser__browser_take_screenshot'],
        ['add two numbers', 'everything__get-sum'],
        ['rename a file', 'files__move_file'],
        ['click on the login button', 'browser__browser_click'],
      ] as const;
      for (const [query, wanted] of tasks) {
        const { tools, filtered } = await find(gateway, { query, sessionId: query });
        expect(tools.slice(0, 3).map(({ name }) => name)).toContain(wanted);
        expect(filtered).toBeLessThanOrEqual(10);
      }
    },
  );
});

verifies(
  'gateway.bench.catalogue',
  'anyone’s catalogue is ranked by the same rules from the command line',
  async () => {
    const home = freshHome();
    const tools = [
      { server: 'calendar', name: 'create_event', description: 'Create an event', inputSchema: { type: 'object' } },
      { server: 'mail', name: 'send', description: 'Send an email' },
      { server: 'other', name: 'send', description: 'Send a parcel' },
    ];
    writeFileSync(join(home, 'tools.json'), JSON.stringify(tools));
    writeFileSync(
      join(home, 'queries.jsonl'),
      '{"id":1,"query":"book a meeting with Bob","expect":["create_event"]}\n\n{"id":"x","query":"mail"}\n',
    );
    const { run, read } = bench(home);
    const { code, out, err } = await run('tools.json', 'queries.jsonl');
    expect([code, err]).toEqual([0, expect.stringContaining('2 rows over 3 tools ranked')]);
    expect(read()).toEqual([
      { id: 1, names: ['create_event', 'send'] },
      { id: 'x', names: ['send', 'create_event'] },
    ]);
    expect(out).toMatch(/rows +recall@5 +MRR\n +1 +1\.000 +1\.000\n/);
  },
);

const MISTAKES: readonly [string, string, string, string][] = [
  ['a missing file', '', '{"id":1,"query":"a"}', '--tools tools.json: cannot be read'],
  ['a file that is not JSON', '[', '{"id":1,"query":"a"}', '--tools tools.json: not JSON'],
  ['something else than a list', '{}', '{"id":1,"query":"a"}', '--tools tools.json: must be a list of tools'],
  ['a tool without a name', '[{"name":"a"},{"server":"b"}]', '{"id":1,"query":"a"}', '[1].name must be a string'],
  [
    'a schema that is none',
    '[{"name":"a","inputSchema":3}]',
    '{"id":1,"query":"a"}',
    '[0].inputSchema must be an object',
  ],
  ['a row without a query', '[{"name":"a"}]', '{"id":1}', 'queries.jsonl:1: "query" must be a string'],
  ['a row without an id', '[{"name":"a"}]', '{"query":"a"}', 'queries.jsonl:1: "id" must be a string or a number'],
];
for (const [what, tools, queries, message] of MISTAKES) {
  verifies('gateway.bench.catalogue', `${what} is named, and the exit code is 2`, async () => {
    const home = freshHome();
    if (tools !== '') writeFileSync(join(home, 'tools.json'), tools);
    writeFileSync(join(home, 'queries.jsonl'), queries);
    const { code, err } = await bench(home).run('tools.json', 'queries.jsonl');
    expect(code).toBe(2);
    expect(err).toContain(message);
  });
}

function bench(home: string): {
  readonly run: (tools: string, queries: string) => Promise<{ code: number | null; out: string; err: string }>;
  readonly read: () => unknown[];
} {
  const rows = (): string[] => readFileSync(join(home, 'ranks.jsonl'), 'utf8').trimEnd().split('\n');
  return {
    read: () => rows().map((row) => JSON.parse(row) as unknown),
    run: (tools, queries) =>
      new Promise((resolve) => {
        const args = ['bench', 'catalogue', '--tools', tools, '--queries', queries, '--out', 'ranks.jsonl'];
        const child = spawn(process.execPath, [PROGRAM, ...args], {
          cwd: home,
          env: { PATH: process.env['PATH'], HOME: home },
        });
        let out = '';
        let err = '';
        child.stdin.end();
        child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString('utf8')));
        child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString('utf8')));
        child.once('close', (code) => resolve({ code, out, err }));
      }),
  };
}

import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LOG_LINE, type LogLine } from '@jeeves/protocol';
import { afterAll, describe, expect, test } from 'vitest';
import { verifies } from '../../../test/e2e/verifies.ts';
import { cleanUp, ENTRY, type ServerOptions, type ServerProcess, startServer, temporaryDirectory } from './harness.ts';

afterAll(cleanUp);

/** Runs the program to its end; it is expected not to serve. */
function run(args: readonly string[], env: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [ENTRY, ...args], {
    encoding: 'utf8',
    input: '',
    env: { PATH: process.env.PATH, HOME: temporaryDirectory(), ...env },
  });
  const events = (): LogLine[] =>
    stderr
      .trimEnd()
      .split('\n')
      .map((line) => LOG_LINE.parse(JSON.parse(line)));
  return { status, stdout, stderr, events };
}

async function withServer(options: ServerOptions, use: (server: ServerProcess) => Promise<void>): Promise<void> {
  const server = await startServer(options);
  await server.until(() => server.events.some(({ event }) => event === 'mcp_pruner.ready'));
  await use(server);
  await server.close();
}

async function toolNames(server: ServerProcess): Promise<unknown[]> {
  const { result } = await server.ask('tools/list');
  const tools = result?.['tools'] as { name: string }[] | undefined;
  return (tools ?? []).map(({ name }) => name);
}

function problems(server: ServerProcess): unknown[] {
  return server.events
    .filter(({ event }) => event === 'mcp_pruner.config_invalid')
    .map(({ data }) => data?.['variable']);
}

describe('the command line', () => {
  test('prints help and version and ends', () => {
    expect(run(['--help'])).toMatchObject({ status: 0, stdout: expect.stringContaining('Usage: mcp-pruner') });
    expect(run(['--version'])).toMatchObject({ status: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  });

  test.each([
    ['--nope', /--nope/],
    ['stray', /stray/],
    ['--tools', /--tools/],
  ])('%s is refused with a reason', (option, reason) => {
    const { status, stdout, events } = run([option]);
    expect([status, stdout]).toEqual([2, '']);
    expect(events()).toMatchObject([
      { event: 'mcp_pruner.start_failed', data: { message: expect.stringMatching(reason) } },
    ]);
  });
});

describe('the root', () => {
  verifies('stdio.root', 'is the working directory, or what the environment names', async () => {
    const root = temporaryDirectory();
    mkdirSync(join(root, 'sub'));
    writeFileSync(join(root, 'where.txt'), 'above\n');
    writeFileSync(join(root, 'sub', 'where.txt'), 'below\n');
    symlinkSync(join(root, 'sub'), join(root, 'link'));
    for (const [named, text] of [
      [undefined, 'above\n'],
      ['', 'above\n'],
      ['sub', 'below\n'],
      [join(root, 'link'), 'below\n'],
    ] as const) {
      await withServer({ root, env: { MCP_PRUNER_CWD: named } }, async (server) => {
        expect((await server.call('read', { file_path: 'where.txt' })).content?.[0]?.text).toBe(text);
      });
    }
  });

  verifies('stdio.events.ready', 'is named when the server is ready', async () => {
    const root = temporaryDirectory();
    await withServer({ root }, async ({ events }) => {
      expect(events.find(({ event }) => event === 'mcp_pruner.ready')).toMatchObject({ level: 'info', data: { root } });
    });
  });

  verifies('stdio.root-invalid', 'ends the program with 2 when it is no directory', () => {
    const root = temporaryDirectory();
    writeFileSync(join(root, 'file'), '');
    for (const bad of [join(root, 'nope'), join(root, 'file'), join(root, 'file', 'below'), `/${'x'.repeat(5000)}`]) {
      const { status, stdout, events } = run([], { MCP_PRUNER_CWD: bad });
      expect([status, stdout], bad).toEqual([2, '']);
      expect(events().map(({ event }) => event)).toEqual(['mcp_pruner.config_invalid', 'mcp_pruner.start_failed']);
      expect(events()[0]?.data).toMatchObject({ variable: 'MCP_PRUNER_CWD' });
    }
  });
});

describe('the choice of tools', () => {
  verifies(
    ['stdio.tools-choice', 'stdio.recover-accompanies'],
    'is by name or set; what prunes can be recovered',
    async () => {
      const cases: [ServerOptions, string[]][] = [
        [{}, ['read', 'bash', 'grep', 'recover_text']],
        [{ env: { MCP_PRUNER_TOOLS: '' } }, ['read', 'bash', 'grep', 'recover_text']],
        [{ env: { MCP_PRUNER_TOOLS: ' grep , read ' } }, ['read', 'grep', 'recover_text']],
        [{ env: { MCP_PRUNER_TOOLS: 'files' } }, ['read', 'bash', 'grep', 'recover_text']],
        [{ env: { MCP_PRUNER_TOOLS: 'recover_text' } }, ['recover_text']],
        [{ args: ['--tools', 'read'], env: { MCP_PRUNER_TOOLS: 'bash' } }, ['read', 'recover_text']],
      ];
      for (const [options, names] of cases) {
        await withServer(options, async (server) => {
          expect(await toolNames(server)).toEqual(names);
          expect(problems(server)).toEqual([]);
          if (!names.includes('bash')) {
            const { error } = await server.ask('tools/call', { name: 'bash', arguments: { command: 'true' } });
            expect(error?.code).toBe(-32602);
          }
        });
      }
    },
  );

  verifies('stdio.config-invalid', 'passes over names that mean nothing, and says so', async () => {
    await withServer({ env: { MCP_PRUNER_TOOLS: 'read,nope,automatic_mcp,constructor' } }, async (server) => {
      expect(await toolNames(server)).toEqual(['read', 'recover_text']);
      expect(problems(server)).toEqual(['MCP_PRUNER_TOOLS']);
    });
    await withServer({ env: { MCP_PRUNER_TOOLS: 'nope' } }, async (server) => {
      expect(await toolNames(server)).toEqual(['read', 'bash', 'grep', 'recover_text']);
      expect(problems(server)).toEqual(['MCP_PRUNER_TOOLS', 'MCP_PRUNER_TOOLS']);
    });
  });
});

describe('values that cannot be used', () => {
  const question = { context_focus_question: 'Which port is used?' };

  verifies('stdio.config-invalid', 'get their default and are reported', async () => {
    const env = {
      PRUNER_TIMEOUT_MS: 'soon',
      MCP_PRUNER_OUTPUT: 'xml',
      MCP_PRUNER_PRUNE_ID_TTL_S: '0',
      MCP_PRUNER_SHELL_LOGIN: '0',
    };
    await withServer({ env }, async (server) => {
      expect(problems(server)).toEqual(['PRUNER_TIMEOUT_MS', 'MCP_PRUNER_OUTPUT', 'MCP_PRUNER_PRUNE_ID_TTL_S']);
      writeFileSync(join(server.root, 'a.txt'), 'a\n');
      expect(await server.call('read', { file_path: 'a.txt' })).toHaveProperty('structuredContent');
    });
  });

  verifies('stdio.config-invalid', 'turn pruning off where they name the pruner', async () => {
    await withServer({ env: { PRUNER_URL: 'ftp://user:secret@host/' } }, async (server) => {
      writeFileSync(join(server.root, 'a.txt'), 'a\nb\nthe port is 8006\n');
      expect(problems(server)).toEqual(['PRUNER_URL']);
      expect(JSON.stringify(server.events)).not.toContain('secret');
      const result = await server.call('read', { file_path: 'a.txt', ...question });
      expect(result.structuredContent?.['pruning']).toMatchObject({ reason: 'disabled_or_unconfigured' });
    });
  });

  verifies('security.t13.operator-url', 'are told apart from addresses that are merely unwise', async () => {
    for (const [url, warned] of [
      ['http://10.1.2.3/prune', ['PRUNER_URL']],
      ['http://user:secret@host.example/prune?key=secret', ['PRUNER_URL']],
      ['https://host.example/prune', []],
      ['http://127.0.0.1:9/prune', []],
      ['http://localhost:9/prune', []],
      ['http://[::1]:9/prune', []],
    ] as const) {
      await withServer({ env: { PRUNER_URL: url } }, async (server) => {
        expect(problems(server), url).toEqual(warned);
        expect(JSON.stringify(server.events)).not.toContain('secret');
      });
    }
  });
});

describe('the file of events', () => {
  verifies('stdio.events.stopped', 'gets what standard error gets, to the end', async () => {
    const file = join(temporaryDirectory(), 'events.jsonl');
    const server = await startServer({ env: { JEEVES_EVENT_FILE: file } });
    await server.call('bash', { command: 'true' });
    expect(await server.close()).toMatchObject({ code: 0 });
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    const events = lines.map((line) => LOG_LINE.parse(JSON.parse(line)));
    expect(events).toEqual(server.events);
    expect(events[0]?.event).toBe('mcp_pruner.ready');
    expect(events.at(-1)).toMatchObject({
      event: 'mcp_pruner.stopped',
      data: { graceful: true, duration_ms: expect.any(Number) },
    });
  });

  test('that cannot be written costs one warning', async () => {
    await withServer({ env: { JEEVES_EVENT_FILE: '/proc/nope' } }, async (server) => {
      await server.call('bash', { command: 'true' });
      await server.until(() => server.events.some(({ event }) => event === 'tool.respond_ok'));
      expect(problems(server)).toEqual(['JEEVES_EVENT_FILE']);
    });
  });
});

verifies('server.old-names', 'names of an earlier draft are named in a warning', async () => {
  const env = { JEEVES_PRUNER_ENDPOINT: 'http://localhost:1/', JEEVES_MCP_PRUNER_MAX_PRUNE_INPUT_BYTES: '5' };
  await withServer({ env }, async (server) => {
    const told = server.events.filter(({ event }) => event === 'mcp_pruner.config_invalid');
    expect(told.map(({ level, data }) => [level, data])).toEqual([
      ['warn', { variable: 'JEEVES_PRUNER_ENDPOINT', message: 'nothing reads it; set PRUNER_URL' }],
      ['warn', { variable: 'JEEVES_MCP_PRUNER_MAX_PRUNE_INPUT_BYTES', message: 'nothing reads it' }],
    ]);
    expect((await server.ask('ping')).result).toEqual({});
  });
});

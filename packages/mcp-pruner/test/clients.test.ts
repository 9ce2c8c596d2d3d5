import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { verifies } from '../../../test/e2e/verifies.ts';
import { cleanUp, ENTRY, temporaryDirectory } from './harness.ts';

const root = temporaryDirectory();
const env = {
  PATH: String(process.env.PATH),
  HOME: root,
  MCP_PRUNER_CWD: root,
  PRUNER_URL: 'embedded:',
  MCP_PRUNER_SHELL_LOGIN: '0',
  // One process after another must find what an earlier one pruned.
  JEEVES_STORE: `sqlite:${join(root, 'store', 'jeeves.db')}`,
};
const QUESTION = 'Which port does the server use?';

beforeAll(() => {
  const filler = Array.from({ length: 300 }, (_, at) => `nothing of interest happens in line ${at} of this file\n`);
  writeFileSync(join(root, 'long.txt'), `${filler.join('')}the server uses port 8006\n${filler.join('')}`);
});
afterAll(cleanUp);

interface CallResult {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: boolean;
}

/** Calls every tool the way this client does and looks at what comes back. */
async function useEveryTool(call: (name: string, args: Record<string, unknown>) => Promise<CallResult>): Promise<void> {
  const read = await call('read', { file_path: 'long.txt', context_focus_question: QUESTION });
  const { content, pruning } = read.structuredContent as { content: string; pruning: Record<string, unknown> };
  expect(content).toContain('the server uses port 8006');
  expect(pruning).toMatchObject({ applied: true, backend: 'embedded', prune_id: expect.stringMatching(/^prn_/) });
  const ranges = [{ start_line: 5, end_line: 6 }];
  const recovered = await call('recover_text', { prune_id: pruning['prune_id'], ranges });
  expect(recovered.structuredContent).toMatchObject({
    raw_text:
      'nothing of interest happens in line 4 of this file\nnothing of interest happens in line 5 of this file\n',
  });
  const bash = await call('bash', { command: 'echo "$((20 + 22))"' });
  expect(bash.structuredContent).toMatchObject({ stdout: '42\n', exit_code: 0 });
  const grep = await call('grep', { pattern: 'port \\d+', path: 'long.txt' });
  expect(grep.structuredContent).toMatchObject({ match_count: 1, matches: [{ path: 'long.txt', line: 301 }] });
}

const NAMES = ['read', 'bash', 'grep', 'recover_text'];

describe('the official client', () => {
  verifies(['stdio.tools-list', 'stdio.tools-call'], 'lists and calls every tool', async () => {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [ENTRY],
      env,
      cwd: root,
      stderr: 'ignore',
    });
    const client = new Client({ name: 'official-client', version: '1.0.0' });
    await client.connect(transport);
    expect(client.getServerVersion()).toMatchObject({ name: '@jeeves/mcp-pruner' });
    expect(client.getInstructions()).toContain('context_focus_question');
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(NAMES);
    await useEveryTool(async (name, args) => (await client.callTool({ name, arguments: args })) as CallResult);
    await expect(client.callTool({ name: 'read', arguments: {} })).rejects.toMatchObject({
      code: -32602,
      data: { tool: 'read', issues: [{ path: 'arguments.file_path', code: 'invalid_type' }] },
    });
    await client.ping();
    await client.close();
  });
});

describe('the MCP Inspector', () => {
  const inspector = join(import.meta.dirname, '..', 'node_modules', '.bin', 'mcp-inspector');

  async function inspect(...args: string[]): Promise<unknown> {
    const { stdout } = await promisify(execFile)(inspector, ['--cli', process.execPath, ENTRY, ...args], {
      cwd: root,
      env,
    });
    return JSON.parse(stdout);
  }

  verifies(['stdio.tools-list', 'stdio.tools-call'], 'lists and calls every tool', async () => {
    const { tools } = (await inspect('--method', 'tools/list')) as { tools: { name: string }[] };
    expect(tools.map(({ name }) => name)).toEqual(NAMES);
    await useEveryTool(async (name, args) => {
      const pairs = Object.entries(args).map(
        ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
      );
      return (await inspect('--method', 'tools/call', '--tool-name', name, '--tool-arg', ...pairs)) as CallResult;
    });
  });
});

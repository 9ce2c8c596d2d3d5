import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ReadResult, RecoverTextResult, RpcResponse, ToolsCallResult } from '@jeeves/protocol';
import type { Context } from '../context.ts';
import { change, grouped } from '../output/numbers.ts';
import { tokenCounter } from '../tokens.ts';
import { broken, type Check, messageOf, ok } from './check.ts';
import { GOAL, NEEDLE, SAMPLE } from './sample.ts';

const NAME = 'stdio server';
const WAIT_MS = 15_000;

/** The program that agent clients start. */
export function serverEntry({ packageRoot }: Context): string {
  return createRequire(new URL('package.json', packageRoot)).resolve('@jeeves/mcp-pruner/dist/index.js');
}

/** Starts the server as an agent client would, has it prune a log, and recovers what it left out. */
export async function checkStdio(context: Context): Promise<Check> {
  const root = mkdtempSync(join(tmpdir(), 'jeeves-doctor-'));
  writeFileSync(join(root, 'build.log'), SAMPLE);
  try {
    const { pruned, raw } = await probe(serverEntry(context), root, context);
    if (!pruned.includes(NEEDLE) || raw !== SAMPLE) {
      return broken(
        NAME,
        'its answer lost a line that matters',
        'report this with the output of `jeeves doctor --json`',
      );
    }
    const count = await tokenCounter(true);
    const [before, after] = [count(SAMPLE).tokens, count(pruned).tokens];
    return ok(
      NAME,
      `pruned a log from ${grouped(before)} to ${grouped(after)} tokens (${change(before, after)}) and recovered it`,
    );
  } catch (error) {
    return broken(NAME, messageOf(error), 'run `npm run build`, then `node packages/mcp-pruner/dist/index.js --help`');
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

async function probe(entry: string, root: string, { config }: Context): Promise<{ pruned: string; raw: string }> {
  const env = { ...config.environment, MCP_PRUNER_CWD: root, MCP_PRUNER_TOOLS: '', PRUNER_URL: 'embedded:' };
  const server = connect(entry, env);
  try {
    await server.ask('initialize', { protocolVersion: '2025-11-25', clientInfo: { name: 'jeeves-doctor' } });
    const read = await server.call('read', { file_path: 'build.log', context_focus_question: GOAL });
    const { prune_id } = (read.structuredContent as ReadResult).pruning;
    const ranges = [{ start_line: 1, end_line: SAMPLE.length }];
    const recovered = await server.call('recover_text', { prune_id, ranges });
    return { pruned: textOf(read), raw: (recovered.structuredContent as RecoverTextResult).raw_text };
  } finally {
    server.close();
  }
}

interface Connection {
  readonly ask: (method: string, params: object) => Promise<unknown>;
  readonly call: (name: string, args: object) => Promise<ToolsCallResult>;
  readonly close: () => void;
}

/** Speaks to a server over its pipes, one request after the other. */
function connect(entry: string, env: NodeJS.ProcessEnv): Connection {
  const child = spawn(process.execPath, [entry], { env: { ...env, MCP_PRUNER_OUTPUT: 'structured' } });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors = (errors + text).slice(-2000)));
  child.stdin.on('error', () => undefined);
  const ended = new Promise<never>((_, reject) => {
    child.once('error', reject);
    child.once('close', (code) => reject(new Error(`it ended with exit code ${code}: ${lastLine(errors)}`)));
  });
  ended.catch(() => undefined);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let id = 0;
  const ask: Connection['ask'] = async (method, params) => {
    id += 1;
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    const late = new AbortController();
    const patience = sleep(WAIT_MS, undefined, { signal: late.signal }).then(() => {
      throw new Error(`it did not answer ${method} within ${WAIT_MS / 1000} s`);
    });
    patience.catch(() => undefined);
    try {
      const { value } = await Promise.race([lines.next(), ended, patience]);
      return resultOf(JSON.parse(String(value)) as RpcResponse);
    } finally {
      late.abort();
    }
  };
  return {
    ask,
    call: async (name, args) => {
      const result = (await ask('tools/call', { name, arguments: args })) as ToolsCallResult;
      if (result.isError === true) throw new Error(`${name} failed: ${textOf(result)}`);
      return result;
    },
    close: () => {
      child.stdin.end();
      child.stdout.resume();
    },
  };
}

function resultOf(response: RpcResponse): unknown {
  if ('error' in response) throw new Error(`it answered with ${response.error.code} ${response.error.message}`);
  return response.result;
}

function textOf({ content }: ToolsCallResult): string {
  return content[0]?.text ?? '';
}

function lastLine(text: string): string {
  return text.trimEnd().split('\n').at(-1) ?? '';
}

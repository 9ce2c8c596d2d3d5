import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { masked } from '@jeeves/mcp-pruner/settings';
import type { HealthResult, PruneTextResult, RecoverTextResult } from '@jeeves/protocol';
import type { Context } from '../context.ts';
import { change, grouped } from '../output/numbers.ts';
import { broken, type Check, messageOf, ok, warning } from './check.ts';
import { deepInfraFix } from './deepinfra.ts';
import { GOAL, NEEDLE, SAMPLE } from './sample.ts';
import { answers, freePort, startAndWait } from './start.ts';

const NAME = 'HTTP service';

/** Starts the service at a free port, or asks one that runs already, and pushes a text through it and back. */
export async function checkService(context: Context, url: string | undefined): Promise<Check> {
  if (url !== undefined) {
    const fix = 'start one with `jeeves serve`, or leave out --url to have one started';
    return await probe(url.replace(/\/+$/, ''), context).catch((error: unknown) => broken(NAME, messageOf(error), fix));
  }
  const root = mkdtempSync(join(tmpdir(), 'jeeves-doctor-'));
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const program = createRequire(new URL('package.json', context.packageRoot)).resolve(
    '@jeeves/mcp-pruner/dist/http.js',
  );
  try {
    const outcome = await startAndWait({
      command: [program, '--host', '127.0.0.1', '--port', String(port), '--root', root],
      port,
      env: context.config.environment,
      cwd: root,
      isReady: async () => (await healthOf(base, context)) !== undefined,
    });
    const fix = 'the lines below say why; `jeeves config` shows what it was told';
    if (outcome.kind === 'ready') {
      try {
        return await probe(base, context);
      } catch (error) {
        return broken(NAME, `it started, but ${messageOf(error)}`, fix, outcome.log());
      } finally {
        await outcome.stop();
      }
    }
    if (outcome.kind === 'port_taken') return broken(NAME, `another process took port ${port}`, 'run this again');
    if (outcome.kind === 'died') return broken(NAME, `it ended with exit code ${outcome.code}`, fix, outcome.log);
    return broken(NAME, 'it runs, but did not answer within 12 s', fix, outcome.log);
  } catch (error) {
    return broken(NAME, messageOf(error), 'run `npm run build`');
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** The port that `jeeves serve` would use: free, ours already, or somebody else's, who would be in the way. */
export async function checkPort(port: number, context: Context): Promise<Check> {
  const name = `port ${port}`;
  if (port === 0 || !(await answers(port))) return ok(name, 'free for `jeeves serve`');
  const health = await healthOf(`http://127.0.0.1:${port}`, context);
  if (health?.server === 'mcp-pruner') return ok(name, `a Jeeves ${health.version} answers there already`);
  const fix = `stop that process (\`ss -ltnp 'sport = :${port}'\` names it), or use another port: jeeves serve --port 0`;
  return broken(name, 'taken by a process that is not Jeeves', fix);
}

/** Pushes a text through the service and back. */
async function probe(base: string, context: Context): Promise<Check> {
  const health = await healthOf(base, context);
  if (health === undefined) throw new Error(`nothing healthy answers at ${masked(base)}/health`);
  const pruned = await callTool<PruneTextResult>(base, context, 'prune_text', {
    text: SAMPLE,
    goal_hint: GOAL,
    source_type: 'logs',
    options: {
      max_prune_ratio: 0.9,
      min_keep_lines: 5,
      timeout_ms: 10_000,
      annotate_lines: false,
      include_markers: true,
    },
  });
  const recovered = await callTool<RecoverTextResult>(base, context, 'recover_text', {
    prune_id: pruned.prune_id,
    ranges: [{ start_line: 1, end_line: SAMPLE.length }],
    include_line_numbers: false,
  });
  if (!pruned.pruned_text.includes(NEEDLE)) throw new Error('its answer lost a line that matters');
  if (recovered.raw_text !== SAMPLE) throw new Error('the text did not come back as it was');
  return judged(pruned);
}

function judged(pruned: PruneTextResult): Check {
  const { tokens_est_before: before, tokens_est_after: after, used_fallback } = pruned.stats;
  const trouble = pruned.warnings.length > 0 ? `, with the warnings ${pruned.warnings.join(', ')}` : '';
  const said = `pruned a log from ${grouped(before)} to ${grouped(after)} tokens (${change(before, after)}) and recovered it`;
  const fix = deepInfraFix(pruned);
  if (fix !== undefined) return broken(NAME, `${said}${trouble}`, fix);
  return used_fallback
    ? warning(NAME, `${said}${trouble}`, 'see docs/reference/errors.md for what the warnings mean')
    : ok(NAME, `${said}${trouble}`);
}

async function healthOf(base: string, { fetch }: Context): Promise<HealthResult | undefined> {
  try {
    const response = await fetch(`${base}/health`, { signal: AbortSignal.timeout(2000), redirect: 'error' });
    const body = (await response.json()) as Partial<HealthResult> | null;
    return response.ok && body?.status === 'healthy' ? (body as HealthResult) : undefined;
  } catch {
    return undefined;
  }
}

interface Answer {
  readonly result?: { readonly content: readonly { readonly text: string }[] };
  readonly error?: { readonly code: number | string; readonly message: string };
}

async function callTool<Result>(base: string, context: Context, name: string, args: object): Promise<Result> {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
  const { result, error } = await post(`${base}/rpc`, body, context).catch((cause: unknown) => {
    throw new Error(`${name} got no usable answer: ${messageOf(cause)}`);
  });
  if (result === undefined) throw new Error(`${name} answered with ${error?.code} ${error?.message}`);
  return JSON.parse(result.content[0]?.text ?? 'null') as Result;
}

async function post(url: string, body: object, { fetch }: Context): Promise<Answer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(20_000),
    redirect: 'error',
  });
  return (await response.json()) as Answer;
}

import { existsSync } from 'node:fs';
import { RunnerError } from '../../errors.ts';
import type { ProviderRunOptions } from '../../provider.ts';
import { clientEnvironment } from '../client/environment.ts';
import { locate, locatePackage } from '../client/locate.ts';
import { apiKey, codexOverrides } from './overrides.ts';

const PROGRAM = '@openai/codex/bin/codex.js';

/** The script that starts Codex: installed by itself, or as a dependency of its SDK. */
export function locateCodex(from: readonly string[]): string {
  const sdk = locatePackage('@openai/codex-sdk', from);
  const found = locate(PROGRAM, from) ?? (sdk === undefined ? undefined : locate(PROGRAM, [sdk]));
  if (found !== undefined && existsSync(found)) return found;
  throw new RunnerError('sdk_missing', 'Codex needs the package @openai/codex-sdk: npm install @openai/codex-sdk');
}

/**
 * The arguments of `codex exec`; the prompt comes on standard input. The program is started directly because its SDK
 * keeps standard error to itself, the one place where Codex says that a server did not start.
 */
export function codexArguments(options: ProviderRunOptions): string[] {
  const model = modelOf(options);
  return [
    'exec',
    '--json',
    '--ephemeral',
    '--skip-git-repo-check',
    ...(model === undefined ? [] : ['--model', model]),
    '--sandbox',
    sandboxOf(options.permissionMode),
    '--cd',
    options.cwd,
    ...codexOverrides(options).flatMap((override) => ['--config', override]),
    '-',
  ];
}

/** What Codex sees of the environment. Only its own word on servers is asked for in the log. */
export function codexEnvironment(options: ProviderRunOptions): Record<string, string> {
  const key = apiKey(options.env);
  const env = clientEnvironment(options, { NO_COLOR: '1', RUST_LOG: 'error' });
  return { ...env, RUST_LOG: `${env['RUST_LOG']},codex_mcp=warn`, ...(key !== undefined && { CODEX_API_KEY: key }) };
}

function modelOf({ model, env }: ProviderRunOptions): string | undefined {
  return [model, env['CODEX_MODEL'], env['OPENAI_MODEL']].find((name) => name !== undefined && name !== '');
}

/** An unattended agent gets what an unattended Claude gets; a phase that only plans cannot write. */
function sandboxOf(permissionMode: string | undefined): string {
  if (permissionMode === 'plan') return 'read-only';
  if (permissionMode === 'acceptEdits' || permissionMode === 'default') return 'workspace-write';
  return 'danger-full-access';
}

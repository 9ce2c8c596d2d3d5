import type { Command } from 'commander';
import { type Context, write } from '../context.ts';
import type { Check } from '../doctor/check.ts';
import { EXIT } from '../failure.ts';
import { type Style, styleFor } from '../output/style.ts';

interface DoctorFlags {
  readonly json?: boolean;
  readonly url?: string;
}

const EXAMPLE = `
Example:
  jeeves doctor
  jeeves doctor --url http://127.0.0.1:8006

Ends with 1 when something is broken; each line says how to mend it.`;

/** `jeeves doctor`: pushes a text through every part and says what is broken, and what to do about it. */
export function addDoctor(program: Command, context: Context): void {
  program
    .command('doctor')
    .summary('check every part with a real text, and say how to mend what is broken')
    .description('Pushes a text through every part that prunes, and says what is broken and how to mend it.')
    .option('--url <address>', 'ask the service that runs there instead of starting one')
    .option('--json', 'write the findings as JSON')
    .addHelpText('after', EXAMPLE)
    .action(async (flags: DoctorFlags) => {
      const checks: Check[] = [];
      const style = styleFor(context.stdout, context.config);
      for (const look of await examinations(flags, context)) {
        const check = await look();
        checks.push(check);
        if (flags.json !== true) await write(context.stdout, lineOf(check, style));
      }
      const healthy = checks.every(({ status }) => status !== 'broken');
      if (flags.json === true) await write(context.stdout, `${JSON.stringify({ ok: healthy, checks }, null, 2)}\n`);
      if (!healthy) context.setExitCode(EXIT.unproven);
    });
}

/** One after the other: none must measure what another one costs. */
async function examinations({ url }: DoctorFlags, context: Context): Promise<(() => Check | Promise<Check>)[]> {
  const [parts, deepinfra, stdio, service, { effectiveSettings }] = await Promise.all([
    import('../doctor/parts.ts'),
    import('../doctor/deepinfra.ts'),
    import('../doctor/stdio.ts'),
    import('../doctor/service.ts'),
    import('@jeeves/mcp-pruner/settings'),
  ]);
  const { config, cwd } = context;
  const effective = await effectiveSettings(config.environment, { cwd, home: config.home });
  const valueOf = (name: string): string => effective.settings.find((row) => row.name === name)?.value ?? '';
  const limits = { timeoutMs: Number(valueOf('DEEPINFRA_TIMEOUT_MS')), maxDocs: Number(valueOf('DEEPINFRA_MAX_DOCS')) };
  const pruner = effective.settings.find(({ name }) => name === 'PRUNER_URL');
  return [
    () => parts.checkNode(process.versions.node),
    () => parts.checkSettings(effective),
    () => parts.checkStore(context),
    () => stdio.checkStdio(context),
    () => service.checkService(context, url),
    () => service.checkPort(Number(valueOf('MCP_PRUNER_PORT')), context),
    () => parts.checkPruner(config.pruner.url ?? pruner?.value ?? '', context),
    ...(valueOf('KIMI_PRUNING_BACKEND') === 'deepinfra' ? [() => deepinfra.checkDeepInfra(context, limits)] : []),
    () => parts.checkRipgrep(context),
    () => parts.checkShell(context, valueOf('MCP_PRUNER_SHELL_LOGIN') === 'true'),
    () => parts.checkAgents(context),
  ];
}

function lineOf({ name, status, found, fix, details = [] }: Check, style: Style): string {
  const sign = { ok: style.green('✓'), warning: style.yellow('!'), broken: style.red('✗') }[status];
  const more = details.map((line) => `    ${style.dim(line)}\n`).join('');
  return `${sign} ${name.padEnd(14)} ${found}\n${fix === undefined ? '' : `    ${style.bold('fix:')} ${fix}\n`}${more}`;
}

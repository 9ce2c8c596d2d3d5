import type { Effective, EffectiveSetting } from '@jeeves/mcp-pruner/settings';
import type { Command } from 'commander';
import { type Context, write } from '../context.ts';
import { type Style, styleFor } from '../output/style.ts';

const EXAMPLE = `
Example:
  jeeves config
  jeeves config --json | jq '.settings[] | select(.from == "file")'

The environment wins over the file, the file over the default. Secrets are
read from the environment only, and are never shown.`;

/** `jeeves config`: what is in force, and who said so. */
export function addConfig(program: Command, context: Context): void {
  program
    .command('config')
    .summary('show the settings in force and where each comes from')
    .description('Shows every setting, its value and where it comes from: environment, file or default.')
    .option('--json', 'write it as JSON')
    .addHelpText('after', EXAMPLE)
    .action(async (flags: { readonly json?: boolean }) => {
      const { effectiveSettings } = await import('@jeeves/mcp-pruner/settings');
      const { config, cwd, stdout } = context;
      const effective = await effectiveSettings(config.environment, { cwd, home: config.home });
      await write(stdout, flags.json === true ? toJson(effective) : toText(effective, styleFor(stdout, config)));
    });
}

function toJson({ file, settings, problems, refusal }: Effective): string {
  const rows = settings.map(({ name, value, origin, toml }) => ({ name, value, from: origin, key: toml ?? null }));
  return `${JSON.stringify({ file, settings: rows, problems, ...(refusal !== undefined && { refusal }) }, null, 2)}\n`;
}

function toText({ file, settings, problems, refusal }: Effective, style: Style): string {
  const widths = {
    name: Math.max(...settings.map(({ name }) => name.length)),
    value: Math.min(48, Math.max(...settings.map(({ value }) => shown(value).length))),
  };
  const rows = settings.map((setting) => rowOf(setting, widths, style));
  const complaints = problems.map(({ variable, message }) => `${style.yellow('problem:')} ${variable}: ${message}`);
  if (refusal !== undefined) complaints.push(`${style.red('no server starts with these:')} ${refusal}`);
  const where = `${style.dim('file')}  ${file.path}${file.exists ? '' : style.dim('  (there is none)')}`;
  return `${[where, '', ...rows, ...(complaints.length > 0 ? ['', ...complaints] : [])].join('\n')}\n`;
}

const ORIGINS = { env: 'environment', file: 'file', default: 'default' } as const;

function rowOf(setting: EffectiveSetting, widths: { name: number; value: number }, style: Style): string {
  const { name, value, origin } = setting;
  const row = `${name.padEnd(widths.name)}  ${shown(value).padEnd(widths.value)}  ${ORIGINS[origin]}`;
  return origin === 'default' ? style.dim(row) : row;
}

function shown(value: string | null): string {
  return value === null ? '–' : value === '' ? '(empty)' : value;
}

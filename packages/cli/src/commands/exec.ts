import type { Command } from 'commander';
import { type Context, write } from '../context.ts';
import { runCommand } from '../exec/command.ts';
import { pruneStreams } from '../exec/streams.ts';
import { parseGoal, parseMaxTokens } from '../input/arguments.ts';
import { openForPruning } from '../store.ts';

interface ExecFlags {
  readonly goal?: string;
  readonly maxTokens?: number;
}

const EXAMPLE = `
Example:
  jeeves exec --goal "which test fails, and why" -- npm test

The output comes when the command has ended: stdout to stdout, stderr to stderr,
each closed by the command that gives its lines back when some were left out.
Without a goal all of it comes, up to 1 MiB. The exit code is the command's own.`;

/** `jeeves exec`: a command whose output is pruned, and whose exit code survives. */
export function addExec(program: Command, context: Context): void {
  program
    .command('exec')
    .summary('run a command and prune what it writes')
    .description('Runs a command, prunes what it writes to both streams within one budget, and exits as it did.')
    .argument('<command...>', 'the command and its arguments, after --')
    .option('-g, --goal <text>', 'what you want to know from the output', parseGoal)
    .option('--max-tokens <count>', 'the most tokens of both streams together (default: 4000)', parseMaxTokens)
    .addHelpText('after', EXAMPLE)
    .action(async (command: readonly string[], flags: ExecFlags) => runExec(command, flags, context));
}

async function runExec(command: readonly string[], flags: ExecFlags, context: Context): Promise<void> {
  const ended = await runCommand(command, context);
  context.setExitCode(ended.exitCode);
  if (ended.problem !== undefined) return await write(context.stderr, `error: ${ended.problem}\n`);
  const store = await openForPruning(context);
  try {
    const shown = await pruneStreams(ended, flags, store, context);
    await write(context.stdout, shown.stdout);
    await write(context.stderr, shown.stderr);
  } finally {
    await store.close();
  }
}

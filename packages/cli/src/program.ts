import { Command } from 'commander';
import { addBench } from './commands/bench.ts';
import { addCompare } from './commands/compare.ts';
import { addConfig } from './commands/config.ts';
import { addDemo } from './commands/demo.ts';
import { addDoctor } from './commands/doctor.ts';
import { addExec } from './commands/exec.ts';
import { addGateway } from './commands/gateway.ts';
import { addPrune } from './commands/prune.ts';
import { addPrunes } from './commands/prunes.ts';
import { addRecover } from './commands/recover.ts';
import { addRun } from './commands/run.ts';
import { addServe } from './commands/serve.ts';
import { addVerify } from './commands/verify.ts';
import type { Context } from './context.ts';
import { plainOn } from './output/terminal.ts';

const DESCRIPTION = `Takes away the lines of a text that do not serve a goal, marks every gap,
and gives any of it back byte for byte.`;

const EXAMPLES = `
Examples:
  npm test 2>&1 | jeeves prune --goal "why does the build fail"
  jeeves exec --goal "which test fails" -- npm test
  jeeves recover --last --lines 120-154
  jeeves demo

Exit codes: 0 done, 1 verify found a violation or a run failed, 2 the call or its input is wrong;
exec ends as its command did.`;

/** The command line as a whole. Errors and help are thrown, so that only the program itself ends the process. */
export function createProgram(context: Context, version: string): Command {
  const program = new Command('jeeves')
    .description(DESCRIPTION)
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [command]', 'print help for a command')
    .configureOutput({
      writeOut: (text) => void context.stdout.write(plainOn(context.stdout, text), ignore),
      writeErr: (text) => void context.stderr.write(plainOn(context.stderr, text), ignore),
      getOutHelpWidth: () => Math.min(context.stdout.columns ?? 100, 120),
      getErrHelpWidth: () => Math.min(context.stderr.columns ?? 100, 120),
    })
    .configureHelp({ showGlobalOptions: false })
    .exitOverride()
    .showHelpAfterError('Run it with --help to see the options and an example.')
    .addHelpText('after', EXAMPLES);
  for (const add of [
    addPrune,
    addExec,
    addRecover,
    addPrunes,
    addVerify,
    addBench,
    addDemo,
    addConfig,
    addServe,
    addDoctor,
    addGateway,
    addRun,
    addCompare,
  ])
    add(program, context);
  return program;
}

// A broken pipe is the program's business: it listens to the streams itself.
function ignore(): void {}

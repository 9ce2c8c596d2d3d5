#!/usr/bin/env node
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { CommanderError } from 'commander';
import { loadConfig } from './config.ts';
import type { Context } from './context.ts';
import { EXIT, UsageError } from './failure.ts';
import { lazyStdin } from './input/stdin.ts';
import { forTerminal, plainOn } from './output/terminal.ts';
import { createProgram } from './program.ts';

// Both src/cli.ts and dist/cli.js lie one level below the package.
const packageRoot = new URL('..', import.meta.url);

await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<void> {
  endQuietlyOnBrokenPipe();
  const program = createProgram(await createContext(), ownVersion());
  try {
    if (args.length === 0) program.outputHelp();
    else await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    process.exitCode = report(error);
  }
}

/** The only place where commands meet the real process. */
async function createContext(): Promise<Context> {
  return {
    stdin: lazyStdin(),
    stdout: forTerminal(process.stdout),
    stderr: forTerminal(process.stderr),
    config: await loadConfig(),
    cwd: process.cwd(),
    packageRoot,
    now: Date.now,
    randomBytes: (count) => randomBytes(count),
    fetch: globalThis.fetch,
    setExitCode: (code) => {
      process.exitCode = code;
    },
  };
}

/** Read from the manifest, so that the two can never differ. */
function ownVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('package.json', packageRoot), 'utf8'));
  return String((manifest as { readonly version: unknown }).version);
}

/** `jeeves … | head` closes the pipe early: that is the reader's right and no error. */
function endQuietlyOnBrokenPipe(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      process.exit(error.code === 'EPIPE' ? (process.exitCode ?? EXIT.success) : EXIT.usage);
    });
  }
}

function report(error: unknown): number {
  // Commander has already written its message; help and version come this way too, with exit code 0.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.success : EXIT.usage;
  if (error instanceof UsageError) process.stderr.write(plainOn(process.stderr, `error: ${error.message}\n`));
  else
    process.stderr.write(
      plainOn(
        process.stderr,
        `error: jeeves failed unexpectedly\n${error instanceof Error ? error.stack : String(error)}\n`,
      ),
    );
  return EXIT.usage;
}

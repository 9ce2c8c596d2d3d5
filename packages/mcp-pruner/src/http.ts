#!/usr/bin/env node
import { homedir } from 'node:os';
import { readConfig } from './config.ts';
import { runHttpProgram } from './http-program.ts';
import { onDefect, onStopSignal, versionBeside, workingDirectory } from './process.ts';

const code = await runHttpProgram({
  args: process.argv.slice(2),
  program: { name: 'jeeves-mcp-pruner', defaultPort: 0 },
  read: (launch) => readConfig(process.env, launch),
  cwd: workingDirectory(),
  home: homedir(),
  pid: process.pid,
  version: versionBeside(import.meta.url),
  output: process.stdout,
  onStop: onStopSignal,
  onDefect,
});
process.exit(code);

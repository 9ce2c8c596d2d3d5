import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type {
  BashError,
  BashResult,
  GrepError,
  GrepResult,
  PruningMetadata,
  ReadError,
  ReadResult,
  RecoverTextResult,
} from '@jeeves/protocol';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import {
  cleanUp,
  type Result,
  type ServerOptions,
  type ServerProcess,
  startServer,
  temporaryDirectory,
} from '../../../../packages/mcp-pruner/test/harness.ts';

export type Files = Readonly<Record<string, string | Buffer>>;

export interface SiteOptions extends ServerOptions {
  readonly files?: Files;
}

/** A directory with files in it and the real server rooted there; it lives as long as the running test. */
export async function site(options: SiteOptions = {}): Promise<ServerProcess> {
  const server = await startServer({ ...options, root: rootWith(options.files ?? {}) });
  onTestFinished(async () => {
    await server.close();
  });
  return server;
}

/** The same for all tests of a file. */
export function sharedSite(options: SiteOptions = {}): () => ServerProcess {
  let server: ServerProcess | undefined;
  beforeAll(async () => {
    server = await startServer({ ...options, root: rootWith(options.files ?? {}) });
  });
  afterAll(async () => {
    await server?.close();
    await cleanUp();
  });
  return () => {
    if (server === undefined) throw new Error('the server is not running yet');
    return server;
  };
}

export function rootWith(files: Files): string {
  const root = temporaryDirectory();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return root;
}

/** A directory of programs and nothing else, to be the whole path of a server. */
export function programs(
  scripts: Readonly<Record<string, string>>,
  links: Readonly<Record<string, string>> = {},
): string {
  const directory = temporaryDirectory();
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(directory, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(directory, name));
  return directory;
}

/** Options of node under which the program has none of its optional parts: no ripgrep comes along. */
export function withoutRipgrep(): readonly string[] {
  const file = join(temporaryDirectory(), 'without.cjs');
  writeFileSync(
    file,
    `const Module = require('node:module');
     const resolve = Module._resolveFilename;
     Module._resolveFilename = (request, ...rest) => {
       if (request.startsWith('@vscode/ripgrep')) throw new Error('not installed');
       return resolve(request, ...rest);
     };`,
  );
  return ['--require', file];
}

/** Options of node under which it gives up the rights of root, to whom no file is unreadable. */
export function unprivileged(): readonly string[] {
  if (process.getuid?.() !== 0) return [];
  return ['--import', 'data:text/javascript,process.setgid(65534);process.setuid(65534)'];
}

export function textOf(result: Result): string {
  return result.content?.[0]?.text ?? '';
}

/** The structured result, wherever the client gets it. */
export function structuredOf({ structuredContent, _meta }: Result): unknown {
  return structuredContent ?? _meta?.['jeeves/result'];
}

export function readOf(result: Result): ReadResult {
  return structuredOf(result) as ReadResult;
}

export function bashOf(result: Result): BashResult {
  return structuredOf(result) as BashResult;
}

export function grepOf(result: Result): GrepResult {
  return structuredOf(result) as GrepResult;
}

export function failedReadOf(result: Result): ReadError {
  return structuredOf(result) as ReadError;
}

export function failedBashOf(result: Result): BashError {
  return structuredOf(result) as BashError;
}

export function failedGrepOf(result: Result): GrepError {
  return structuredOf(result) as GrepError;
}

export function recoveredOf(result: Result): RecoverTextResult {
  return structuredOf(result) as RecoverTextResult;
}

export function pruningOf(result: Result): PruningMetadata {
  return (structuredOf(result) as { readonly pruning: PruningMetadata }).pruning;
}

export function corpus(path: string): string {
  return readFileSync(new URL(`../../../corpus/texts/${path}`, import.meta.url), 'utf8');
}

export function numberedLines(count: number, line: (number: number) => string = (number) => `line ${number}`): string {
  return Array.from({ length: count }, (_, index) => `${line(index + 1)}\n`).join('');
}

/** The events of the calls so far that are about what a tool or a pruner did, without what differs from run to run. */
export function eventsOf(server: ServerProcess, since = 0): string[] {
  return server.events.slice(since).map(({ event }) => event);
}

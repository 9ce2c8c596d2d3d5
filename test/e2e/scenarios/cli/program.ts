import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';

/** The program as users get it: `npm run build` has to have run. */
export const PROGRAM: string = fileURLToPath(new URL('../../../../packages/cli/dist/cli.js', import.meta.url));

interface Ran {
  readonly code: number | null;
  readonly out: string;
  /** The same before it was decoded. */
  readonly bytes: Buffer;
  readonly err: string;
}

export interface Desk {
  /** A fresh directory, which is also the home and the working directory of every run. */
  readonly path: string;
  readonly file: (name: string, content: string | Buffer) => string;
  readonly run: (args: readonly string[], given?: Given) => Promise<Ran>;
}

interface Given {
  readonly stdin?: string | Buffer;
  readonly env?: Readonly<Record<string, string>>;
  /** Stop reading stdout after the first bytes, as `head` does. */
  readonly closeEarly?: boolean;
}

/** A place of its own for the tests of one file: no run sees another user's store or settings. */
export function desk(): Desk {
  const path = mkdtempSync(join(tmpdir(), 'jeeves-cli-'));
  afterAll(() => rmSync(path, { recursive: true, force: true }));
  return {
    path,
    file(name, content) {
      writeFileSync(join(path, name), content);
      return name;
    },
    run: (args, given = {}) => run(path, args, given),
  };
}

function run(path: string, args: readonly string[], { stdin = '', env = {}, closeEarly = false }: Given): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [PROGRAM, ...args], {
      cwd: path,
      env: { PATH: process.env['PATH'], HOME: path, USERPROFILE: path, ...env },
    });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => {
      out.push(chunk);
      if (closeEarly) child.stdout.destroy();
    });
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    child.on('error', reject);
    child.on('close', (code) =>
      resolve({
        code,
        out: Buffer.concat(out).toString('utf8'),
        bytes: Buffer.concat(out),
        err: Buffer.concat(err).toString('utf8'),
      }),
    );
    // A program that refuses its arguments does not wait for its input.
    child.stdin.on('error', () => {});
    child.stdin.end(stdin);
  });
}

/** A build log in which one line matters, with Windows endings and no newline at its end. */
export const LOG: string = [
  ...Array.from({ length: 300 }, (_, at) => `12:00:01 INFO building src/module_${at}.o, object ${at} of 300`),
  '12:02:30 ERROR src/parser.c:88: expected ";" before "return"',
  ...Array.from({ length: 300 }, (_, at) => `12:04:09 INFO linking lib/part_${at}.so, library ${at} of 300`),
].join('\r\n');

/** The prune id in the closing line of a pruned text. */
export function idIn(text: string): string {
  return /⟦jeeves recover (prn_[0-9a-z]{35}) --lines \d+-\d+⟧\n$/.exec(text)?.[1] ?? 'none';
}

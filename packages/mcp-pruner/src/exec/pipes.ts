import { execFile } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';

/** A pipe between a command and this process. */
export interface Pipe {
  readonly reader: Readable;
  /** The descriptor for the command; to be closed here once the command has it. */
  readonly writer: number;
}

const run = promisify(execFile);

/**
 * Real pipes, `count` of them. Node would give a command sockets, which cannot be opened by name: `echo … > /dev/stderr`
 * and `tee /dev/stdout` fail on those. Null where no pipe can be made: then sockets have to do.
 */
export async function openPipes(count: number, mkfifo: string | null): Promise<Pipe[] | null> {
  if (mkfifo === null) return null;
  const directory = await mkdtemp(join(tmpdir(), 'jeeves-')).catch(() => null);
  if (directory === null) return null;
  const paths = Array.from({ length: count }, (_, index) => join(directory, String(index)));
  const opened: Pipe[] = [];
  try {
    await run(mkfifo, ['-m', '600', '--', ...paths]);
    for (const path of paths) opened.push(openPipe(path));
    return opened;
  } catch {
    for (const { reader, writer } of opened) {
      reader.destroy();
      closeSync(writer);
    }
    return null;
  } finally {
    // Open ends need no name, and nobody else shall find one.
    await rm(directory, { recursive: true, force: true }).catch(() => undefined);
  }
}

function openPipe(path: string): Pipe {
  // Without O_NONBLOCK the first end would wait here for the second one.
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(path, constants.O_WRONLY);
  return { reader: new Socket({ fd, readable: true, writable: false }), writer };
}

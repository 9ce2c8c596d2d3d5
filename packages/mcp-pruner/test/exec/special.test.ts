import { once } from 'node:events';
import { symlinkSync, truncateSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifies } from '../../../../test/e2e/verifies.ts';
import { readText } from '../../src/exec/read.ts';
import { openRoot, type Root } from '../../src/exec/root.ts';
import { makeFifos, outcomeOf, temporaryDirectory, writeTree } from './world.ts';

const directory = temporaryDirectory();
writeTree(directory, { 'file.txt': 'text', 'dir/file.txt': 'text', sparse: 'begin\n' });
makeFifos(...[0, 1, 2, 3].map((number) => join(directory, `fifo-${number}`)));
symlinkSync('/dev/zero', join(directory, 'zero'));
symlinkSync('fifo-0', join(directory, 'link-to-fifo'));
truncateSync(join(directory, 'sparse'), 10 * 1024 ** 3);

const server = createServer();
let root: Root;
beforeAll(async () => {
  server.listen(join(directory, 'socket'));
  await once(server, 'listening');
  root = await openRoot(directory);
});
afterAll(() => {
  server.close();
});

async function read(path: string): Promise<string> {
  const handle = await root.openFile(path);
  try {
    return (await readText(handle, { maxBytes: 1 << 20 })).text;
  } finally {
    await handle.close();
  }
}

describe('special files', () => {
  test.each(['fifo-0', 'link-to-fifo', 'socket', 'zero', 'dir', '.'])('%s is no file to read', async (path) => {
    expect(await outcomeOf(read(path))).toBe('invalid_path');
  });

  test.each(['zero', 'null', 'tty', 'fd/0', 'stdin'])(
    'the device %s inside the root is no file to read',
    async (path) => {
      const devices = await openRoot('/dev');
      expect(await outcomeOf(devices.openFile(path).then(() => 'opened'))).toBe('invalid_path');
    },
  );

  verifies('security.t4.special-files', 'FIFOs block nothing and a huge file fills no memory', async () => {
    const begun = performance.now();
    const fifos = Promise.all([0, 1, 2, 3].map((number) => outcomeOf(read(`fifo-${number}`))));
    expect(await read('file.txt')).toBe('text');
    expect(performance.now() - begun).toBeLessThan(200);
    expect(new Set(await fifos)).toEqual(new Set(['invalid_path']));

    const before = process.memoryUsage.rss();
    expect((await read('sparse')).length).toBe(1 << 20);
    expect(process.memoryUsage.rss() - before).toBeLessThan(64 * 1024 ** 2);
  });
});

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect } from 'vitest';
import { verifies } from '../../verifies.ts';
import { desk, PROGRAM } from '../cli/program.ts';

const { file, path, run } = desk();
const EVIL = '\u001B]0;owned\u0007\u001B[2J\u001B[31mred\u009B5n';
const TEXT = Array.from({ length: 200 }, (_, at) => `line ${at} ${EVIL} end`).join('\n');

/** Runs the program on a real terminal and gives what that terminal got. */
async function onTerminal(args: readonly string[]): Promise<string> {
  const command = [process.execPath, PROGRAM, ...args].map((each) => `'${each.replaceAll("'", "'\\''")}'`).join(' ');
  const env = { PATH: process.env['PATH'], HOME: path, SHELL: '/bin/sh', TERM: 'xterm', NO_COLOR: '1' };
  const { stdout } = await promisify(execFile)('script', ['-qec', `${command} || true`, '/dev/null'], {
    cwd: path,
    env,
  });
  return stdout;
}

describe('a terminal', () => {
  verifies(
    'doors.terminal',
    'gets no control sequence of a text, a file name, a goal or a wrong argument',
    async () => {
      file('evil.txt', TEXT);
      const name = file(`name${EVIL.replaceAll('/', '')}.txt`, TEXT);
      const { out } = await run(['prune', '--goal', `line 7 ${EVIL}`, '--json', 'evil.txt']);
      const { prune_id } = JSON.parse(out);
      for (const args of [
        ['prune', '--goal', 'line 7', 'evil.txt'],
        ['prune', '--goal', 'line 7', 'evil.txt', name],
        ['prune', '--goal', 'line 7', `missing${EVIL}`],
        ['exec', '--goal', 'line 7', '--', 'cat', 'evil.txt'],
        ['recover', prune_id, '--lines', '1-3'],
        ['recover', `prn_${EVIL}`],
        ['prunes'],
        ['verify', name, '--cases', '1'],
        ['verify', `missing${EVIL}`],
        ['config'],
        [`no-such-command${EVIL}`],
      ]) {
        const shown = await onTerminal(args);
        // The line of progress is this program’s own.
        const read = shown.replaceAll('\r\u001B[2K', '');
        for (const control of ['\u0007', '\u001B', '\u009B']) expect(read, args.join(' ')).not.toContain(control);
      }
    },
  );

  verifies('doors.terminal', 'is the only place: a pipe gets every byte', async () => {
    file('evil.txt', TEXT);
    const { out } = await run(['prune', '--goal', 'line 7', '--json', 'evil.txt']);
    const { prune_id } = JSON.parse(out);
    const recovered = await run(['recover', prune_id, '--lines', '1-1']);
    expect(recovered.out).toBe(`line 0 ${EVIL} end\n`);
  });
});

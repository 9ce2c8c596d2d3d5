import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadTokenCounter } from '@jeeves/engine/tokens';
import { describe, expect } from 'vitest';
import { verifies } from '../../verifies.ts';
import { desk, idIn, LOG, PROGRAM } from './program.ts';

const { run, file, path } = desk();
const GOAL = ['--goal', 'why does the build fail'];

describe('jeeves exec', () => {
  verifies('cli.exec', 'prunes what a command writes, and ends as it did', async () => {
    file('build.log', LOG);
    const { code, out, err } = await run(['exec', ...GOAL, '--', 'sh', '-c', 'cat build.log; echo late >&2; exit 7']);
    expect(code).toBe(7);
    expect(err).toBe('late\n');
    expect(out).toContain('12:02:30 ERROR src/parser.c:88');
    expect(out.length).toBeLessThan(LOG.length / 2);
    expect((await run(['recover', idIn(out), '--all'])).out).toBe(LOG);
  });

  verifies('cli.exec', 'prunes both streams within one budget', async () => {
    const countTokens = await loadTokenCounter();
    file('build.log', LOG);
    const args = ['exec', ...GOAL, '--max-tokens', '800', '--', 'sh', '-c', 'cat build.log; cat build.log >&2'];
    const { code, out, err } = await run(args);
    expect(code).toBe(0);
    for (const stream of [out, err]) expect(stream).toContain('ERROR src/parser.c:88');
    expect(idIn(out)).not.toBe(idIn(err));
    expect(countTokens(out).tokens + countTokens(err).tokens).toBeLessThanOrEqual(800);
  });

  verifies('cli.exec', 'passes everything on without a goal, bytes that are no text among it', async () => {
    const { code, bytes, err } = await run(['exec', '--', 'printf', 'a\\377\\0b --flag %s', 'x']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(bytes).toEqual(Buffer.from([0x61, 0xff, 0, ...Buffer.from('b --flag x')]));
  });

  verifies('cli.exec', 'leaves the middle of more than a mebibyte out without a goal, recoverably', async () => {
    const { out } = await run(['exec', '--', 'seq', '1', '300000']);
    expect(out).toMatch(/^1\n2\n[^]*\n⟦pruned \d+-\d+ \(\d+ lines\)⟧\n[^]*\n300000\n⟦jeeves recover /);
    expect((await run(['recover', idIn(out), '--lines', '150000'])).out).toBe('150000\n');
  });

  verifies('cli.exec', 'gives a command its standard input and plain surroundings', async () => {
    expect((await run(['exec', '--', 'cat'], { stdin: 'from stdin\n' })).out).toBe('from stdin\n');
    expect((await run(['exec', '--', 'sh', '-c', 'echo $NO_COLOR $TERM'])).out).toBe('1 dumb\n');
  });

  const ENDS: readonly [string, readonly string[], number][] = [
    ['a command that is not there', ['no-such-command'], 127],
    ['one that cannot be run', ['/etc/passwd'], 126],
    ['one that a signal ended', ['sh', '-c', 'kill -TERM $$'], 143],
  ];
  for (const [name, command, expected] of ENDS) {
    verifies('cli.exec', `${name} ends with ${expected}, as in a shell`, async () => {
      const { code, out } = await run(['exec', '--', ...command]);
      expect({ code, out }).toEqual({ code: expected, out: '' });
    });
  }

  verifies('cli.exec', 'hands a request to end on to its command, and shows what it wrote', async () => {
    const script = 'trap "echo stopped; exit 9" TERM; echo started; touch ready; while :; do sleep 0.1; done';
    const child = spawn(process.execPath, [PROGRAM, 'exec', '--', 'sh', '-c', script], {
      cwd: path,
      env: { PATH: process.env['PATH'], HOME: path },
    });
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    while (!existsSync(join(path, 'ready'))) await sleep(50);
    child.kill('SIGTERM');
    const [code] = (await once(child, 'close')) as [number];
    expect({ code, out }).toEqual({ code: 9, out: 'started\nstopped\n' });
  });
});

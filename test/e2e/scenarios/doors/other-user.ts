import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Whether this process may become somebody else, as the superuser can. */
export const canBeAnotherUser: boolean = process.platform === 'linux' && process.getuid?.() === 0;

const NOBODY_ELSE = 61_234;

/** Runs a program text as another user of the machine. The switch comes after the start, so any file can be loaded. */
export async function asAnotherUser(code: string): Promise<string> {
  const switched = `process.setgroups([]); process.setgid(${NOBODY_ELSE}); process.setuid(${NOBODY_ELSE});`;
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', `${switched}\n${code}`], { cwd: '/' });
  return stdout;
}

import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openToken } from '../../../src/host/http/token.ts';

const home = mkdtempSync(join(tmpdir(), 'jeeves-token-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const randomBytes = (count: number): Uint8Array => new Uint8Array(count).fill(7);

describe('a token', () => {
  test('that the user set is taken, and written nowhere', () => {
    const { value, file } = openToken({ given: 'mine', home: join(home, 'none'), name: 'x', randomBytes });
    expect([value, file, existsSync(join(home, 'none'))]).toEqual(['mine', undefined, false]);
  });

  test('is otherwise 32 random bytes in a file for the user alone, until it is forgotten', () => {
    const token = openToken({ given: undefined, home, name: 'server-1', randomBytes });
    expect(Buffer.from(token.value, 'base64url')).toEqual(Buffer.alloc(32, 7));
    const file = token.file ?? '';
    expect(file).toBe(join(home, '.local/state/jeeves/server-1.token'));
    expect(readFileSync(file, 'utf8')).toBe(`${token.value}\n`);
    expect([statSync(file).mode & 0o777, statSync(dirname(file)).mode & 0o777]).toEqual([0o600, 0o700]);
    token.forget();
    expect(existsSync(file)).toBe(false);
  });

  test('does not land in a file that somebody left open for all', () => {
    const file = join(home, '.local/state/jeeves/server-2.token');
    writeFileSync(file, 'old', { mode: 0o666 });
    const token = openToken({ given: undefined, home, name: 'server-2', randomBytes });
    expect([token.file, statSync(file).mode & 0o777]).toEqual([file, 0o600]);
    token.forget();
  });

  test('goes to the temporary directory where the home is none', () => {
    const token = openToken({ given: undefined, home: '/dev/null', name: 'server-3', randomBytes });
    expect(token.file?.startsWith(tmpdir())).toBe(true);
    expect(statSync(dirname(token.file ?? '')).mode & 0o777).toBe(0o700);
    token.forget();
    rmSync(dirname(token.file ?? ''), { recursive: true });
  });
});

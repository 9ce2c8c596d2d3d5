import { Buffer } from 'node:buffer';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** What a caller must show, and where it can learn that. */
export interface Token {
  readonly value: string;
  /** Absent when the user set the token, or when there is no place to write one to. */
  readonly file?: string;
  /** Removes the file. */
  readonly forget: () => void;
}

export interface TokenOptions {
  /** `MCP_PRUNER_TOKEN`. */
  readonly given: string | undefined;
  readonly home: string;
  /** Name of the file, different for every running server. */
  readonly name: string;
  readonly randomBytes: (count: number) => Uint8Array;
}

export function openToken({ given, home, name, randomBytes }: TokenOptions): Token {
  if (given !== undefined) return { value: given, forget: () => undefined };
  const value = Buffer.from(randomBytes(32)).toString('base64url');
  // Without a home the path would be relative, and the token would lie in the working tree.
  const atHome = isAbsolute(home) ? written(() => join(home, '.local', 'state', 'jeeves'), name, value) : undefined;
  const file = atHome ?? inTemporary(name, value);
  if (file === undefined) return { value, forget: () => undefined };
  return { value, file, forget: () => rmSync(file, { force: true }) };
}

// A home that cannot be written to is no reason to go without.
function inTemporary(name: string, value: string): string | undefined {
  return written(() => mkdtempSync(join(tmpdir(), 'jeeves-')), name, value);
}

function written(directory: () => string, name: string, value: string): string | undefined {
  try {
    const folder = directory();
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const file = join(folder, `${name}.token`);
    // One of that name can only be left behind by a process that is gone. Writing to it would keep its permissions.
    rmSync(file, { force: true });
    writeFileSync(file, `${value}\n`, { mode: 0o600, flag: 'wx' });
    chmodSync(file, 0o600);
    return file;
  } catch {
    return undefined;
  }
}

import { closeSync, mkdirSync, openSync, readdirSync, rmdirSync, statSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive, ownerName } from './owner.ts';

/** How long a lock directory may stay without an owner's name before it counts as left by a process that died there. */
const NAMELESS_MS = 100;

/**
 * The lock of every process on a file. SQLite's own, in its build for WebAssembly, outlives a process that was killed.
 *
 * The lock is the directory `<path>.busy` with one file in it, named after its owner. Making the directory decides who
 * enters; the name lets others see that the owner died. Breaking is safe under races because every step of it fails
 * harmlessly when another got there first: a dead owner's file is removed by its own unique name, the directory only
 * while it is empty, and whoever made a directory enters only if, after writing its name there, no other living name is
 * beside it.
 */
export class FileLock {
  readonly path: string;
  readonly #wanted: string;
  readonly #owner = ownerName();
  #attempts = 0;
  #name = '';

  constructor(databasePath: string) {
    this.path = `${databasePath}.busy`;
    this.#wanted = `${databasePath}.wanted`;
  }

  /** Takes the lock if it is free or its owner is dead. Throws when the directory cannot be written at all. */
  tryAcquire(): boolean {
    if (!this.#make() && !(this.#breakIfDead() && this.#make())) return false;
    // A new name each time: whoever removes a name that it saw dead must not hit a later turn of the same owner.
    this.#attempts += 1;
    this.#name = `${this.#owner}.${this.#attempts}`;
    let entered = false;
    try {
      entered = this.#sign() && this.livingOwners().every((name) => name === this.#name);
    } finally {
      if (!entered) this.release();
    }
    return entered;
  }

  release(): void {
    succeeds(() => unlinkSync(join(this.path, this.#name)), 'ENOENT');
    succeeds(() => rmdirSync(this.path), 'ENOENT', 'ENOTEMPTY', 'EEXIST');
  }

  /** Whoever has written its name into the lock and may still be at work. */
  livingOwners(): string[] {
    return entries(this.path).filter((name) => this.#isAlive(name));
  }

  /** Asks the owner to let others go first once. Without it, a busy process would take its own lock again and again. */
  want(): void {
    succeeds(() => closeSync(openSync(this.#wanted, 'w', 0o600)));
  }

  /** Whether another process has asked since the last call. */
  takeWanted(): boolean {
    return succeeds(() => unlinkSync(this.#wanted), 'ENOENT');
  }

  #make(): boolean {
    return succeeds(() => mkdirSync(this.path, 0o700), 'EEXIST');
  }

  /** Fails when the directory was taken away as nameless in the meantime. */
  #sign(): boolean {
    return succeeds(() => closeSync(openSync(join(this.path, this.#name), 'wx', 0o600)), 'ENOENT');
  }

  #breakIfDead(): boolean {
    const names = entries(this.path);
    if (names.length === 0 && Math.abs(ageMs(this.path)) < NAMELESS_MS) return false;
    if (names.some((name) => this.#isAlive(name))) return false;
    for (const name of names) succeeds(() => unlinkSync(join(this.path, name)), 'ENOENT');
    return succeeds(() => rmdirSync(this.path), 'ENOENT', 'ENOTEMPTY', 'EEXIST');
  }

  #isAlive(name: string): boolean {
    return name === this.#name || isAlive(name, ageMs(join(this.path, name)));
  }
}

function entries(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

/** Clocks may jump, so an age may be negative; a file that is gone has none. */
function ageMs(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? 0 : Date.now() - stats.mtimeMs;
}

/** False when `action` fails with one of the expected codes, or with any if none is given. */
function succeeds(action: () => void, ...expected: string[]): boolean {
  try {
    action();
    return true;
  } catch (error) {
    if (expected.length === 0 || expected.includes(codeOf(error) ?? '')) return false;
    throw error;
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

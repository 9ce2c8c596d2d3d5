import { setImmediate as otherWork, setTimeout as sleep } from 'node:timers/promises';
import { closeQuietly, makeDirectory, openDatabase } from './database.ts';
import { isBusy, lockedTooLong, storeFailure } from './failure.ts';
import { FileLock } from './lock.ts';
import type { Connection, Driver } from './port.ts';
import { inTransaction } from './schema.ts';

/** A turn ends after this much work, so that one busy process does not keep the others out. */
const TURN_MS = 50;
/** How many jobs share one transaction, and so one wait for the disk. */
const BATCH = 64;
const MAX_PAUSE_MS = 5;
/** Longer than the pause of whoever asked for the lock, so that it finds it free. */
const COURTESY_MS = 8;

interface Job {
  readonly run: (db: Connection) => unknown;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly since: number;
}

/**
 * Runs work on the database in turns: take the lock, open, do what is waiting, close, release, all in one synchronous
 * go. Between turns the process holds neither the lock nor any state of the file.
 */
export class Turns {
  readonly #driver: Driver;
  readonly #path: string;
  readonly #waitMs: number;
  readonly #lock: FileLock;
  readonly #jobs: Job[] = [];
  #running: Promise<void> | undefined;
  #notBefore = 0;

  constructor(driver: Driver, path: string, waitMs: number) {
    this.#driver = driver;
    this.#path = path;
    this.#waitMs = waitMs;
    this.#lock = new FileLock(path);
  }

  /**
   * The result of `run` once its transaction is on disk; rejects with `EngineError('store_failed')` when it fails or
   * the lock stays taken. `run` may be called again after it failed, in a new transaction.
   */
  submit<T>(run: (db: Connection) => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#jobs.push({ run, resolve: resolve as Job['resolve'], reject, since: performance.now() });
      this.#running ??= this.#drain();
    });
  }

  /** Resolves once nothing is waiting any more. */
  async idle(): Promise<void> {
    await this.#running;
  }

  async #drain(): Promise<void> {
    // What is asked for in the same tick shares one turn.
    await Promise.resolve();
    let pause = 1;
    while (this.#jobs.length > 0) {
      if (performance.now() < this.#notBefore) await sleep(COURTESY_MS);
      if (this.#takeTurn()) {
        pause = 1;
        if (this.#jobs.length > 0) await otherWork();
        continue;
      }
      this.#lock.want();
      this.#rejectOverdue();
      await sleep(pause + Math.random());
      pause = Math.min(MAX_PAUSE_MS, pause * 2);
    }
    this.#running = undefined;
  }

  /** False when somebody else has the database. */
  #takeTurn(): boolean {
    try {
      makeDirectory(this.#path);
      if (!this.#lock.tryAcquire()) return false;
      try {
        this.#work();
      } finally {
        this.#lock.release();
      }
      if (this.#lock.takeWanted()) this.#notBefore = performance.now() + COURTESY_MS;
    } catch (error) {
      if (isBusy(error)) return false;
      for (const job of this.#jobs.splice(0)) job.reject(storeFailure(this.#path, error));
    }
    return true;
  }

  #work(): void {
    const db = openDatabase(this.#driver, this.#path);
    const started = performance.now();
    try {
      do this.#runBatch(this.#jobs.splice(0, BATCH), db);
      while (this.#jobs.length > 0 && performance.now() - started < TURN_MS);
    } finally {
      closeQuietly(db);
    }
  }

  /** All in one transaction, or, when one of them fails, each in its own, so that it fails alone. */
  #runBatch(jobs: readonly Job[], db: Connection): void {
    try {
      const results = inTransaction(db, () => jobs.map((job) => job.run(db)));
      for (const [index, job] of jobs.entries()) job.resolve(results[index]);
    } catch (error) {
      if (jobs.length > 1) for (const job of jobs) this.#runBatch([job], db);
      else jobs[0]?.reject(storeFailure(this.#path, error));
    }
  }

  #rejectOverdue(): void {
    const now = performance.now();
    while (this.#jobs[0] !== undefined && now - this.#jobs[0].since >= this.#waitMs) {
      this.#jobs.shift()?.reject(lockedTooLong(this.#path, this.#waitMs, this.#owners()));
    }
  }

  #owners(): string[] {
    try {
      return this.#lock.livingOwners();
    } catch {
      return [];
    }
  }
}

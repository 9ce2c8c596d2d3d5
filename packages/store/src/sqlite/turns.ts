import { setImmediate as otherWork, setTimeout as sleep } from 'node:timers/promises';
import type { Session, Transactions, Work } from '../sql/session.ts';
import type { Connect, Connection } from './connection.ts';
import { closeQuietly, fileNumber, makeDirectory, openDatabase } from './database.ts';
import { SQLITE } from './dialect.ts';
import { isBusy, lockedTooLong, storeFailure } from './failure.ts';
import { FileLock } from './lock.ts';
import { inTransaction } from './schema.ts';

/** A turn ends after this much work, so that one busy process does not keep the others out. */
const TURN_MS = 50;
/** How many jobs share one transaction, and so one wait for the disk. */
const BATCH = 64;
/** How long the database stays open after a turn: opening and closing it costs ten times what a job in it does. */
const LINGER_MS = 10;
/** No longer than this in one go: whoever cannot look the owner up takes an old lock for a dead one's. */
const HOLD_MS = 5000;
/** How long a turn waits at most for jobs that keep coming. */
const GATHER_MS = 20;
const MAX_PAUSE_MS = 5;
/** Longer than the pause of whoever asked for the lock, so that it finds it free. */
const COURTESY_MS = 8;

interface Job {
  readonly run: Work<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly since: number;
}

/** The database while it is ours. */
interface Held {
  readonly db: Connection;
  /** Tells the file from another one that has taken its name. */
  readonly file: number;
  readonly since: number;
}

/**
 * Runs work on the database in turns: take the lock, open, do what is waiting, close, release. A turn lingers a moment
 * for more work, unless another process asks for its own; after it this process holds neither the lock nor any state of
 * the file.
 */
export class Turns implements Transactions {
  readonly #connect: Connect;
  readonly #path: string;
  readonly #waitMs: number;
  readonly #lock: FileLock;
  readonly #jobs: Job[] = [];
  #running: Promise<void> | undefined;
  #notBefore = 0;
  #held: Held | undefined;
  /** Ends the wait for more work. */
  #wake: () => void = () => undefined;
  #ending = false;

  constructor(connect: Connect, path: string, waitMs: number) {
    this.#connect = connect;
    this.#path = path;
    this.#waitMs = waitMs;
    this.#lock = new FileLock(path);
  }

  /**
   * The result of `run` once its transaction is on disk; rejects with `EngineError('store_failed')` when it fails or
   * the lock stays taken. `run` may be called again after it failed, in a new transaction. It awaits nothing but its
   * session: others wait for it.
   */
  transaction<T>(run: Work<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#jobs.push({ run, resolve: resolve as Job['resolve'], reject, since: performance.now() });
      this.#running ??= this.#drain();
      this.#wake();
    });
  }

  read<T>(run: Work<T>): Promise<T> {
    return this.transaction(run);
  }

  /** Resolves once nothing is waiting any more and the file is closed. */
  async idle(): Promise<void> {
    this.#ending = true;
    this.#wake();
    await this.#running;
    this.#ending = false;
  }

  close(): Promise<void> {
    return this.idle();
  }

  async #drain(): Promise<void> {
    do {
      await this.#runAll();
      await this.#linger();
    } while (this.#jobs.length > 0);
    this.#letGo();
    this.#running = undefined;
  }

  /** Until a job comes, or nobody needs the file open any more. */
  async #linger(): Promise<void> {
    if (this.#held === undefined || this.#ending) return;
    await new Promise<void>((resolve) => {
      // A busy process finds the time over before it gets to the jobs that are on their way.
      const timer = setTimeout(() => setImmediate(() => setImmediate(resolve)), LINGER_MS);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async #runAll(): Promise<void> {
    let pause = 1;
    while (this.#jobs.length > 0) {
      await this.#gather();
      if (performance.now() < this.#notBefore) await sleep(COURTESY_MS);
      if (await this.#takeTurn()) {
        pause = 1;
        if (this.#jobs.length > 0) await otherWork();
        continue;
      }
      this.#lock.want();
      this.#rejectOverdue();
      await sleep(pause + Math.random());
      pause = Math.min(MAX_PAUSE_MS, pause * 2);
    }
  }

  /** Waits as long as every round of the event loop brings another job: a turn costs much more than a job in it. */
  async #gather(): Promise<void> {
    const end = performance.now() + GATHER_MS;
    let seen = 0;
    for (let quiet = 0; quiet < 2 && this.#jobs.length < BATCH && performance.now() < end; quiet += 1) {
      await otherWork();
      if (this.#jobs.length > seen) quiet = -1;
      seen = this.#jobs.length;
    }
  }

  /** False when somebody else has the database. */
  async #takeTurn(): Promise<boolean> {
    try {
      const db = this.#open();
      if (db === undefined) return false;
      await this.#work(db);
      if (this.#lock.takeWanted()) {
        this.#letGo();
        this.#notBefore = performance.now() + COURTESY_MS;
      }
    } catch (error) {
      this.#letGo();
      if (isBusy(error)) return false;
      for (const job of this.#jobs.splice(0)) job.reject(storeFailure(this.#path, error));
    }
    return true;
  }

  /** As the last turn left it, or anew; undefined when somebody else has it. */
  #open(): Connection | undefined {
    const held = this.#held;
    const now = performance.now();
    if (held !== undefined && now - held.since < HOLD_MS && fileNumber(this.#path) === held.file) return held.db;
    this.#letGo();
    makeDirectory(this.#path);
    if (!this.#lock.tryAcquire()) return undefined;
    try {
      const db = openDatabase(this.#connect, this.#path);
      this.#held = { db, file: fileNumber(this.#path), since: now };
      return db;
    } catch (error) {
      this.#lock.release();
      throw error;
    }
  }

  #letGo(): void {
    if (this.#held === undefined) return;
    closeQuietly(this.#held.db);
    this.#held = undefined;
    this.#lock.release();
  }

  async #work(db: Connection): Promise<void> {
    const started = performance.now();
    do await this.#runBatch(this.#jobs.splice(0, BATCH), db);
    while (this.#held !== undefined && this.#jobs.length > 0 && performance.now() - started < TURN_MS);
  }

  /** All in one transaction, or, when one of them fails, each in its own, so that it fails alone. */
  async #runBatch(jobs: readonly Job[], db: Connection): Promise<void> {
    const session = sessionOn(db);
    try {
      const results = await inTransaction(db, async () => {
        const done: unknown[] = [];
        for (const job of jobs) done.push(await job.run(session));
        return done;
      });
      for (const [index, job] of jobs.entries()) job.resolve(results[index]);
    } catch (error) {
      if (jobs.length > 1) for (const job of jobs) await this.#runAlone(job);
      else this.#fail(jobs[0], error);
    }
  }

  async #runAlone(job: Job): Promise<void> {
    try {
      const db = this.#open();
      if (db === undefined) this.#jobs.push(job);
      else await this.#runBatch([job], db);
    } catch (error) {
      this.#fail(job, error);
    }
  }

  /** A connection that failed once is not trusted with the next job. */
  #fail(job: Job | undefined, error: unknown): void {
    job?.reject(storeFailure(this.#path, error));
    this.#letGo();
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

function sessionOn(db: Connection): Session {
  return {
    dialect: SQLITE,
    all: async (sql, values) => db.all(sql, values),
    get: async (sql, values) => db.all(sql, values)[0],
  };
}

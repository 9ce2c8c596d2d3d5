import { setTimeout as sleep } from 'node:timers/promises';
import { Pool, type PoolClient } from 'pg';
import { isCollision, isPassing, storeFailure } from './failure.ts';
import type { Location } from './location.ts';
import { migrate } from './schema.ts';

/** Enough for one process: what waits for the disk of the server waits there as well. */
const CONNECTIONS = 4;

export type Row = Readonly<Record<string, unknown>>;

/** One transaction's connection. */
export interface Session {
  /** Rows of a statement; the first of them is `get`'s. */
  all(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  get(sql: string, values?: readonly unknown[]): Promise<Row | undefined>;
}

/** What the stores need of a database. */
export interface Transactions {
  transaction<T>(work: (session: Session) => Promise<T>): Promise<T>;
  /** Waits for what is under way. */
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** How long an operation tries again while the server is away. */
  readonly patienceMs: number;
  readonly statementTimeoutMs: number;
}

/** Transactions on a small pool of connections. Nothing is opened before the first. */
export class Database implements Transactions {
  readonly #location: Location;
  readonly #pool: Pool;
  readonly #patienceMs: number;
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #waiting: (() => void)[] = [];
  #free = CONNECTIONS;
  #prepared: Promise<void> | undefined;
  #closed: Promise<void> | undefined;

  constructor(location: Location, { patienceMs, statementTimeoutMs }: DatabaseOptions) {
    this.#location = location;
    this.#patienceMs = patienceMs;
    this.#pool = new Pool({
      connectionString: location.connectionString,
      // Acknowledged means on disk, whatever the server's default is.
      options: `-c search_path=${location.schema} -c synchronous_commit=on -c jit=off -c statement_timeout=${statementTimeoutMs}`,
      application_name: 'jeeves',
      max: CONNECTIONS,
      connectionTimeoutMillis: 5000,
      idleTimeoutMillis: 30_000,
      // A client whose server has vanished without a word is given up as well.
      query_timeout: statementTimeoutMs + 5000,
      allowExitOnIdle: true,
      keepAlive: true,
    });
    // An idle connection that breaks is replaced by the pool; whoever works on one is told by the statement.
    this.#pool.on('error', () => undefined);
  }

  /**
   * The result of `work` once its transaction is committed. Runs it again when the connection broke before the commit
   * was sent, as after a restart of the server, or when two transactions collided; never when the outcome is unknown.
   */
  async transaction<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const result = this.#perform(work);
    this.#underWay.add(result);
    try {
      return await result;
    } finally {
      this.#underWay.delete(result);
    }
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#underWay);
    this.#closed ??= this.#pool.end();
    await this.#closed;
  }

  /** Waits for its turn here: the pool would count waiting for a connection as failing to connect. */
  async #perform<T>(work: (session: Session) => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await this.#persist(work);
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }

  async #persist<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const deadline = performance.now() + this.#patienceMs;
    for (let pause = 10; ; pause = Math.min(250, pause * 2)) {
      const attempt = { committing: false };
      try {
        await this.#prepare();
        return await this.#attempt(work, attempt);
      } catch (error) {
        const again = !attempt.committing && (isPassing(error) || isCollision(error));
        if (!again || performance.now() + pause > deadline) throw storeFailure(this.#location, error);
        await sleep(pause);
      }
    }
  }

  async #prepare(): Promise<void> {
    this.#prepared ??= this.#withClient((client) => migrate(client, this.#location.schema)).catch((error: unknown) => {
      this.#prepared = undefined;
      throw error;
    });
    await this.#prepared;
  }

  async #attempt<T>(work: (session: Session) => Promise<T>, attempt: { committing: boolean }): Promise<T> {
    return await this.#withClient(async (client) => {
      await client.query('BEGIN');
      const result = await work(sessionOf(client));
      attempt.committing = true;
      await client.query('COMMIT');
      return result;
    });
  }

  async #withClient<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    let broken = false;
    // Without a listener, a connection that breaks between two statements would end the process.
    const onError = (): void => {
      broken = true;
    };
    client.on('error', onError);
    try {
      return await work(client);
    } catch (error) {
      await client.query('ROLLBACK').catch(() => {
        broken = true;
      });
      throw error;
    } finally {
      client.off('error', onError);
      client.release(broken);
    }
  }
}

function sessionOf(client: PoolClient): Session {
  const all = async (sql: string, values: readonly unknown[] = []): Promise<Row[]> =>
    (await client.query<Row>(sql, [...values])).rows;
  return { all, get: async (sql, values) => (await all(sql, values))[0] };
}

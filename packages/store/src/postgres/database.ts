import { setTimeout as sleep } from 'node:timers/promises';
import { Pool, type PoolClient } from 'pg';
import type { Row, Session, Transactions, Work } from '../sql/session.ts';
import { POSTGRES } from './dialect.ts';
import { isCollision, isPassing, storeFailure } from './failure.ts';
import type { Location } from './location.ts';
import { migrate } from './schema.ts';

/** Enough for one process: what waits for the disk of the server waits there as well. */
const CONNECTIONS = 4;

export interface DatabaseOptions {
  /** How long an operation tries again while the server is away. */
  readonly patienceMs: number;
  readonly statementTimeoutMs: number;
}

interface Attempt {
  /** From here on, nobody knows what a broken connection has left behind. */
  committing: boolean;
}

type Job<T> = (client: PoolClient, attempt: Attempt) => Promise<T>;

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
      options: optionsOf({
        search_path: location.schema,
        // Acknowledged means on disk, whatever the server's default is.
        synchronous_commit: 'on',
        jit: 'off',
        // What is best for a small table must not be kept for the large one that it becomes.
        plan_cache_mode: 'force_custom_plan',
        statement_timeout: statementTimeoutMs,
      }),
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
  async transaction<T>(work: Work<T>): Promise<T> {
    return await this.#track(async (client, attempt) => {
      await client.query('BEGIN');
      const result = await work(sessionOf(client));
      attempt.committing = true;
      await client.query('COMMIT');
      return result;
    });
  }

  async read<T>(work: Work<T>): Promise<T> {
    return await this.#track((client) => work(sessionOf(client)));
  }

  async idle(): Promise<void> {
    await Promise.allSettled(this.#underWay);
  }

  async close(): Promise<void> {
    await this.idle();
    this.#closed ??= this.#pool.end();
    await this.#closed;
  }

  async #track<T>(job: Job<T>): Promise<T> {
    const result = this.#perform(job);
    this.#underWay.add(result);
    try {
      return await result;
    } finally {
      this.#underWay.delete(result);
    }
  }

  /** Waits for its turn here: the pool would count waiting for a connection as failing to connect. */
  async #perform<T>(job: Job<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await this.#persist(job);
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }

  async #persist<T>(job: Job<T>): Promise<T> {
    const deadline = performance.now() + this.#patienceMs;
    for (let pause = 10; ; pause = Math.min(250, pause * 2)) {
      const attempt: Attempt = { committing: false };
      try {
        await this.#prepare();
        return await this.#withClient((client) => job(client, attempt));
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

function optionsOf(settings: Readonly<Record<string, string | number>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
}

function sessionOf(client: PoolClient): Session {
  const all: Session['all'] = async (sql, values = [], name) =>
    (await client.query<Row>({ text: sql, values: [...values], ...(name === undefined ? {} : { name }) })).rows;
  return { dialect: POSTGRES, all, get: async (sql, values, name) => (await all(sql, values, name))[0] };
}

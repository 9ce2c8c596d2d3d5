import type { Split } from '../case.ts';
import type { Random } from '../random.ts';
import { hex, thing } from './vocabulary.ts';

type Level = 'INFO' | 'WARN' | 'ERROR';

export interface Message {
  readonly level: Level;
  readonly text: string;
  /** Lines below the message, such as a stack trace; the first few are evidence. */
  readonly trace?: 'stack';
}

/** Something that went wrong (or, for a fact, was stated once) and the goals that ask for it. */
export interface Incident {
  readonly goals: readonly string[];
  readonly messages: readonly Message[];
}

type Maker = (random: Random) => Incident;

const warn = (text: string): Message => ({ level: 'WARN', text });
const error = (text: string): Message => ({ level: 'ERROR', text });
const crash = (text: string): Message => ({ level: 'ERROR', text, trace: 'stack' });
const info = (text: string): Message => ({ level: 'INFO', text });
const id = (random: Random): string => hex(random, 8);

const TRAIN_FAILURES: readonly Maker[] = [
  (r) => ({
    goals: [
      'Why do requests fail with connection errors?',
      'database connection pool problem',
      'Why can no connection be borrowed?',
    ],
    messages: [
      warn(`pool primary: 20 of 20 connections busy, ${r.below(40) + 5} callers waiting`),
      crash(`could not borrow a connection within 30000 ms`),
    ],
  }),
  (r) => {
    const name = thing(r);
    return {
      goals: [
        `Why does the ${name} endpoint answer 500?`,
        `What exception does the ${name} handler throw?`,
        'Which request crashed and why?',
      ],
      messages: [
        crash(`unhandled exception while serving GET /api/${name}/${r.below(9000)}: field "${name}_id" is null`),
      ],
    };
  },
  (r) => {
    const name = `worker ${r.below(9)}`;
    return {
      goals: ['Why was the worker killed?', 'memory limit exceeded', 'What happened to the worker process?'],
      messages: [
        warn(`${name} resident memory ${1900 + r.below(140)} MiB of 2048 MiB`),
        error(`${name} killed by signal 9 (out of memory)`),
      ],
    };
  },
  (r) => ({
    goals: ['Why can the upload not be saved?', 'disk space', 'What stops files from being written?'],
    messages: [
      warn(`volume /data at 99 % of 100 GiB`),
      error(`write /data/uploads/${id(r)}.tmp: no space left on device`),
    ],
  }),
  (r) => ({
    goals: ['Why is the certificate refused?', 'TLS handshake failures', 'Which certificate expired?'],
    messages: [
      error(
        `TLS handshake with ${thing(r)}.internal:443 failed: certificate has expired (notAfter=2024-03-0${1 + r.below(8)}T00:00:00Z)`,
      ),
    ],
  }),
  (r) => {
    const name = `${thing(r).toUpperCase()}_API_KEY`;
    return {
      goals: [
        'Why does the service not start?',
        `Which setting is missing?`,
        'startup failure because of configuration',
      ],
      messages: [error(`required environment variable ${name} is not set`), error('startup aborted, exit code 78')],
    };
  },
  (r) => ({
    goals: ['Why did the payment job stop?', 'deadlock in the database', 'Which transactions blocked each other?'],
    messages: [
      error(
        `deadlock detected: transaction ${r.below(90000)} waits for transaction ${r.below(90000)} on relation ${thing(r)}s`,
      ),
      warn('transaction rolled back, job given up after 3 attempts'),
    ],
  }),
  (r) => ({
    goals: ['Why is the import incomplete?', 'Which row of the import is invalid?', 'bad row in the csv import'],
    messages: [
      error(`row ${r.below(90000)}: column "${thing(r)}_date" has value "31/02/2024", not a date`),
      warn('import stopped, 0 rows committed'),
    ],
  }),
  (r) => ({
    goals: ['Why are messages not delivered?', 'broker unreachable', 'What keeps the consumer from connecting?'],
    messages: [
      error(`dial tcp 10.0.${r.below(9)}.${r.below(250)}:5672: connection refused`),
      warn('consumer paused after 10 failed attempts'),
    ],
  }),
  (r) => ({
    goals: ['Why do users have to log in again?', 'session token rejected', 'Which signature check fails?'],
    messages: [
      error(`token for user ${r.below(9000)} rejected: signature does not match key "${id(r)}"`),
      info('signing keys were rotated 2 minutes ago'),
    ],
  }),
];

const TEST_FAILURES: readonly Maker[] = [
  (r) => ({
    goals: ['Why did the release not come up?', 'port already taken', 'What prevents the listener from binding?'],
    messages: [
      error(`listen tcp 0.0.0.0:${8000 + r.below(900)}: bind: address already in use`),
      error('shutting down: no listener'),
    ],
  }),
  (r) => {
    const name = `${thing(r)}-svc`;
    return {
      goals: ['Why do calls to the upstream time out?', 'slow upstream', 'Which upstream exceeds its deadline?'],
      messages: [
        warn(`upstream ${name} p99 ${4000 + r.below(900)} ms`),
        error(`upstream ${name}: context deadline exceeded after 5s`),
      ],
    };
  },
  (r) => ({
    goals: ['Why is the artifact rejected?', 'checksum mismatch', 'Which download is corrupt?'],
    messages: [
      error(`checksum of ${thing(r)}-${r.below(9)}.${r.below(20)}.tar.gz is ${hex(r, 16)}, expected ${hex(r, 16)}`),
    ],
  }),
  (r) => ({
    goals: [
      'Why can the migration not be applied?',
      'schema change failed',
      'What does the database say about the new column?',
    ],
    messages: [
      info(`applying migration ${r.below(90) + 10}_add_${thing(r)}`),
      crash(`column "${thing(r)}_state" of relation "${thing(r)}s" already exists`),
    ],
  }),
  (r) => ({
    goals: ['Why does the host name not resolve?', 'name lookup failure', 'Which host cannot be found?'],
    messages: [error(`lookup ${thing(r)}.prod.local on 10.96.0.10:53: no such host`)],
  }),
  (r) => ({
    goals: ['Why is writing the file forbidden?', 'permission problem', 'Which path is not writable?'],
    messages: [crash(`open /var/lib/${thing(r)}/state.db: permission denied (uid=1000)`)],
  }),
  (r) => {
    const client = id(r);
    return {
      goals: ['Why do we get too many requests?', 'rate limit hit', 'Which client is throttled?'],
      messages: [
        warn(`client ${client} sent ${600 + r.below(900)} requests in 60 s, limit 300`),
        error(`429 for client ${client}: retry after ${r.below(50) + 5} s`),
      ],
    };
  },
  (r) => ({
    goals: [
      'Why is the reply not understood?',
      'malformed JSON from the partner',
      'What is wrong with the partner response?',
    ],
    messages: [crash(`cannot decode reply of ${thing(r)} partner: unexpected token "<" at offset 0`)],
  }),
];

const FACTS: Readonly<Record<Split, readonly Maker[]>> = {
  train: [
    (r) => ({
      goals: ['Which port does the server listen on?', 'On what address are connections accepted?'],
      messages: [info(`listening on 0.0.0.0:${3000 + r.below(6000)}`)],
    }),
    (r) => ({
      goals: ['Which configuration file was loaded?', 'Where do the settings come from?'],
      messages: [info(`settings read from /etc/app/${thing(r)}.toml`)],
    }),
    (r) => ({
      goals: ['How many migrations ran?', 'To which schema version was the database brought?'],
      messages: [
        info(`schema brought from version ${r.below(40)} to ${40 + r.below(9)}, ${r.below(9) + 1} migrations applied`),
      ],
    }),
  ],
  test: [
    (r) => ({
      goals: ['Who became the leader?', 'result of the leader election'],
      messages: [info(`node-${r.below(9)} elected leader for term ${r.below(90)}`)],
    }),
    (r) => ({
      goals: ['Which feature flag was switched on?', 'What changed in the feature flags?'],
      messages: [info(`feature flag "${thing(r)}-beta" switched on for 5 % of accounts`)],
    }),
  ],
};

/** An incident of the split's own bank: training and test logs share no kind of failure. */
export function makeIncident(split: Split, random: Random): Incident {
  return random.pick(split === 'train' ? TRAIN_FAILURES : TEST_FAILURES)(random);
}

export function makeFact(split: Split, random: Random): Incident {
  return random.pick(FACTS[split])(random);
}

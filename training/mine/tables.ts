import type { MinedCase, Split } from './case.ts';
import { type Random, seededRandom } from './random.ts';

const CASES: Readonly<Record<Split, number>> = { train: 120, test: 60 };

/** Words of one split never occur in the other, so that what is learned is where a word stands, not which. */
const WORDS: Readonly<Record<Split, Readonly<Record<'things' | 'states' | 'rare' | 'people', readonly string[]>>>> = {
  train: {
    things: ['order', 'ticket', 'booking', 'invoice', 'session', 'backup'],
    states: ['open', 'shipped', 'queued', 'active', 'synced'],
    rare: ['disputed', 'escalated', 'expired', 'quarantined', 'waived'],
    people: ['amara', 'boris', 'chen', 'dalia', 'emil'],
  },
  test: {
    things: ['shipment', 'claim', 'parcel', 'contract', 'volume'],
    states: ['closed', 'pending', 'running', 'billed', 'mounted'],
    rare: ['returned', 'suspended', 'orphaned', 'recalled'],
    people: ['farid', 'greta', 'hugo', 'iris'],
  },
};

/** Rows of which a few answer a question: CSV, aligned columns, and `key=value` lines. */
export function makeTables(split: Split): MinedCase[] {
  return Array.from({ length: CASES[split] }, (_, number) => makeTable(split, number));
}

function makeTable(split: Split, number: number): MinedCase {
  const random = seededRandom(`table ${split} ${number}`);
  const words = WORDS[split];
  const [thing, rare, person] = [random.pick(words.things), random.pick(words.rare), random.pick(words.people)];
  const rows = 60 + random.below(900);
  const answers = new Set(Array.from({ length: 1 + random.below(4) }, () => random.below(rows)));
  const write = writers[number % writers.length] as Writer;
  const lines = Array.from({ length: rows }, (_, at) => {
    const state = answers.has(at) ? rare : random.pick(words.states);
    return write({ id: 1000 + at, thing, state, person: answers.has(at) ? person : random.pick(words.people), random });
  });
  const header = headers[number % writers.length] as string;
  const offset = header === '' ? 1 : 2;
  const goals = [
    `which ${thing}s were ${rare}?`,
    `${rare} ${thing}s`,
    `is any ${thing} ${rare}?`,
    `list the ${rare} ones`,
  ];
  return {
    id: `table:${split}:${number}`,
    query: random.pick(goals),
    text: `${[...(header === '' ? [] : [header]), ...lines].join('\n')}\n`,
    gold: [...answers].sort((a, b) => a - b).map((at) => at + offset),
    kind: 'logs',
    task: 'table',
    repo: `table-${number % writers.length}`,
    origin: String(number),
  };
}

interface Row {
  readonly id: number;
  readonly thing: string;
  readonly state: string;
  readonly person: string;
  readonly random: Random;
}

type Writer = (row: Row) => string;

const headers = ['id,owner,state,amount,created', 'ID     OWNER     STATE        AMOUNT', ''];
const writers: readonly Writer[] = [
  ({ id, person, state, random }) =>
    `${id},${person},${state},${random.below(90_000) / 100},2026-0${1 + random.below(9)}-1${random.below(9)}`,
  ({ id, person, state, random }) => `${id}   ${person.padEnd(8)}  ${state.padEnd(12)} ${random.below(9000)}`,
  ({ id, thing, person, state, random }) =>
    `time=12:${10 + random.below(49)}:07 ${thing}=${id} owner=${person} state=${state} took=${random.below(900)}ms`,
];

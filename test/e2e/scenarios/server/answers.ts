/** Outputs with one answer in them, generated from a seed: the same number gives the same case. */
export interface AnswerCase {
  readonly name: string;
  /** What stands in the file that is read or printed. */
  readonly text: string;
  readonly question: string;
  /** Lines that a reply must hold to answer the question. */
  readonly answer: readonly string[];
}

export type Place = 'end' | 'middle' | 'stderr';

/** A failing build of so many lines. Its error stands near the end, or in the middle. */
export function buildCase(seed: number, lines: number, place: Place): AnswerCase {
  const random = generator(seed * 31 + lines + place.length);
  const tool = pick(TOOLS, random);
  const unit = `${pick(WORDS, random)}_${pick(WORDS, random)}`;
  const at = place === 'end' ? lines - 2 - Math.floor(random() * Math.min(20, lines / 20)) : Math.floor(lines * (0.4 + random() * 0.2));
  const answer = tool.error(unit, 10 + Math.floor(random() * 900));
  const all: string[] = [];
  for (let line = 0; all.length < lines - 1; line += 1) {
    if (all.length >= at && !all.includes(answer[0] ?? '', at)) all.push(...answer);
    else all.push(tool.step(`${pick(WORDS, random)}${line}`, line, lines));
  }
  all.push(tool.last);
  return {
    name: `${tool.name}, ${lines} lines, ${place}, seed ${seed}`,
    text: `${all.join('\n')}\n`,
    question: pick(BUILD_QUESTIONS, random),
    answer,
  };
}

/** A source file of so many lines; what answers stands at a share of it. */
export function fileCase(seed: number, lines: number, share: number): AnswerCase {
  const random = generator(seed * 17 + Math.round(share * 100));
  const [verb, noun] = [pick(VERBS, random), pick(WORDS, random)];
  const value = 1000 + Math.floor(random() * 8999);
  const name = `${verb}${capital(noun)}`;
  const answer = [
    `/** How long ${noun} entries are kept before ${name} drops them, in seconds. */`,
    `const ${noun.toUpperCase()}_RETENTION_SECONDS = ${value};`,
  ];
  const all: string[] = ["import { readFileSync } from 'node:fs';", ''];
  const at = Math.floor(lines * share);
  for (let part = 0; all.length < lines; part += 1) {
    if (all.length >= at && all.length < at + 12 && !all.includes(answer[1] ?? '', at)) all.push(...answer, '');
    all.push(...filler(part, random));
  }
  return {
    name: `file of ${lines} lines, answer at ${Math.round(share * 100)} %, seed ${seed}`,
    text: `${all.slice(0, lines).join('\n')}\n`,
    question: `How long are ${noun} entries kept before ${name} drops them?`,
    answer: [answer[1] ?? ''],
  };
}

interface BuildTool {
  readonly name: string;
  readonly step: (unit: string, at: number, of: number) => string;
  readonly error: (unit: string, line: number) => readonly string[];
  readonly last: string;
}

const TOOLS: readonly BuildTool[] = [
  {
    name: 'gcc',
    step: (unit, at) => `cc -c ${unit}.c -o o/${at}.o`,
    error: (unit, line) => [`src/${unit}.c:${line}:9: error: expected ';' before 'return'`],
    last: 'make: *** [Makefile:31: all] Error 1',
  },
  {
    name: 'ninja',
    step: (unit, at, of) => `[${at}/${of}] CXX ${unit}.o`,
    error: (unit, line) => [`src/${unit}.cc:${line}:14: error: no member named 'size' in '${unit}'`],
    last: 'ninja: build stopped: subcommand failed.',
  },
  {
    name: 'tsc',
    step: (unit, at) => `compiled ${unit}.ts in ${at % 97} ms`,
    error: (unit, line) => [`src/${unit}.ts(${line},7): error TS2322: Type 'string' is not assignable to type 'number'.`],
    last: 'Found 1 error.',
  },
  {
    name: 'cargo',
    step: (unit, at) => `   Compiling ${unit} v0.${at % 50}.1`,
    error: (unit, line) => ['error[E0382]: borrow of moved value: `config`', `  --> src/${unit}.rs:${line}:22`],
    last: 'error: could not compile `app` due to previous error',
  },
  {
    name: 'pytest',
    step: (unit, at) => `test_${unit}.py::case_${at} PASSED`,
    error: (unit, line) => [`E   AssertionError: ${unit}: expected ${line}, got ${line + 1}`],
    last: '1 failed',
  },
];

const BUILD_QUESTIONS = ['Why does the build fail?', 'Which error stopped it, and in which file?', 'What went wrong?'];
const VERBS = ['purge', 'expire', 'collect', 'sweep', 'rotate'];
const WORDS = 'ledger parcel signal harbor meadow orbit pigment quarry ribbon summit tablet vessel walnut zephyr'.split(' ');

function filler(part: number, random: () => number): string[] {
  const noun = pick(WORDS, random);
  return [
    `/** Adds what ${noun} ${part} brings to the total of its group. */`,
    `export function add${capital(noun)}${part}(total: number, step: number): number {`,
    `  const weight = ${Math.floor(random() * 90) + 10};`,
    '  if (step <= 0) return total;',
    `  return total + weight * step + ${part};`,
    '}',
    '',
  ];
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function pick<Item>(items: readonly Item[], random: () => number): Item {
  return items[Math.floor(random() * items.length)] as Item;
}

/** Numbers from 0 to 1 that a seed decides (mulberry32). */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

import type { Split } from '../case.ts';
import type { Random } from '../random.ts';
import { type Incident, type Message, makeFact, makeIncident } from './incidents.ts';
import { LogText } from './log-text.ts';
import type { ToolLog } from './test-runners.ts';
import { deed, hex, pascal, thing } from './vocabulary.ts';

/** How one kind of service writes a message at a moment. */
type Style = (message: Message, moment: Moment, random: Random) => string[];

interface Moment {
  readonly date: string;
  readonly time: string;
  readonly millis: string;
}

const OWN_FRAMES = 4;
const GENERAL_GOALS = [
  'What went wrong?',
  'find the root cause of the failure',
  'Why does it fail?',
  'show the error and what led to it',
];

const STYLES: Readonly<Record<Split, Readonly<Record<string, Style>>>> = {
  train: {
    'java-service': (m, at, r) => [
      `${at.date} ${at.time},${at.millis} ${m.level.padEnd(5)} [exec-${r.below(20)}] c.acme.${thing(r)}.${pascal(thing(r))}Service - ${m.text}`,
      ...javaTrace(m, r),
    ],
    'python-worker': (m, at, r) => [
      `[${at.date} ${at.time},${at.millis}: ${m.level === 'WARN' ? 'WARNING' : m.level}/Worker-${r.below(8)}] ${m.text}`,
      ...pythonTrace(m, r),
    ],
    'json-lines': (m, at, r) => [
      JSON.stringify({
        ts: `${at.date}T${at.time}.${at.millis}Z`,
        level: m.level.toLowerCase(),
        logger: thing(r),
        msg: m.text,
        ...(m.trace ? { stack: `at ${thing(r)}.load (/srv/app/${thing(r)}.js:${r.below(400)})` } : {}),
        req: hex(r, 12),
      }),
    ],
    journal: (m, at, r) => [
      `May ${at.date.slice(8)} ${at.time} web-${r.below(4)} ${thing(r)}d[${r.below(30000)}]: ${m.level === 'INFO' ? '' : `${m.level.toLowerCase()}: `}${m.text}`,
    ],
    'ci-job': (m, at, r) => [
      `${at.date}T${at.time}.${at.millis}${r.below(9000) + 1000}Z ${m.level === 'ERROR' ? '##[error]' : m.level === 'WARN' ? '##[warning]' : ''}${m.text}`,
      ...scriptTrace(m, r),
    ],
  },
  test: {
    logfmt: (m, at, r) => [
      `ts=${at.date}T${at.time}.${at.millis}Z level=${m.level.toLowerCase()} component=${thing(r)} msg=${JSON.stringify(m.text)} trace_id=${hex(r, 16)}`,
    ],
    compose: (m, at, r) => [
      `${container(r)}-1  | ${at.time} ${m.level.padEnd(5)} ${m.text}`,
      ...scriptTrace(m, r).map((line) => `api-1  | ${line}`),
    ],
    'go-service': (m, at, r) => [
      `${at.date.replaceAll('-', '/')} ${at.time} ${thing(r)}.go:${r.below(600)}: ${m.level === 'INFO' ? '' : `${m.level} `}${m.text}`,
      ...goTrace(m, r),
    ],
  },
};

export function familiesOfServices(split: Split): string[] {
  return Object.keys(STYLES[split]);
}

/** A long log of ordinary traffic, harmless look-alikes and one or two incidents, in the style of a family. */
export function serviceLog(split: Split, family: string, random: Random): ToolLog {
  const style = STYLES[split][family];
  if (style === undefined) throw new Error(`no log family named ${family}`);
  const asksFact = random.next() < 0.15;
  const wanted = asksFact ? makeFact(split, random) : makeIncident(split, random);
  const others: Incident[] = asksFact || random.next() < 0.35 ? [makeIncident(split, random)] : [];
  const known = new Set(wanted.goals);
  const rivals = others.filter((other) => !other.goals.some((goal) => known.has(goal)));
  const general = !asksFact && rivals.length === 0 && random.next() < 0.35;
  const text = new LogText();
  const length = 60 + random.below(random.pick([120, 400, 900]));
  const places = new Map<number, { incident: Incident; serves: boolean }>();
  for (const incident of rivals) places.set(random.below(length), { incident, serves: false });
  places.set(random.below(length), { incident: wanted, serves: true });
  const templates = Array.from({ length: 6 + random.below(8) }, () => trafficTemplate(random));
  let clock = random.below(60_000_000);
  const write = (message: Message, serves: boolean): void => {
    clock += random.below(900) + 1;
    for (const [index, line] of style(message, momentOf(clock), random).entries())
      text.add(line, serves && index <= OWN_FRAMES);
  };
  for (let at = 0; at < length; at += 1) {
    write(random.pick(templates)(random), false);
    const place = places.get(at);
    if (place === undefined) continue;
    for (const message of place.incident.messages) {
      write(message, place.serves);
      for (let between = random.below(3); between > 0; between -= 1) write(random.pick(templates)(random), false);
    }
  }
  return { goal: random.pick(general ? GENERAL_GOALS : wanted.goals), lines: text.lines, gold: text.gold };
}

/** Ordinary messages, some of which carry words of failure without one. */
function trafficTemplate(random: Random): (random: Random) => Message {
  const [name, what] = [thing(random), deed(random)];
  return random.pick([
    info((r) => `GET /api/${name}/${r.below(99999)} 200 ${r.below(90)}ms`),
    info((r) => `POST /api/${name} 201 ${r.below(300)}ms ${r.below(9000)}B`),
    info((r) => `${name} ${hex(r, 8)} stored in ${r.below(50)} ms`),
    info((r) => `cache ${name}: ${r.below(1000)} hits, ${r.below(90)} misses, 0 errors`),
    info((r) => `health check ok, error_rate=0.00, uptime=${r.below(90000)}s`),
    info((r) => `job ${r.below(9999)} (${name}) finished in ${r.below(900)} ms`),
    info((r) => `scheduled ${name} sweep ${what}, next run in ${r.below(60)} s`),
    info((r) => `connection ${r.below(9999)} from 10.1.${r.below(250)}.${r.below(250)} opened`),
    info((r) => `loaded ${pascal(name)}ErrorMapper in ${r.below(20)} ms`),
    info((r) => `user ${r.below(9999)} viewed ${name} ${r.below(9999)}`),
    info((r) => `retry queue for ${name} empty, failed=0 pending=${r.below(5)}`),
    (r: Random): Message => ({
      level: 'WARN',
      text: `${name} answered in ${500 + r.below(400)} ms, slower than usual`,
    }),
  ]);
}

function info(text: (random: Random) => string): (random: Random) => Message {
  return (random) => ({ level: 'INFO', text: text(random) });
}

function momentOf(clock: number): Moment {
  const [hours, minutes, seconds] = [(clock / 3_600_000) % 24, (clock / 60_000) % 60, (clock / 1000) % 60];
  return { date: '2024-05-11', time: `${pad(hours)}:${pad(minutes)}:${pad(seconds)}`, millis: pad(clock % 1000, 3) };
}

function pad(value: number, width = 2): string {
  return String(Math.floor(value)).padStart(width, '0');
}

function container(random: Random): string {
  return random.pick(['api', 'db', 'worker', 'proxy', 'cache']);
}

function javaTrace(message: Message, random: Random): string[] {
  if (message.trace === undefined) return [];
  const own = (): string =>
    `\tat com.acme.${thing(random)}.${pascal(thing(random))}Repository.find(${pascal(thing(random))}Repository.java:${random.below(400)})`;
  const library = Array.from(
    { length: 8 + random.below(25) },
    (_, depth) =>
      `\tat org.framework.web.filter.Chain${depth % 5}.doFilter(Chain${depth % 5}.java:${random.below(300)})`,
  );
  return [
    `java.lang.IllegalStateException: ${message.text}`,
    own(),
    own(),
    own(),
    ...library,
    `\t... ${random.below(60)} more`,
  ];
}

function pythonTrace(message: Message, random: Random): string[] {
  if (message.trace === undefined) return [];
  const name = thing(random);
  return [
    'Traceback (most recent call last):',
    `  File "/srv/app/${name}/tasks.py", line ${random.below(300)}, in run_${name}`,
    `    return store.save(${name})`,
    `RuntimeError: ${message.text}`,
  ];
}

function scriptTrace(message: Message, random: Random): string[] {
  if (message.trace === undefined) return [];
  const frames = Array.from(
    { length: 3 },
    () =>
      `    at ${thing(random)}.${thing(random)} (/srv/app/src/${thing(random)}.js:${random.below(300)}:${random.below(60)})`,
  );
  return [
    `Error: ${message.text}`,
    ...frames,
    '    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)',
  ];
}

function goTrace(message: Message, random: Random): string[] {
  if (message.trace === undefined) return [];
  const frames = Array.from({ length: 4 }, () => [
    `main.(*${pascal(thing(random))}).Load(0xc000${hex(random, 6)})`,
    `\t/srv/app/${thing(random)}.go:${random.below(400)} +0x${hex(random, 3)}`,
  ]);
  return [`panic: ${message.text}`, `goroutine ${random.below(200)} [running]:`, ...frames.flat()];
}

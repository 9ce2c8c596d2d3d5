import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MinedCase, Split } from './case.ts';
import { type Random, seededRandom } from './random.ts';

/** Languages from L on are kept for independent checks. */
const LAST_LANGUAGE = 'K';
/** Of three repositories one is held back. */
const HELD_BACK = 3;
const MOST_GOLD = 80;

const GOALS = [
  'why did the build fail?',
  'Why does the build fail?',
  'what is the error in this build log',
  'which step failed and why?',
  'find the cause of the failure',
  'What went wrong?',
  'which test fails and why?',
];

/**
 * LogChunks (Brandt, Panichella, Beller): build logs whose cause people marked. `folder` holds `logs/` and
 * `build-failure-reason/`. Repositories are either taught or held back, never both.
 */
export function mineBuildLogs(folder: string): Record<Split, MinedCase[]> {
  const found: Record<Split, MinedCase[]> = { train: [], test: [] };
  const reasons = join(folder, 'build-failure-reason');
  let number = 0;
  for (const language of readdirSync(reasons).sort()) {
    if (language.startsWith('.') || language[0]!.toUpperCase() > LAST_LANGUAGE) continue;
    for (const file of readdirSync(join(reasons, language)).sort()) {
      if (!file.endsWith('.xml')) continue;
      const split: Split = number++ % HELD_BACK === 2 ? 'test' : 'train';
      const repo = `${language}/${file.slice(0, -'.xml'.length)}`;
      for (const example of examplesIn(readFileSync(join(reasons, language, file), 'utf8'))) {
        const made = toCase(folder, repo, example, split);
        if (made !== undefined) found[split].push(made);
      }
    }
  }
  for (const split of ['train', 'test'] as const) found[split].push(...inTheMiddle(found[split], split));
  return found;
}

interface Example {
  readonly log: string;
  readonly chunk: string;
}

function examplesIn(xml: string): Example[] {
  return [...xml.matchAll(/<Example>([\s\S]*?)<\/Example>/g)].map(([, body = '']) => ({
    log: unescaped(/<Log>([\s\S]*?)<\/Log>/.exec(body)?.[1] ?? ''),
    chunk: unescaped(/<Chunk>([\s\S]*?)<\/Chunk>/.exec(body)?.[1] ?? ''),
  }));
}

function toCase(folder: string, repo: string, { log, chunk }: Example, split: Split): MinedCase | undefined {
  const text = readLog(join(folder, 'logs', log));
  if (text === undefined) return undefined;
  const lines = text.split('\n');
  const gold = place(lines, chunk);
  if (gold === undefined || gold.length > MOST_GOLD || lines.length < 100) return undefined;
  const query = split === 'test' ? GOALS[0]! : seededRandom(log).pick(GOALS);
  return { id: `build:${log}`, query, text, gold, kind: 'logs', task: 'build-log', repo, origin: log };
}

function readLog(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** The 1-based lines where the marked chunk stands: its last occurrence, since a failure is repeated at the end. */
function place(lines: readonly string[], chunk: string): number[] | undefined {
  const wanted = chunk.split('\n').map(plain);
  while (wanted.length > 0 && wanted.at(-1) === '') wanted.pop();
  while (wanted.length > 0 && wanted[0] === '') wanted.shift();
  if (wanted.length === 0) return undefined;
  const bare = lines.map(plain);
  for (let first = bare.length - wanted.length; first >= 0; first -= 1) {
    // The chunk may begin and end within a line.
    const fits = wanted.every((line, at) => {
      const there = bare[first + at] ?? '';
      const inner = at > 0 && at < wanted.length - 1;
      return inner ? there === line : there.includes(line);
    });
    if (fits) return wanted.map((_, at) => first + at + 1).filter((line) => bare[line - 1] !== '');
  }
  return undefined;
}

/** A log that goes on after its failure, as those of CI with many jobs do: the quiet part of another log follows. */
function inTheMiddle(cases: readonly MinedCase[], split: Split): MinedCase[] {
  const random = seededRandom(`middle ${split}`);
  const made: MinedCase[] = [];
  for (const one of cases) {
    const other = random.pick(cases);
    if (other.repo === one.repo) continue;
    const lines = one.text.split('\n');
    const after = other.text.split('\n').slice(0, Math.max(0, Math.min(...other.gold) - 20));
    const end = Math.min(lines.length, Math.max(...one.gold) + 2 + random.below(12));
    if (after.length < 100) continue;
    const text = [...lines.slice(0, end), ...closing(random), ...after].join('\n');
    made.push({ ...one, id: `middle:${one.origin}`, text, task: 'middle-log' });
  }
  return made;
}

function closing(random: Random): string[] {
  return random.next() < 0.5 ? [] : ['', `##[section]Finishing: step ${random.below(9)}`, ''];
}

// oxlint-disable-next-line no-control-regex -- colour codes are what is taken out
const CODES = new RegExp('\\u001b?\\[[0-9;]*[A-Za-z]|[\\u0000-\\u001f]', 'g');

function plain(line: string): string {
  return line.replace(CODES, '').trim();
}

function unescaped(text: string): string {
  const names: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex, number, name) =>
    hex !== undefined
      ? String.fromCodePoint(Number.parseInt(hex, 16))
      : number !== undefined
        ? String.fromCodePoint(Number(number))
        : (names[name] ?? whole),
  );
}

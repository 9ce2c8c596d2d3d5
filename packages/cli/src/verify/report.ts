import { counted, grouped } from '../output/numbers.ts';
import type { Style } from '../output/style.ts';
import { PROMISES, type Promised } from './check.ts';
import type { Collected } from './files.ts';
import type { Failure, Tally } from './run.ts';

/** All that the report says. */
export interface Report {
  readonly seed: string;
  /** What to type to see the same again. */
  readonly command: string;
  readonly collected: Collected;
  readonly tally: Tally;
  readonly elapsedMs: number;
}

const NAMES = Object.keys(PROMISES) as Promised[];

/** For people: what was tried, a table of promises, the first failures in full. */
export function reportText({ seed, command, collected, tally, elapsedMs }: Report, style: Style): string {
  const { files, leftOut } = collected;
  const failed = NAMES.some((name) => tally.promises[name].failed > 0);
  const spared = [...leftOut].map(([reason, count]) => `${grouped(count)} ${reason}`).join(', ');
  return [
    `${counted(files.length, 'file')} of yours${spared === '' ? '' : style.dim(` (left out: ${spared})`)}`,
    `${counted(tally.cases, 'case')}, ${grouped(tally.cut)} of them with cuts: ` +
      `${counted(tally.gaps, 'gap')} in ${counted(tally.lines, 'line')}`,
    '',
    ...table(tally, style),
    '',
    ...tally.failures.slice(0, 3).map((failure) => `${failureText(failure, style)}\n`),
    failed ? style.red('Not proven. To see the same again:') : style.green('Every promise held in every case.'),
    ...(failed ? [`  ${command}`] : []),
    style.dim(`seed ${seed} · ${(elapsedMs / 1000).toFixed(1)} s`),
    '',
  ].join('\n');
}

function table({ promises }: Tally, style: Style): string[] {
  const width = Math.max(...NAMES.map((name) => PROMISES[name].length));
  const row = (name: string, checked: string, failed: string): string =>
    `${name.padEnd(width)}  ${checked.padStart(7)}  ${failed.padStart(8)}`;
  return [
    style.dim(row('promise', 'checked', 'failures')),
    ...NAMES.map((name) => {
      const { checked, failed } = promises[name];
      const text = row(PROMISES[name], grouped(checked), grouped(failed));
      return failed > 0 ? style.red(text) : checked === 0 ? style.dim(text) : text;
    }),
  ];
}

function failureText({ case: tried, violations }: Failure, style: Style): string {
  const { text, ...options } = tried.request;
  return [
    style.red(`case ${tried.number}: ${tried.file} (${tried.variant}, ${text.length} characters)`),
    ...violations.map(({ promise, detail }) => `  ${PROMISES[promise]}: ${detail}`),
    `  options: ${JSON.stringify(options)}`,
  ].join('\n');
}

/** For programs: the same, with every recorded failure. */
export function reportJson({ seed, command, collected, tally, elapsedMs }: Report): string {
  const { promises, failures, ...sums } = tally;
  return `${JSON.stringify({
    seed,
    files: collected.files.length,
    leftOut: Object.fromEntries(collected.leftOut),
    ...sums,
    promises: NAMES.map((name) => {
      const { checked, failed } = promises[name];
      return { name, says: PROMISES[name], checked, failed };
    }),
    failures: failures.map(({ case: { number, file, variant, request }, violations }) => {
      const { text: _, ...options } = request;
      return { case: number, file, variant, options, violations };
    }),
    elapsedMs: Math.round(elapsedMs),
    command,
  })}\n`;
}

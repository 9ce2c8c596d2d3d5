import type { Figures } from './measure.ts';

export interface Table {
  readonly store: string;
  readonly rows: readonly Figures[];
}

/** What must hold at 100,000 segments, and so below, in milliseconds. */
const LIMITS = { usage: 200, firstUsage: 200, firstDescribed: 200, garbage: 1000, search95: 50 } as const;

const COLUMNS: readonly [keyof Figures, string][] = [
  ['usage', 'usage'],
  ['garbage', 'garbage'],
  ['search95', 'search p95'],
  ['searchMedian', 'search median'],
  ['described', 'usage with descriptors'],
  ['afterWrite', 'usage after a write elsewhere'],
  ['firstUsage', 'first usage of a process'],
  ['firstDescribed', 'first usage with descriptors'],
  ['firstWhole', 'first usage without a digest'],
  ['start', 'start of a process'],
];

export function isHeld(figures: Figures): boolean {
  return (Object.keys(LIMITS) as (keyof typeof LIMITS)[]).every((name) => figures[name] <= LIMITS[name]);
}

export function toTerminal(tables: readonly Table[]): string {
  return tables
    .map(({ store, rows }) => `${store}\n${rows.map((row) => `  ${line(row).join('  ')}\n`).join('')}`)
    .join('');
}

export function toMarkdown(tables: readonly Table[], machine: string): string {
  const head = ['segments', ...COLUMNS.map(([, title]) => title)];
  const sections = tables.map(({ store, rows }) =>
    [
      `## ${store}`,
      '',
      `| ${head.join(' | ')} |`,
      `|${' ---: |'.repeat(head.length)}`,
      ...rows.map((row) => `| ${line(row).join(' | ')} |`),
      '',
    ].join('\n'),
  );
  return [
    '# Context library: cost as a project grows',
    '',
    'Milliseconds; medians of 11 calls, searches of 200, first calls of 5 processes.',
    `${machine}. \`npm run bench:context\` measures again.`,
    '',
    'A project of so many segments, once all in the window (usage, garbage) and once all in the stash (search). Limits at',
    `100,000: usage ${LIMITS.usage} ms, also the first of a process, with descriptors and without; garbage ${LIMITS.garbage} ms; search`,
    `${LIMITS.search95} ms (95th percentile). The first call of a process begins with the digest that an earlier one left, and reads`,
    'what was changed since: here 900 segments. The processes are cold: they have opened the store a second before, as a',
    'server with context tools does when it starts, and read nothing from it. Their start comes on top.',
    '',
    ...sections,
  ].join('\n');
}

function line(row: Figures): string[] {
  return [row.segments.toLocaleString('en'), ...COLUMNS.map(([name]) => row[name].toFixed(1))];
}

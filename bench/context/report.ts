import type { Figures } from './measure.ts';

export interface Table {
  readonly store: string;
  readonly rows: readonly Figures[];
}

/** What must hold in milliseconds, up to so many segments. */
const LIMITS = {
  usage: { most: 60, upTo: 10_000 },
  garbage: { most: 60, upTo: 10_000 },
  firstUsage: { most: 400, upTo: 10_000 },
  firstDescribed: { most: 400, upTo: 10_000 },
  search95: { most: 50, upTo: 100_000 },
} as const;

const COLUMNS: readonly [keyof Figures, string][] = [
  ['usage', 'usage'],
  ['garbage', 'garbage'],
  ['search95', 'search p95'],
  ['searchMedian', 'search median'],
  ['described', 'usage with descriptors'],
  ['afterWrite', 'usage after a write elsewhere'],
  ['firstUsage', 'first usage of a process'],
  ['firstDescribed', 'first usage with descriptors'],
  ['start', 'start of a process'],
];

export function isHeld(figures: Figures): boolean {
  const names = Object.keys(LIMITS) as (keyof typeof LIMITS)[];
  return names.every((name) => figures.segments > LIMITS[name].upTo || figures[name] <= LIMITS[name].most);
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
    `10,000, far more than a window holds: usage ${LIMITS.usage.most} ms, garbage ${LIMITS.garbage.most} ms, the first call of a process ${LIMITS.firstUsage.most} ms, with`,
    `descriptors and without. Limit at 100,000: search ${LIMITS.search95.most} ms (95th percentile). The processes are cold: they have`,
    'opened the store a second before, as a server with context tools does when it starts, and read nothing from it. Their',
    'start comes on top.',
    '',
    ...sections,
  ].join('\n');
}

function line(row: Figures): string[] {
  return [row.segments.toLocaleString('en'), ...COLUMNS.map(([name]) => row[name].toFixed(1))];
}

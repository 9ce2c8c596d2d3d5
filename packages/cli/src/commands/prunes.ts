import type { StoredSummary } from '@jeeves/engine';
import type { Command } from 'commander';
import { type Context, write } from '../context.ts';
import { parsePositive } from '../input/arguments.ts';
import { ageOf, sizeOf } from '../output/numbers.ts';
import { oneLine } from '../output/rows.ts';
import { styleFor } from '../output/style.ts';
import { openForRecovery } from '../store.ts';

interface PrunesFlags {
  readonly limit?: number;
  readonly json?: boolean;
}

const RECENT = 20;

const EXAMPLE = `
Example:
  jeeves prunes -n 5

Agents and this program keep their texts in one place, so both are listed.`;

/** `jeeves prunes`: which texts can be recovered, the newest first. */
export function addPrunes(program: Command, context: Context): void {
  program
    .command('prunes')
    .summary('list the texts that can be recovered')
    .description('Lists the texts that can be recovered, the newest first, with their size, age and goal.')
    .option('-n, --limit <count>', `list at most so many (default: ${RECENT})`, parsePositive)
    .option('--json', 'write one JSON object per text')
    .addHelpText('after', EXAMPLE)
    .action(async (flags: PrunesFlags) => runPrunes(flags, context));
}

async function runPrunes({ limit = RECENT, json = false }: PrunesFlags, context: Context): Promise<void> {
  const store = await openForRecovery(context);
  let recent: readonly StoredSummary[];
  try {
    recent = await store.recent({ limit });
  } finally {
    await store.close();
  }
  if (json) await writeJson(recent, context);
  else if (recent.length === 0) await write(context.stderr, 'nothing is kept: texts wait for a day after they were pruned\n');
  else await write(context.stdout, table(recent, context));
}

function table(recent: readonly StoredSummary[], context: Context): string {
  const { bold, dim } = styleFor(context.stdout, context.config);
  const rows = recent.map(({ pruneId, bytes, createdAt, goal = '' }) => ({
    id: pruneId,
    size: sizeOf(bytes),
    age: ageOf(context.now() - createdAt),
    goal,
  }));
  const width = (column: 'id' | 'size' | 'age'): number =>
    Math.max(column.length, ...rows.map((row) => row[column].length));
  const [id, size, age] = [width('id'), width('size'), width('age')];
  // A goal takes what is left of the line, and something where nothing is.
  const room = Math.max(20, (context.stdout.columns ?? 120) - id - size - age - 6);
  const line = (row: { id: string; size: string; age: string; goal: string }): string =>
    `${row.id.padEnd(id)}  ${row.size.padStart(size)}  ${dim(row.age.padStart(age))}  ${oneLine(row.goal, room)}`.trimEnd();
  const heading = bold(`${'id'.padEnd(id)}  ${'size'.padStart(size)}  ${'age'.padStart(age)}  goal`);
  return `${[heading, ...rows.map(line)].join('\n')}\n`;
}

async function writeJson(recent: readonly StoredSummary[], context: Context): Promise<void> {
  const { toPruneSummary } = await import('@jeeves/protocol');
  for (const summary of recent) await write(context.stdout, `${JSON.stringify(toPruneSummary(summary))}\n`);
}

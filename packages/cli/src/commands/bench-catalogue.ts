import { createEmbeddedBackend } from '@jeeves/engine';
import type { Command } from 'commander';
import { type CatalogueRanked, rankCatalogue } from '../bench/catalogue.ts';
import { tellRows } from '../bench/tell.ts';
import { type Context, write } from '../context.ts';
import { counted } from '../output/numbers.ts';

interface CatalogueFlags {
  readonly tools: string;
  readonly queries: string;
  readonly out: string;
  readonly json?: boolean;
}

const EXAMPLE = `
Example:
  jeeves bench catalogue --tools tools.json --queries queries.jsonl --out ranks.jsonl

The tools:           [{"server": "github", "name": "create_issue", "description": "…", "inputSchema": {…}}, …]
A row of queries:    {"id": "1", "query": "report a bug"}
A row of the ranks:  {"id": "1", "names": ["create_issue", …]}   all tools, the best first
A row of queries may hold "expect", a list of names; recall in the first five and the mean reciprocal
rank are printed then.`;

/** `jeeves bench catalogue`: anyone can bring a catalogue. */
export function addBenchCatalogue(bench: Command, context: Context): void {
  bench
    .command('catalogue')
    .summary('rank the tools of a catalogue for goals in a JSONL file')
    .description('Ranks the tools of a catalogue for each goal in a file, as the gateway does for an agent.')
    .requiredOption('--tools <file>', 'the tools, a JSON list')
    .requiredOption('--queries <file>', 'the goals, one JSON object per line')
    .requiredOption('--out <file>', 'where the ranks go')
    .option('--json', 'print what was measured as one JSON object')
    .addHelpText('after', EXAMPLE)
    .action(async (flags: CatalogueFlags) => runCatalogue(flags, context));
}

async function runCatalogue(flags: CatalogueFlags, context: Context): Promise<void> {
  const { createRanker } = await import('@jeeves/gateway/rank');
  const told = {
    casesFile: flags.queries,
    outFile: flags.out,
    verb: 'ranked',
    what: ({ rows, tools }: CatalogueRanked) => `${counted(rows, 'row')} over ${counted(tools, 'tool')}`,
  };
  const ranked = await tellRows(context, told, async (tell) =>
    rankCatalogue({
      toolsFile: flags.tools,
      queriesFile: flags.queries,
      outFile: flags.out,
      ranker: createRanker(createEmbeddedBackend()),
      ...tell,
    }),
  );
  await write(context.stdout, flags.json === true ? `${JSON.stringify(ranked)}\n` : table(ranked));
}

function table({ expecting, recallAt5, meanReciprocalRank }: CatalogueRanked): string {
  if (recallAt5 === undefined || meanReciprocalRank === undefined) return '';
  const head = ['rows', 'recall@5', 'MRR'];
  const row = [String(expecting), recallAt5.toFixed(3), meanReciprocalRank.toFixed(3)];
  return [head, row].map((cells) => `${cells.map((cell) => cell.padStart(10)).join('')}\n`).join('');
}

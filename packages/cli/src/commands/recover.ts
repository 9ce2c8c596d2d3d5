import {
  createEmbeddedBackend,
  EngineError,
  type LineRange,
  type Recovered,
  type RecoverRequest,
  recover,
  split,
} from '@jeeves/engine';
import { type ListingStore } from '@jeeves/store';
import type { Command } from 'commander';
import { type Context, write } from '../context.ts';
import { UsageError } from '../failure.ts';
import { parseGoal, parseRanges } from '../input/arguments.ts';
import { oneLine } from '../output/rows.ts';
import { plainOn } from '../output/terminal.ts';
import { openForRecovery } from '../store.ts';

interface RecoverFlags {
  readonly lines?: readonly LineRange[];
  readonly query?: string;
  readonly all?: boolean;
  readonly last?: boolean;
  readonly lineNumbers?: boolean;
  readonly json?: boolean;
}

const EXAMPLE = `
Example:
  jeeves recover prn_kd896ey755… --lines 120-154 > cut.txt
  jeeves recover --last --query "which test failed"

The prune id stands in the closing line of a pruned text, the ranges in its gap markers.
The first 6 characters of an id or more will do; jeeves prunes lists what there is.`;

/** `jeeves recover`: raw bytes to stdout, so that they can be compared or piped on. */
export function addRecover(program: Command, context: Context): void {
  program
    .command('recover')
    .summary('give back lines of a pruned text, byte for byte')
    .description('Gives back lines of a text that was pruned, byte for byte.')
    .argument('[id]', 'the prune id, or how it begins')
    .option('--last', 'the text that was pruned last, whole unless you say which part')
    .option('--lines <ranges>', 'these lines of the original: 10-40, or several: 10-40,50-60', parseRanges)
    .option('--query <text>', 'the passages that serve this goal best', parseGoal)
    .option('--all', 'the whole original text')
    .option('--line-numbers', 'put its number before each line')
    .option('--json', 'write what the tool recover_text answers, as JSON')
    .addHelpText('after', EXAMPLE)
    .action(async (id: string | undefined, flags: RecoverFlags) => runRecover(id, flags, context));
}

async function runRecover(id: string | undefined, flags: RecoverFlags, context: Context): Promise<void> {
  if ((id === undefined) !== (flags.last === true)) {
    throw new UsageError(
      'say which text: its prune id, or --last for the one that was pruned last (jeeves prunes lists them)',
    );
  }
  const chosen = [flags.lines, flags.query, flags.all].filter((flag) => flag !== undefined);
  if (chosen.length > 1 || (chosen.length === 0 && flags.last !== true)) {
    const problem = chosen.length === 0 ? 'say what to give back' : 'these exclude each other';
    throw new UsageError(`${problem}: one of --lines 10-40, --query "…" or --all`);
  }
  const store = await openForRecovery(context);
  let recovered: Recovered;
  try {
    const pruneId = id === undefined ? await lastId(store) : await wholeId(id, store);
    recovered = await recoverFrom(pruneId, flags, store);
  } finally {
    await store.close();
  }
  const { stdout } = context;
  await write(stdout, flags.json === true ? await toJson(recovered) : plainOn(stdout, recovered.text));
}

async function recoverFrom(pruneId: string, flags: RecoverFlags, store: ListingStore): Promise<Recovered> {
  try {
    return await recover(await toRequest(pruneId, flags, store), { store, backend: createEmbeddedBackend() });
  } catch (error) {
    throw error instanceof EngineError ? new UsageError(advice(error, pruneId)) : error;
  }
}

async function toRequest(pruneId: string, flags: RecoverFlags, store: ListingStore): Promise<RecoverRequest> {
  const asked = { pruneId, lineNumbers: flags.lineNumbers ?? false };
  if (flags.query !== undefined) return { ...asked, goal: flags.query };
  return { ...asked, ranges: flags.lines ?? (await wholeRange(pruneId, store)) };
}

async function lastId(store: ListingStore): Promise<string> {
  const [last] = await store.recent({ limit: 1 });
  if (last !== undefined) return last.pruneId;
  throw new UsageError('--last: nothing is kept yet, or its day is over; prune a text first');
}

/** A shorter beginning is easily another text's as well. */
const SHORTEST_PREFIX = 6;
const NAMED = 10;

/** The id that begins like this. One that is whole is taken as it is, and so is one that nothing is known of. */
async function wholeId(begin: string, store: ListingStore): Promise<string> {
  if (begin.length < SHORTEST_PREFIX) {
    throw new UsageError(`id ${JSON.stringify(begin)}: give at least ${SHORTEST_PREFIX} characters of it`);
  }
  const found = await store.recent({ limit: NAMED + 1, prefix: begin });
  if (found.length <= 1 || found.some(({ pruneId }) => pruneId === begin))
    return found.length === 1 ? (found[0]?.pruneId ?? begin) : begin;
  const named = found
    .slice(0, NAMED)
    .map(({ pruneId, goal }) => `\n  ${pruneId}${goal === undefined ? '' : `  ${oneLine(goal)}`}`);
  const more = found.length > NAMED ? '\n  …' : '';
  throw new UsageError(`id ${JSON.stringify(begin)} begins several; which one is it?${named.join('')}${more}`);
}

/** A text that is a window of a file does not start at line 1, and an empty one has no line at all. */
async function wholeRange(pruneId: string, store: ListingStore): Promise<readonly LineRange[]> {
  const entry = await store.get(pruneId).catch(() => undefined);
  // An unknown id is `recover`'s to report; the range only has to be well formed.
  if (entry === undefined) return [{ startLine: 1, endLine: 1 }];
  const count = split(entry.text).length;
  return count === 0 ? [] : [{ startLine: entry.firstLine, endLine: entry.firstLine + count - 1 }];
}

/** What went wrong, in the words of the command line rather than of the wire. */
function advice(error: EngineError, pruneId: string): string {
  const { maxLine, startLine, endLine } = error.data;
  if (error.code === 'prune_id_not_found') {
    return (
      `id ${JSON.stringify(pruneId.slice(0, 80))}: no text is kept under it. Texts are kept for a day and the oldest ` +
      'make room; check the id, check that JEEVES_STORE is the one it was pruned with, or prune the text again'
    );
  }
  if (error.code === 'invalid_range') {
    const range = startLine === endLine ? String(startLine) : `${String(startLine)}-${String(endLine)}`;
    return Number(startLine) > Number(maxLine)
      ? `--lines ${range}: the text ends at line ${String(maxLine)}; ask for lines up to there, or use --all`
      : `--lines ${range}: ${error.message}; use --all to see what there is`;
  }
  return error.message;
}

async function toJson(recovered: Recovered): Promise<string> {
  const { toRecoverTextResult } = await import('@jeeves/protocol');
  return `${JSON.stringify(toRecoverTextResult(recovered))}\n`;
}

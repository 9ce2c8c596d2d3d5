import type { CatalogueResult, Quality } from './measure.ts';
import type { Replies } from './replies.ts';

type Table = readonly (readonly string[])[];

/** What agents get for one set of goals. */
export interface RepliesOf {
  readonly name: string;
  readonly replies: Replies;
}

/** Aligned columns for a terminal. */
export function toTerminal(result: CatalogueResult, sets: readonly RepliesOf[]): string {
  const parts = result.sets.map(({ name, rankers }) => `${name}\n${aligned(qualityTable(rankers))}`);
  return `${[...parts, aligned(repliesTable(sets)), repliesText(sets), speed(result)].join('\n\n')}\n`;
}

/** The page kept beside the code: no date and no machine. */
export function toMarkdown(
  result: CatalogueResult,
  replies: readonly RepliesOf[],
  servers: readonly { readonly npm: string; readonly tools: number }[],
): string {
  const goals = result.sets.at(-1)?.rankers[0]?.goals ?? 0;
  const intro = [
    '# Finding tools in a catalogue',
    '',
    `Written by \`npm run bench:catalogue\`: ${goals} labelled goals over ${result.tools} tools of ${servers.length} public servers.`,
    'The servers are installed and asked for their tools by the bench; their definitions are not kept here. Goals and labels',
    'are ours: they were written as tasks, from the list of tools, before they were ranked; three labels of the tuned half',
    'were widened later. Every second goal is held out: weights and word lists were chosen on the others and on further',
    'goals that are not kept here, some of them over tools that we made up; of the held-out half only the totals below were',
    'seen, between rounds of work.',
    'A goal that several servers serve expects all of them. Recall is the share of expected tools among the first; MRR is the',
    'mean of 1 / place of the first expected tool. BM25 drops stop words and usual endings, and sees server, name, description',
    'and parameter names. Goals in an agent’s words say what a tool must do, as `query` asks for it; they were written for every',
    'third goal with its expected tool in view, so they are easier than what agents will write. How many definitions an answer',
    'holds and when it is called weak were chosen with the totals of all sets in view: those figures are not held out. "The backend alone" is the engine’s embedded backend over the same texts.',
  ].join('\n');
  const sets = result.sets.map(
    ({ name, rankers }) => `## Goals ${name === 'all' ? 'of both halves' : name}\n\n${piped(qualityTable(rankers))}`,
  );
  const list = piped([['server', 'tools'], ...servers.map(({ npm, tools }) => [npm, String(tools)])]);
  return `${[intro, ...sets, '## What an agent gets', piped(repliesTable(replies)), repliesText(replies), speed(result), '## Servers', list].join('\n\n')}\n`;
}

function qualityTable(rankers: readonly Quality[]): Table {
  return [
    ['ranker', 'goals', 'R@1', 'R@3', 'R@5', 'MRR'],
    ...rankers.map(({ ranker, goals, recallAt1, recallAt3, recallAt5, mrr }) => [
      ranker,
      String(goals),
      ...[recallAt1, recallAt3, recallAt5, mrr].map((value) => value.toFixed(3).replace(/^0/, '')),
    ]),
  ];
}

function repliesTable(sets: readonly RepliesOf[]): Table {
  return [
    ['goals', 'whole', 'named', 'definitions', 'mean tokens', 'largest', 'flagged weak'],
    ...sets.map(({ name, replies }) => [
      name,
      percent(replies.whole),
      percent(replies.named),
      replies.definitions.toFixed(1),
      String(Math.round(replies.meanTokens)),
      String(replies.largestTokens),
      percent(replies.weakServed),
    ]),
  ];
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

function repliesText(sets: readonly RepliesOf[]): string {
  const [first] = sets;
  const { allTokens = 0, weakUnserved = 0 } = first?.replies ?? {};
  return (
    `"Whole" is the share of goals whose right tool comes with its definition, "named" of those where it is at least named. All definitions together cost ${allTokens} tokens (estimated, as all here). ` +
    `Of goals that none of these servers serves, ${(100 * weakUnserved).toFixed(0)} % are flagged weak or answered with nothing.`
  );
}

function speed({ speed: { tools, prepareMs, p50, p95 } }: CatalogueResult): string {
  return (
    `${tools} tools are ranked in ${p50.toFixed(2)} ms (p50; p95 ${p95.toFixed(2)} ms); a new catalogue is prepared once, ` +
    `in ${Math.round(prepareMs)} ms.`
  );
}

function aligned(table: Table): string {
  const widths = (table[0] ?? []).map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  return table
    .map((row) =>
      row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  '),
    )
    .join('\n');
}

function piped([head = [], ...rows]: Table): string {
  const rule = head.map((_, column) => (column === 0 ? '---' : '--:'));
  return [head, rule, ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

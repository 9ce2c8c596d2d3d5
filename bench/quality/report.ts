import { GAP_TOKENS } from './fill.ts';
import {
  answered,
  defaultsTable,
  foreignTable,
  lengthTable,
  type Measured,
  reliabilityTable,
  suiteTable,
  type Table,
} from './tables.ts';

const NOTES = `Recall is the share of a case's gold lines that are kept, blank ones not counted, averaged over cases. Tokens are those of the
o200k vocabulary, our markers included; a gap of a baseline counts ${GAP_TOKENS} tokens, about what a marker takes. Columns are budgets: so
many tokens for logs, a share of the text's tokens for code and docs. Under "defaults" nothing is asked for, and baselines
get as many tokens as we took. A budget that is broken is a fault, and its recall bought with tokens that others did not have.

The lead is over whichever baseline is best in that column, with the 95 % interval of a paired bootstrap; one whose interval
holds 0 is noise. \`tail\`, \`head\` and \`grep\` stop at the first piece that does not fit; BM25 goes on with what still does.
Gaps per 1,000 lines are counted over all lines of a suite. "Source told" says how often the text alone tells what it is;
everything else is measured with the source given, as the tools do that know a file's name or that a command failed.

How far to trust it: mined suites come from repositories that nothing was fitted on, but which were looked at while choosing
features and prices; questions reuse the texts and gold lines of commits and docs; mined logs are partly synthetic. The
corpus was in view throughout.`;

/** The page: the same figures on a terminal and beside the code, no date and no machine. */
export function toMarkdown(suites: readonly Measured[]): string {
  const withGold = suites.filter(({ results }) => answered(results).length > 0);
  const parts = withGold.map(
    (suite) => `## ${suite.name}: ${answered(suite.results).length} cases\n\n${piped(suiteTable(suite))}`,
  );
  return `${[
    '# Quality\n\nWritten by `npm run bench:quality`: what is kept of a text within a budget, beside what a user could do instead.',
    NOTES,
    piped(defaultsTable(suites)),
    piped(foreignTable(suites)),
    ...parts,
    ...reliability(withGold.flatMap(({ results }) => answered(results))),
  ].join('\n\n')}\n`;
}

function reliability(all: readonly Measured['results'][number][]): string[] {
  const cases = [...new Set(all)];
  const sources = [...new Set(cases.map(({ source }) => source))];
  return [
    '## Are scores probabilities?\n\nOver cases with gold lines, blank lines left out. Bins grow about threefold, since nearly all lines are near 0.',
    ...sources.map((source) =>
      piped(
        reliabilityTable(
          source,
          cases.filter((one) => one.source === source),
        ),
      ),
    ),
    piped(lengthTable(cases)),
  ];
}

/** Padded, so that it reads as well where nothing renders it. */
function piped([head = [], ...rows]: Table): string {
  if (rows.length === 0) return '';
  const widths = head.map((_, at) => Math.max(3, ...[head, ...rows].map((row) => row[at]?.length ?? 0)));
  const pad = (cell: string, at: number): string =>
    at === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[at] ?? 0);
  const rule = widths.map((width, at) => (at === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  return [head.map(pad), rule, ...rows.map((row) => row.map(pad))].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

import type { JeevesEvent, Ledger, LedgerFigure, ProviderEvent, ResultFacts, ToolResultEvent } from '@jeeves/protocol';
import type { RunNews } from '@jeeves/runner';
import type { Context } from '../context.ts';
import { grouped } from '../output/numbers.ts';
import { type Style, styleFor } from '../output/style.ts';

const MAX_SHOWN = 100;
/** What a user must hear of even when nobody watches. */
const WARNINGS = new Set(['mcp_pruner.config_invalid', 'mcp_pruner.start_failed', 'mcp_pruner.degraded']);

/** Reads what became of an output; handed in, because the contract is loaded by the commands that need it only. */
type ReadFacts = (structured: unknown) => ResultFacts | undefined;

/** Tells on stderr what happens: everything on a terminal, elsewhere what went wrong. */
export function showNews(context: Context, factsOf: ReadFacts): (news: RunNews) => void {
  const style = styleFor(context.stderr, context.config);
  const live = context.stderr.isTTY === true;
  return (news) => {
    const line = news.from === 'agent' ? ofAgent(news.event, style, factsOf) : ofRunner(news.event, style);
    if (line === undefined || !(live || (news.from === 'runner' && WARNINGS.has(news.event.event)))) return;
    void context.stderr.write(`${line}\n`, () => undefined);
  };
}

function ofAgent(event: ProviderEvent, style: Style, factsOf: ReadFacts): string | undefined {
  const { cyan, dim, red } = style;
  if (event.type === 'tool_use') return `${cyan('→')} ${event.name} ${dim(short(JSON.stringify(event.input)))}`;
  if (event.type === 'assistant') return short(event.content);
  if (event.type === 'tool_result') {
    const size = dim(`  ${sizeOf(event, factsOf(event.structured))}`);
    return event.isError === true ? `  ${red('failed')} ${dim(short(event.content))}` : size;
  }
  if (event.type === 'system' && event.subtype === 'error') return red(short(event.content));
  return undefined;
}

function sizeOf({ content }: ToolResultEvent, facts: ResultFacts | undefined): string {
  if (facts?.applied !== true) return `${grouped(content.length)} characters`;
  return `pruned ${grouped(facts.rawBytes)} → ${grouped(facts.prunedBytes ?? 0)} bytes`;
}

function ofRunner({ event, data }: JeevesEvent, { yellow, dim }: Style): string {
  const text = `${event} ${JSON.stringify(data)}`;
  return WARNINGS.has(event) ? `${yellow('warning:')} ${text}` : dim(text);
}

function short(text: string): string {
  // Nothing an agent or a command says may move the cursor, clear the screen or change colours.
  const line = text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
  return line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN)}…` : line;
}

/** The ledger as lines: what was removed, what that cost in turn, what is left. */
export function ledgerText(ledger: Ledger): string {
  const { spent, removed, net, calls, simulated } = ledger;
  const name = simulated === true ? 'ledger (simulated)' : 'ledger';
  if (calls.pruner === 0) {
    const { tokens, count } = spent.schemas;
    const cost =
      count === 0 ? '' : `; its tool definitions cost ${grouped(tokens)} tokens in every request (estimated)`;
    return `${name}: the agent did not use the pruner${cost}\n`;
  }
  const rows: readonly (readonly [label: string, figure: LedgerFigure, sign: 1 | -1])[] = [
    ['gross removed', removed, 1],
    ['shown beyond own', spent.overshown, -1],
    ['recovered', spent.recovered, -1],
    ['read again', spent.reread, -1],
    ['markers', spent.markers, -1],
    ['tool definitions', spent.schemas, -1],
    ['questions', spent.questions, -1],
    ['extra requests', spent.extra_requests, -1],
  ];
  const lines = rows.filter(([, { count }]) => count > 0).map(([label, figure, sign]) => cells(label, figure, sign));
  const head = `${name.padEnd(18)}${'tokens'.padStart(12)}${'over all requests'.padStart(20)}${'USD'.padStart(12)}`;
  return `${[head, ...lines, cells('net', net, 1), ...notes(ledger)].join('\n')}\n`;
}

const CLIENTS: Readonly<Record<Ledger['reader'], string>> = {
  claude: 'Claude Code',
  codex: 'Codex',
  limitless: 'the agent',
};

/** What a reader of the table must know: whose tools it is compared with, and that no model was asked. */
function notes({ per_call, reader, simulated }: Ledger): readonly string[] {
  const losses = per_call.filter(({ saved_tokens }) => saved_tokens < 0).length;
  const lost = losses === 0 ? '' : `; ${losses} of ${per_call.length} calls showed more than that, which is a loss`;
  const compared = `compared with what ${CLIENTS[reader]}’s own tools would have shown${lost}`;
  return simulated === true
    ? [compared, 'simulated: no model was asked, the fake provider computes its tokens']
    : [compared];
}

function cells(label: string, figure: Omit<LedgerFigure, 'count'>, sign: 1 | -1): string {
  const amount = (value: number): string => grouped(sign * value || 0);
  return [
    label.padEnd(18),
    amount(figure.tokens).padStart(12),
    amount(figure.processed_tokens).padStart(20),
    (sign * figure.cost_usd || 0).toFixed(4).padStart(12),
    `  ${figure.basis}`,
  ].join('');
}

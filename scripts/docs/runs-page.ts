import { sdkOutputSchema } from '@jeeves/protocol';

/** How pages are put together. */
interface PageTools {
  readonly page: (title: string, ...blocks: readonly string[]) => string;
  readonly shapes: (names: readonly string[]) => string;
  readonly json: (value: unknown) => string;
}

/** What a run leaves behind. */
export function runsPage({ page, shapes, json }: PageTools): string {
  return page(
    'Records of runs',
    'A run leaves a directory that only its owner can read: `run.json`, `sdk-output.json`, `events.jsonl`, `last-run.log` and `tool-raw/`. Readers skip fields they do not know.',
    '## `run.json`',
    shapes(['RunFile', 'RunStatus', 'RunState', 'PhaseEntry']),
    '### The ledger',
    shapes(['Ledger', 'LedgerFigure', 'LedgerTotal', 'LedgerPrices', 'Basis']),
    '## `sdk-output.json`',
    'Rewritten as a whole while the run goes on, never half.',
    shapes(['SdkOutput', 'SdkMessage', 'SdkToolCall', 'ResponseCompression', 'ResponseRetrieval', 'SdkStats']),
    'As JSON Schema:',
    json(sdkOutputSchema()),
    '## `events.jsonl`',
    'One line per event, each a `LogLine` with a `source` beside it: `runner` and `server` for those of [the list](events.md), `agent` for what a provider reported, as `agent.<type>` with the event in `data`.',
    shapes(['ProviderEvent', 'SystemEvent', 'TextEvent', 'ToolUseEvent', 'ToolResultEvent', 'UsageEvent']),
    '## `last-run.log`',
    'For people: `<time> [TAG] text`, with the tags RUNNER, MCP, USER, ASSISTANT, RESULT, SYSTEM, TOOL, TOOL_RESULT, USAGE and ERROR. Further lines of a text are indented.',
    '## `tool-raw/`',
    'The whole output of every tool call, in pieces of at most 64,000 characters; `response_retrieval` names them.',
  );
}

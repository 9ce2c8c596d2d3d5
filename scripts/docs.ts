// Writes docs/reference from packages/protocol, so that no page can disagree with the code.
// With --check it writes nothing and names the pages that are out of date.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  CONTEXT_ERRORS,
  ENV_VARIABLES,
  type EnvVariable,
  EVENTS,
  HTTP_ERRORS,
  invalidParams,
  type JsonSchema,
  PRUNE_WARNINGS,
  READ,
  REPLACED_ENV_NAMES,
  RPC_ERRORS,
  SEGMENT_PROBLEMS,
  TOOL_ALIASES,
  TOOL_ERRORS,
  TOOL_SETS,
  type ToolDefinition,
  toolInputSchema,
  toolReferenceSchema,
} from '@jeeves/protocol';
import { runsPage } from './docs/runs-page.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'docs', 'reference');
const source = join(root, 'packages', 'protocol', 'src');
const code = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .sort()
  .map((file) => readFileSync(join(source, file), 'utf8'))
  .join('\n');

// The types of what each tool answers.
const ANSWERS: Readonly<Record<string, readonly string[]>> = {
  read: ['ReadResult', 'ReadError'],
  bash: ['BashResult', 'BashError'],
  grep: ['GrepResult', 'GrepMatch', 'GrepError'],
  prune_text: ['PruneTextResult', 'PruneAnnotation', 'PruneStats'],
  recover_text: ['RecoverTextResult'],
  health: ['HealthResult', 'HealthMetrics'],
  context_analyze_usage: [
    'AnalyzeUsageResult',
    'UsageMetrics',
    'UsageRecommendation',
    'SuggestedAction',
    'ClearingCost',
  ],
  context_get_working_set: ['WorkingSetResult'],
  context_gc_analyze: ['GcAnalyzeResult', 'PruningCandidate', 'PruningRecommendation', 'PruningPlan'],
  context_gc_prune: ['GcPruneResult'],
  context_gc_pin: ['PinResult'],
  context_gc_unpin: ['UnpinResult'],
  context_stash: ['StashResult'],
  context_search_stashed: ['SearchStashedResult', 'FoundSegment'],
  context_retrieve_stashed: ['RetrieveStashedResult'],
  context_list_projects: ['ListProjectsResult'],
  context_set_current_task: ['SetCurrentTaskResult'],
  context_get_task_context: ['TaskContextResult', 'SnapshotInfo'],
  context_create_task_snapshot: ['TaskSnapshotResult'],
  automatic_mcp: ['AutomaticMcpResult', 'ChangedTool', 'UnavailableServer'],
  automatic_eval: ['AutomaticEvalError'],
};

main(process.argv.includes('--check'));

function main(check: boolean): void {
  const pages = {
    'tools.md': toolsPage(),
    'events.md': eventsPage(),
    'errors.md': errorsPage(),
    'environment.md': environmentPage(),
    'rpc.md': rpcPage(),
    'runs.md': runsPage({ page, shapes, json }),
  };
  const stale = Object.entries(pages).filter(([name, text]) => current(name) !== text);
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of stale) {
    if (!check) writeFileSync(join(folder, name), text);
    process.stdout.write(`${check ? 'out of date' : 'written'}: docs/reference/${name}\n`);
  }
  if (check && stale.length > 0) {
    process.stdout.write('Run `npm run docs` to write them anew.\n');
    process.exitCode = 1;
  }
}

function current(name: string): string | undefined {
  try {
    return readFileSync(join(folder, name), 'utf8');
  } catch {
    return undefined;
  }
}

function toolsPage(): string {
  return page(
    'Tools',
    'Tools come in sets, chosen with `--tools` or `MCP_PRUNER_TOOLS`. Without a choice, `mcp-pruner` offers `read`, `bash`, `grep` and `recover_text` over stdio; `recover_text` accompanies every set that prunes. Unknown arguments are refused. Lines are counted from 1.',
    ...Object.entries(TOOL_SETS).flatMap(([set, tools]) => [`## Set \`${set}\``].concat(tools.map(toolSection))),
    '## `recover_text` and `prune_text` over `/rpc`',
    'There both have the schemas of seed 002 §4.0 word for word: every argument is required, and `recover_text` takes `ranges` only.',
    '## Other names',
    'Calls may also use these names; lists never show them.',
    table(
      ['Name', 'Tool'],
      Object.entries(TOOL_ALIASES).map(([alias, name]) => [mono(alias), mono(name)]),
    ),
    '## Shared shapes',
    shapes(['PruningMetadata', 'PruningReason', 'PruningErrorCode', 'LineRange']),
    shapes(['ContextDescriptors', 'DescribedMessage', 'DescribedFile', 'DescribedUsage']),
    shapes(['DescribedSegment', 'DescribedTask', 'SegmentType', 'SegmentFilters', 'InlineSegment']),
    shapes(['SegmentInfo', 'Segment', 'ContextAnswer', 'NextStep', 'SegmentProblem', 'ContextError']),
  );
}

function toolSection(tool: ToolDefinition): string {
  const hints = Object.entries(tool.annotations).filter(([, on]) => on);
  const rows = argumentRows(toolInputSchema(tool), toolReferenceSchema(tool), '');
  return [
    `### \`${tool.name}\``,
    tool.description,
    `Hints: ${hints.map(([hint]) => mono(hint)).join(', ')}.`,
    rows.length === 0 ? 'No arguments.' : table(['Argument', 'Type', 'Required', 'Default', 'Limits', 'Meaning'], rows),
    json({ method: 'tools/call', params: { name: tool.name, arguments: exampleOf(tool) } }),
    shapes(ANSWERS[tool.name] ?? []),
  ].join('\n\n');
}

function exampleOf(tool: ToolDefinition): unknown {
  return (tool.input.meta()?.['examples'] as readonly unknown[] | undefined)?.[0] ?? {};
}

/** Goes through what agents are shown, and takes limits and meanings from the full schema beside it. */
function argumentRows(shown: JsonSchema, full: JsonSchema, prefix: string): string[][] {
  const required = (full['required'] ?? []) as readonly string[];
  return Object.entries(children(shown)).flatMap(([name, field]) => {
    const known = children(full)[name] ?? {};
    const path = `${prefix}${name}`;
    const standard = known['default'] === undefined ? '' : mono(JSON.stringify(known['default']));
    const meaning = (known['doc'] ?? known['description'] ?? '') as string;
    const row = [mono(path), typeName(field), yesNo(required.includes(name)), standard, limits(known), meaning];
    const items = field['items'] as JsonSchema | undefined;
    const inner =
      items === undefined
        ? argumentRows(field, known, `${path}.`)
        : argumentRows(items, known['items'] as JsonSchema, `${path}[].`);
    return [row].concat(inner);
  });
}

function children(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return (schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>;
}

function typeName(schema: JsonSchema): string {
  if (schema['const'] !== undefined) return mono(JSON.stringify(schema['const']));
  if (Array.isArray(schema['enum'])) return schema['enum'].map((value) => mono(JSON.stringify(value))).join(', ');
  if (schema['type'] === 'array') return `list of ${typeName(schema['items'] as JsonSchema)}`;
  return [schema['type']].flat().join(' or ');
}

function limits(schema: JsonSchema): string {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema as Readonly<Record<string, number>>;
  const length = minLength === 1 && maxLength === undefined ? 'not empty' : span(minLength, maxLength, ' characters');
  return [span(minimum, maximum), length, span(minItems, maxItems, ' items')]
    .filter((bound) => bound !== '')
    .join(', ');
}

function span(min: number | undefined, max: number | undefined, unit = ''): string {
  const top = max === undefined || max >= Number.MAX_SAFE_INTEGER ? '' : max.toLocaleString('en');
  const bottom = min === undefined || min <= Number.MIN_SAFE_INTEGER ? '' : min.toLocaleString('en');
  if (bottom !== '' && top !== '') return `${bottom}–${top}${unit}`;
  if (bottom !== '') return `≥ ${bottom}${unit}`;
  return top === '' ? '' : `≤ ${top}${unit}`;
}

function eventsPage(): string {
  const data = eventData();
  return page(
    'Events',
    'Every program reports what it does as JSON, one line per event: stdio programs on stderr, HTTP programs on stdout, and both to `JEEVES_EVENT_FILE` when it is set. Readers skip events and fields they do not know.',
    shapes(['LogLine', 'EventLevel']),
    '`pruner.call_failed` is the one event of a failed pruner call; its `reason` tells how it failed.',
    table(
      ['Event', 'Level', 'When', '`data`'],
      Object.entries(EVENTS).map(([name, e]) => [mono(name), e.level, e.trigger, mono(data[name] ?? '')]),
    ),
  );
}

/** The payload of each event, on one line, as its type says it. */
function eventData(): Readonly<Record<string, string>> {
  const entries = declaration('EventData')
    .split(/\n {2}(?=')/)
    .slice(1);
  return Object.fromEntries(
    entries.map((entry) => {
      const [, name = '', type = ''] = /^'([^']+)': ([\s\S]*);/.exec(entry) ?? [];
      return [name, type === 'Record<string, never>' ? '' : type.replaceAll(/\s+/g, ' ').replace('; }', ' }')];
    }),
  );
}

function errorsPage(): string {
  const broken = READ.input.safeParse({ file_path: '', max_output_bytes: 10, colour: 'red' });
  const example = broken.error && invalidParams('tools/call', 'read', broken.error, 'arguments');
  return page(
    'Errors',
    'A call that cannot be understood gets a JSON-RPC error. A tool that ran and failed gets a result with `isError: true`. Pruning never fails a call: the raw output comes back, and `pruning` says why.',
    '## JSON-RPC errors',
    table(
      ['Code', 'Number', '`message`', 'In `data.code`', 'Meaning'],
      Object.entries(RPC_ERRORS).map(([name, e]) => [
        mono(name),
        mono(e.number),
        mono(e.message),
        yesNo(e.named),
        e.meaning,
      ]),
    ),
    '### Invalid params',
    'The same mistake always gives the same answer: issues are sorted by path, then code, and `message` repeats `code`, which is the code of the zod issue. At most 100 issues are listed.',
    json(example),
    '## Errors of `read`, `bash` and `grep`',
    table(
      ['`error.code`', 'Tools', 'Meaning'],
      Object.entries(TOOL_ERRORS).map(([name, e]) => [mono(name), e.tools.map(mono).join(', '), e.meaning]),
    ),
    '## Errors of the context tools',
    table(['`error.code`', 'Meaning'], pairs(CONTEXT_ERRORS)),
    'A batch does what it can and lists the rest in `errors`:',
    table(['`errors[].code`', 'Meaning'], pairs(SEGMENT_PROBLEMS)),
    '## HTTP errors',
    'In the order in which a request is checked.',
    table(
      ['`error.code`', 'Status', 'Meaning'],
      Object.entries(HTTP_ERRORS).map(([name, e]) => [mono(name), String(e.status), e.meaning]),
    ),
    shapes(['HttpErrorBody']),
    '## Warnings of `prune_text`',
    table(['Warning', 'Meaning'], pairs(PRUNE_WARNINGS)),
  );
}

function environmentPage(): string {
  return page(
    'Environment',
    'True is `1`, `true`, `yes` or `on`; anything else is false. A bad root, host or port ends the server with exit code 2, a bad `PRUNER_URL` turns pruning off, and any other unusable value is replaced by its default; each is reported as `mcp_pruner.config_invalid`. The environment wins over the configuration file (`JEEVES_CONFIG`), in which a setting stands under its file key, sections dotted; what has no file key is read from the environment only.',
    table(
      ['Variable', 'File key', 'Type', 'Default', 'Values', 'Read by', 'Specified in', 'Meaning'],
      Object.entries(ENV_VARIABLES).map(([name, e]) => envRow(name, e)),
    ),
    '## Replaced names',
    'Names of an earlier draft (seed 000). Nothing reads them.',
    table(
      ['Variable', 'Set instead'],
      Object.entries(REPLACED_ENV_NAMES).map(([name, now]) => [mono(name), now === null ? 'nothing' : mono(now)]),
    ),
  );
}

function envRow(name: string, e: EnvVariable): string[] {
  const standard = e.default === null ? '' : mono(e.default);
  const values = e.values?.map(mono).join(', ') ?? span(e.min, e.max);
  return [mono(name), mono(e.toml ?? ''), e.kind, standard, values, e.readBy.join(', '), e.source, e.meaning];
}

function rpcPage(): string {
  return page(
    'JSON-RPC and HTTP',
    'Messages are JSON-RPC 2.0, one per line over stdio, one per body over HTTP. Batches are refused. An `id` is a string or an integer: null, fractional and other ids are refused. A notification gets no reply.',
    shapes(['RpcId', 'RpcRequest', 'RpcNotification', 'RpcErrorObject', 'RpcResponse']),
    '## `initialize`',
    '`clientInfo` and `capabilities` may be left out. `jeeves.schemaVersion` is the version of everything in this reference.',
    json({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25' } }),
    shapes(['InitializeParams', 'InitializeResult']),
    '## `tools/list`',
    json({ jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} }),
    shapes(['ToolsListParams', 'ToolsListResult']),
    '## `tools/call`',
    json({ jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'read', arguments: exampleOf(READ) } }),
    shapes(['ToolsCallParams', 'ToolsCallResult']),
    'Clients that show their model `structuredContent` in place of the text get the text alone; the structured result is then under `_meta["jeeves/result"]`.',
    '## Other methods',
    '`resources/list`, `resources/templates/list` and `prompts/list` answer with empty lists. Any other method is `-32601`.',
    '## `GET /healthz`',
    shapes(['HealthzBody']),
    '## `POST /prune`',
    'The swe-pruner contract, answered by the embedded engine. `query` and `code` suffice.',
    shapes(['SwePruneRequest', 'SwePruneResponse']),
  );
}

/** Declarations of the contract as they stand in the source, without what only matters to a compiler. */
function shapes(names: readonly string[]): string {
  return ['```ts', names.map(declaration).join('\n\n'), '```'].join('\n');
}

function declaration(name: string): string {
  const start = code.search(new RegExp(`^export (?:interface|type) ${name}\\b`, 'm'));
  if (start === -1) throw new Error(`packages/protocol/src does not export the type ${name}`);
  const text = code.slice(start + 'export '.length);
  const end = text.startsWith('interface') ? text.indexOf('\n}') + 2 : text.search(/;\n(?! )/) + 1;
  return text
    .slice(0, end)
    .replaceAll(/readonly | \| undefined/g, '')
    .replaceAll(/Readonly<(Record<[^<>]*>)>/g, '$1')
    .replaceAll(/ToolErrorCodeOf<'(\w+)'>/g, (_, tool: string) => errorCodes(tool));
}

function errorCodes(tool: string): string {
  const codes = Object.entries(TOOL_ERRORS).filter(([, error]) => error.tools.some((name) => name === tool));
  return codes.map(([name]) => `'${name}'`).join(' | ');
}

function page(title: string, ...blocks: readonly string[]): string {
  const note = '<!-- Written by `npm run docs` from packages/protocol: change it there. -->';
  return `${[note, `# ${title}`, ...blocks].join('\n\n')}\n`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map(tableLine).join('\n');
}

function tableLine(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function pairs(entries: Readonly<Record<string, string>>): string[][] {
  return Object.entries(entries).map(([name, meaning]) => [mono(name), meaning]);
}

function yesNo(value: boolean): string {
  return value ? 'yes' : 'no';
}

function mono(value: string | number | boolean): string {
  return value === '' ? '' : `\`${value}\``;
}

function json(value: unknown): string {
  return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
}

import { from, type Requirement } from './entry.ts';

/** The contract as data: error payloads, tool lists, environment, events. */
export const PROTOCOL: readonly Requirement[] = [
  ...from('seed 001 §3 (invalid params), requirements 2.3', {
    'protocol.invalid-params.shape':
      'Invalid params are -32602 with the message `Invalid params` and `data` of schema version, method, tool when known, and issues.',
    'protocol.invalid-params.issues':
      'An issue has a dot-joined path, `""` for the root, zod’s code, and that code as message.',
    'protocol.invalid-params.sorted': 'Issues are sorted by path, then code.',
    'protocol.invalid-params.tool-optional': 'The tool is named only when the call names one.',
  }),
  ...from('decisions §7 #14', {
    'protocol.invalid-params.codes': 'The issue codes are those of zod 4, as literals.',
  }),
  ...from('seed 000 §3 (MCP methods), requirements 2.3', {
    'protocol.rpc.invalid-request':
      'A message that is no object, has another `jsonrpc`, is a batch, or has a null, boolean, object or fractional id is invalid, its id kept when usable.',
  }),
  ...from('seed 000 §3 (MCP methods), seed 001 §3 (MCP methods), seed 002 §8.1', {
    'protocol.rpc.numbers':
      'Parse error is -32700, invalid request -32600, unknown method -32601, invalid params -32602, internal error -32603.',
  }),
  ...from('seed 001 §3 (MCP methods), requirements 2.3', {
    'protocol.initialize.params':
      '`initialize` needs a protocol version that is a non-empty string; client info and capabilities are optional.',
    'protocol.tools-call.params': '`tools/call` needs a tool name and takes arguments that are an object.',
    'protocol.tools-list.params': '`tools/list` takes no params, or an object.',
  }),
  ...from('seed 001 §3 (contract gates)', {
    'protocol.schema-version': 'The contract has schema version 1.',
    'protocol.unknown-fields-ignored': 'Readers of results and log lines ignore fields they do not know.',
  }),
  ...from('seed 001 §3 (MCP tools), decisions §2', {
    'protocol.tools.default': 'Without a choice the tools are `read`, `bash`, `grep` and `recover_text`.',
    'protocol.tools.sets': 'The sets `files`, `text` and `context` hold their tools by name.',
  }),
  ...from('decisions §4', {
    'protocol.tools.budget': 'The default tool list costs less than 1,000 tokens, all sets together less than 2,800.',
    'protocol.tools.no-output-schema': 'No tool lists an output schema.',
  }),
  ...from('security §1 (annotations)', {
    'protocol.tools.annotations':
      'Every tool states its four hints; reading tools are read-only, `bash` and `automatic_eval` destructive and open.',
    'protocol.tools.names':
      'Tool names have 1 to 128 characters of the allowed alphabet, and the list has one fixed order.',
  }),
  ...from('seed 003 (tool categories)', {
    'protocol.tools.context':
      'The context tools are listed under the names the seed gives them, all with the `context_` prefix.',
  }),
  ...from('seed 003 (agent interaction)', {
    'protocol.tools.context-when':
      'The descriptions of the context tools say when to call them, before the limit is reached.',
  }),
  ...from('seed 004 (interfaces), decisions §7 #17', {
    'protocol.tools.catalogue':
      'The gateway lists `automatic_mcp` and `automatic_eval`; the dotted names are accepted in calls.',
    'protocol.tools.catalogue-args':
      '`automatic_mcp` takes query, sessionId and forceRefresh, none required; `automatic_eval` toolName and arguments.',
  }),
  ...from('seed 002 §4, requirements 2.6, decisions §2', {
    'protocol.tools.unknown': 'Calling a tool that is not offered is -32602 and names the tool.',
  }),
  ...from('seed 002 §4.0', {
    'protocol.schema.prune-text': 'The input schema of `prune_text` is the seed’s, word for word.',
    'protocol.schema.recover-text': 'On `/rpc` the input schema of `recover_text` is the seed’s, word for word.',
  }),
  ...from('decisions §5', {
    'protocol.schema.recover-elsewhere':
      'Elsewhere `recover_text` takes a prune id and either ranges or a query, never both.',
  }),
  ...from('seed 002 §4, requirements 2.6', {
    'protocol.schema.prune-text-strict':
      'A missing, extra or mistyped field, a ratio outside 0..1, a negative minimum, a timeout below 1 or an unknown source type is invalid.',
  }),
  ...from('decisions §7 #6', {
    'protocol.schema.recover-types':
      'A line number of a wrong type is invalid; a wrong value passes the schema and is `invalid_range`.',
  }),
  ...from('seed 001 §3 (PruningMetadata)', {
    'protocol.pruning.shape':
      'Pruning metadata has attempted, applied, fallback and raw bytes, and beyond them only its optional fields.',
    'protocol.pruning.reasons': 'Reasons and error codes are the closed lists of seed 001.',
  }),
  ...from('seed 000 §3 (HTTP error shape), requirements 2.3', {
    'protocol.http.error-shape':
      'An HTTP error is `{ok:false,error:{code,message,details?}}` with the status its code stands for.',
  }),
  ...from('decisions §2', {
    'protocol.http.statuses':
      'Forbidden is 403, a wrong verb 405, a wrong media type 415, no token 401, too large 413, busy 503.',
  }),
  ...from('spec/swe-pruner', {
    'protocol.swe.request-schema':
      '`POST /prune` needs query and code alone; threshold, first line and overlap have the service’s defaults.',
  }),
  ...from('seed 001 §3 (events)', {
    'protocol.events.line': 'An event is one JSON object with time, level, name, and optionally request id and data.',
    'protocol.events.names': 'The events of seed 001 exist under their exact names.',
  }),
  ...from('decisions §7 #12', {
    'protocol.events.states':
      'Events named only in a transition exist too; `pruner.call_failed` is the one failure event of a pruner call.',
  }),
  ...from('seed 001 §3 (configuration), requirements 2.1', {
    'protocol.env.booleans': '1, true, yes and on are true; anything else is false.',
    'protocol.env.runner': 'The runner’s variables and their defaults are those of seed 001.',
    'protocol.env.server': 'The server’s variables, ranges and defaults are those of seed 001.',
    'protocol.env.pruner-timeout': '`PRUNER_TIMEOUT_MS` is an integer from 100 to 300000, 30000 by default.',
  }),
  ...from('seed 001 §3 (configuration), decisions §3, requirements 2.1', {
    'protocol.env.pruner-url':
      'A pruner address is an absolute http(s) URL, `embedded:` or empty; anything else is refused.',
  }),
  ...from('seed 002 §12, seed 002 §13, requirements 2.1', {
    'protocol.env.text': 'The text server’s variables, ranges and defaults are those of seed 002 and its reference.',
  }),
  ...from('seed 000 §3 (validation rules), decisions §7 #1', {
    'protocol.env.replaced': 'The variables of the first draft map to the final ones.',
  }),
  ...from('requirements 2.1', {
    'protocol.env.integers': 'A number is a plain decimal integer within its range; anything else is refused.',
  }),
];

/** Validation of the file tools' arguments, as far as the schema alone can tell. */
export const SCHEMAS: readonly Requirement[] = [
  ...from('seed 001 §3 (validation), requirements 2.4, decisions §7 #2', {
    'files.read.args.file-path': '`read.file_path` is required, not empty and free of NUL.',
    'files.bash.args.command': '`bash.command` is required, not empty, at most 50,000 characters.',
    'files.bash.args.cwd': '`bash.cwd` is an optional, non-empty string.',
    'files.grep.args.cwd': '`grep.cwd` is an optional, non-empty string.',
  }),
  ...from('seed 001 §3 (validation), requirements 2.4', {
    'files.read.args.encoding': '`read.encoding` can only be `utf-8`, which is its default.',
    'files.args.focus-question': 'A focus question is not empty after trimming and has at most 1,000 characters.',
    'files.args.max-output-bytes': '`max_output_bytes` is an integer from 1,024 to 10,485,760.',
    'files.bash.args.env': '`bash.env` has at most 200 upper-case names with values of at most 4,000 characters.',
    'files.args.timeout-ms': '`timeout_ms` is an integer from 100 to 300,000, 30,000 by default.',
    'files.grep.args.pattern': '`grep.pattern` is required, not empty, at most 10,000 characters.',
    'files.grep.args.paths': '`grep.paths` has 1 to 100 entries and excludes `grep.path`.',
    'files.grep.args.flags': '`fixed_string` and `case_sensitive` are booleans, false and true by default.',
    'files.grep.args.max-matches': '`max_matches` is an integer from 1 to 5,000, 500 by default.',
  }),
  ...from('decisions §7 #11', {
    'files.args.unknown-keys': 'An unknown argument of a file tool is refused with `unrecognized_keys`.',
  }),
  ...from('security T9', {
    'files.bash.args.env-refused': 'Overrides of LD_*, BASH_ENV and NODE_OPTIONS are refused.',
  }),
];

/** What holds for the repository as a whole. */
export const WORKSPACE: readonly Requirement[] = [
  ...from('decisions §1, design/architecture', {
    'workspace.names': 'Every package is `@jeeves/<name>`, one of the eight that the design names.',
    'workspace.layers': 'Packages import what the design allows and nothing else; nobody imports the command line.',
    'workspace.wire-names':
      'Wire spellings are defined in the contract package only, and used outside it only where a server takes and returns its types.',
  }),
  ...from('design/architecture invariant 1', {
    'workspace.engine-pure': 'The engine’s root reaches no `node:` module and no third-party package.',
  }),
  ...from('design/architecture invariant 5', {
    'workspace.process': 'The environment is read in configuration files only; arguments and exits belong to programs.',
  }),
];

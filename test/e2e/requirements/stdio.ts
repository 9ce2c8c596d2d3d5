import { from, type Requirement } from './entry.ts';

/** The program `mcp-pruner`: one request after another over standard input and output. */
export const STDIO: readonly Requirement[] = [
  ...from('seed 001 §3 (transport), requirements 2.3', {
    'stdio.stdout-is-protocol':
      'Standard output carries protocol messages only; events go to standard error as JSON lines.',
    'stdio.initialize': '`initialize` reports name, version, tool capability and schema version.',
    'stdio.tools-list': '`tools/list` lists the offered tools with description and input schema.',
    'stdio.tools-call':
      '`tools/call` returns content, structured content and the error flag; tool failures are results, not protocol errors.',
    'stdio.unknown-method': 'An unknown method is -32601.',
    'stdio.invalid-params': 'Invalid params of a supported method get the deterministic -32602.',
    'stdio.parse-error': 'A line that is not JSON gets -32700 with a null id; the connection stays usable.',
    'stdio.invalid-request': 'A batch or a message that is no request gets -32600.',
    'stdio.internal-error':
      'An exception becomes -32603, is logged with its stack and request id, and the process survives.',
    'stdio.respond-failed': 'A reply that cannot be written is logged and closes the connection.',
    'stdio.notifications': 'Notifications get no reply.',
    'stdio.disconnect': 'When the client goes its buffers are dropped and its subprocesses killed.',
  }),
  ...from('seed 001 §2 (states and transitions)', {
    'request.id': 'Every accepted request gets a request id that its events carry.',
    'request.pipeline': 'A request goes through validating, executing, the prune check and exactly one answer.',
    'request.invalid-runs-nothing': 'An invalid request runs no tool.',
    'request.terminal': 'A finished request never changes its answer; a retry is a new request.',
    'request.events.received':
      '`tool.request_received`, `tool.exec_start` and `tool.exec_ok` follow a successful call.',
    'request.events.invalid': '`tool.request_invalid` follows an invalid call.',
    'request.events.failed': '`tool.exec_failed` and `tool.exec_timeout` follow a failing tool.',
    'request.events.pruner': '`pruner.call_start` is followed by `pruner.call_ok` or `pruner.call_failed`.',
    'request.events.respond': '`tool.respond_ok` says whether the answer was raw or pruned.',
    'request.no-replay': 'A crash replays nothing.',
  }),
  ...from('seed 000 §3 (validation rules), issue 12', {
    'server.old-names':
      'A server names every set variable of seed 000 that nothing reads any more, and what to set instead, over stdio and HTTP.',
  }),
  ...from('seed 001 §3 (CLI), decisions §1, decisions §2', {
    'stdio.program': '`mcp-pruner` takes no argument for stdio and is the file `packages/mcp-pruner/dist/index.js`.',
    'stdio.tools-choice': '`--tools` and `MCP_PRUNER_TOOLS` choose tools by name or set.',
  }),
  ...from('seed 001 §3 (configuration), decisions §7 #10, requirements 2.1', {
    'stdio.root': '`MCP_PRUNER_CWD` is the root, the working directory by default.',
    'stdio.root-invalid':
      'A root that is no directory ends the program with exit code 2 and `mcp_pruner.start_failed`.',
    'stdio.config-invalid':
      'Any other unusable value gets its default, a bad pruner address turns pruning off; each is reported.',
  }),
  ...from('seed 001 §3 (events)', {
    'stdio.events.ready': '`mcp_pruner.ready` with the root follows the start.',
    'stdio.events.stopped': '`mcp_pruner.stopped` with its duration follows the end.',
  }),
  ...from('decisions §2', {
    'stdio.recover-accompanies': 'Any set of tools that prunes is offered together with `recover_text`.',
    'stdio.oversized-frame': 'An oversized message is answered with an error; the connection survives.',
    'stdio.eof': 'The end of standard input ends the process and its children.',
  }),
  ...from('decisions §4', {
    'output.auto':
      'Every client gets text and structured content, except those known to replace the text, which get text alone and the object under `_meta`.',
    'output.choice': '`MCP_PRUNER_OUTPUT` forces structured or text output.',
    'output.text-errors':
      'Those clients get invalid arguments and recovery errors as an error text that names the fields.',
    'output.text-block':
      'The text block has the content, the streams with their headings, the matches, or the tool’s JSON.',
    'output.same-pruned-text':
      'With the embedded engine pruned text and markers are the same in both places; notices stand in the text only.',
  }),
  ...from('seed 001 §5 (T9)', {
    'stdio.docs': 'The server package documents its variables, its tools and a minimal call in CLAUDE.md.',
  }),
  ...from('seed 001 §1 (goals)', { 'stdio.opt-in': 'Output is pruned only for calls that carry a focus question.' }),
  ...from('security §1', {
    'stdio.cancel':
      'A cancelled request is stopped, frees its resources and gets no answer; unknown cancels are ignored.',
  }),
];

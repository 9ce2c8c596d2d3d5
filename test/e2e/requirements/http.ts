import { from, type Requirement } from './entry.ts';

/** One HTTP listener: `/mcp`, `/healthz`, `/rpc`, `/health`, `/prune`, `/metrics`. */
export const HTTP: readonly Requirement[] = [
  ...from('seed 000 §3 (endpoints), requirements 2.3', {
    'http.healthz': '`GET /healthz` reports ok, server name and version, start time and uptime.',
    'http.healthz.failure': 'A failing health check is 500 with the error shape.',
    'http.mcp.post': '`POST /mcp` answers initialize, tools/list and tools/call; JSON-RPC errors have status 200.',
    'http.media-type': 'Another media type is 415 `unsupported_media_type`.',
    'http.verb': 'Another verb is 405 `method_not_allowed`.',
    'http.notifications': 'A notification is answered with 202 and no body.',
  }),
  ...from('seed 000 §3 (CLI), decisions §1', {
    'http.program': '`jeeves-mcp-pruner` takes `--host`, `--port`, `--root` and `--log-format`.',
    'http.loopback-default': 'The listener binds to 127.0.0.1 unless told otherwise.',
    'http.log-format': 'Events are JSON lines on standard output, or text when asked.',
  }),
  ...from('seed 000 §3 (CLI: "logs readiness and all requests"), issue 12', {
    'http.request-log':
      'Every HTTP request leaves exactly one log line with verb, path, status and duration, also one that is turned away or unreadable.',
  }),
  ...from('seed 000 §3 (validation rules), decisions §7 #10', {
    'http.config-invalid': 'A bad host, port or root ends the program with exit code 2 and `start_failed`.',
  }),
  ...from('seed 002 §3.1, seed 002 §3.2, decisions §2', {
    'http.rpc.methods':
      '`POST /rpc` answers initialize, the initialized notification, tools/list and tools/call without a handshake.',
    'http.rpc.empty-lists': 'Resources, resource templates and prompts are empty lists.',
    'http.rpc.legacy-health': 'The method `health` is answered like the tool.',
    'http.health': '`GET /health` reports status, server, version, capabilities and time.',
  }),
  ...from('seed 002 §3.2, issue 12', {
    'http.initialized-with-id': '`notifications/initialized` that comes with an id is answered, on every transport.',
  }),
  ...from('seed 002 §4.3', {
    'http.rpc.health-tool': 'The tool `health` reports the same as `GET /health`.',
  }),
  ...from('seed 002 §4.1', {
    'http.rpc.content': 'A tool’s answer is one text block with its JSON.',
  }),
  ...from('seed 002 §10', {
    'http.rpc.example-list': 'The seed’s `tools/list` request works as written.',
    'http.rpc.example-prune': 'The seed’s `prune_text` request works as written.',
    'http.rpc.example-recover': 'The seed’s recovery after pruning works as written.',
  }),
  ...from('seed 002 §12, requirements 2.1', {
    'http.env.listen': '`MCP_PRUNER_HOST` and `MCP_PRUNER_PORT` say where to listen, 127.0.0.1:8006 by default.',
    'http.env.input-limit': '`MCP_PRUNER_MAX_INPUT_CHARS` bounds the text, 2,000,000 characters by default.',
    'http.env.ttl': '`MCP_PRUNER_PRUNE_ID_TTL_S` says how long texts stay recoverable.',
    'http.env.cache': '`MCP_PRUNER_CACHE_TTL_S` and `MCP_PRUNER_CACHE_MAX_ITEMS` bound the cache.',
  }),
  ...from('seed 002 §14, requirements 2.2', {
    'http.start.readiness': 'A starter waits up to 12 s by probing, and stops early when the process dies.',
    'http.start.orphan': 'A port taken by another process is reported and not counted as ready.',
    'http.start.failure-log': 'A start that really failed shows the last 80 log lines.',
    'http.start.no-log-heuristic': 'An empty log is no sign of failure: `/health` and `initialize` are.',
  }),
  ...from('decisions §2', {
    'http.prune-budget': '`POST /prune` takes `max_tokens`, 100 to 20,000, and stays within it.',
    'http.prune-route': '`POST /prune` answers the swe-pruner contract with the embedded engine.',
    'http.metrics-route': '`GET /metrics` reports counters.',
  }),
  ...from('decisions §2', {
    'http.one-listener': 'All routes are on one listener, with the tools each route offers.',
    'http.port-default': 'The port is 8006 for `jeeves serve` and `--http`, any free one for `jeeves-mcp-pruner`.',
    'http.ready-event':
      '`mcp_pruner.ready` on standard output tells the port, and the token file where one was written.',
    'http.mcp.streamable':
      '`/mcp` is a Streamable HTTP endpoint of today’s and the 2025 revisions, and answers bare posts too.',
    'http.mcp.headers': 'A post with protocol headers is held to the rules of its revision; one without is seed 000’s.',
    'http.bash-needs-token': '`bash` is listed and callable over HTTP only with the bearer token.',
    'http.loopback-without-token': '`read`, `grep` and the text tools work on loopback without a token.',
    'http.non-loopback': 'A non-loopback bind needs a token and a list of allowed hosts.',
    'http.guard-order': 'Every route checks host and origin, verb, media type, token, size and load, in this order.',
    'http.busy': 'Under load a request is told 503 `busy` with `Retry-After`.',
    'http.size-limit': 'A body above 16 MiB is 413.',
    'http.shutdown':
      'At the end what is under way may finish for a while, nothing new is taken, and no process is left.',
  }),
  ...from('decisions §3', {
    'http.rpc.uncut': 'Replies of `/rpc` are not cut.',
  }),
  ...from('issue 4', {
    'http.asks-not-itself': 'A service whose pruner would be itself prunes without asking over HTTP.',
  }),
  ...from('requirements 2.3, seed 000 §HTTP', {
    'http.gone-callers': 'Whoever disconnects frees its place, and what it sent goes nowhere any more.',
  }),
  ...from('security §1', {
    'http.protocol-version': 'A bad protocol version header is 400; a missing one means the oldest supported.',
    'http.sessions':
      'Sessions have random ids; an unknown one is 404, a missing one 400 for whoever speaks a revision with sessions.',
  }),
];

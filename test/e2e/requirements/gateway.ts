import { from, type Requirement } from './entry.ts';

/** The upstream servers: configuration, life, safety, and what is counted. */
const GATEWAY_SERVERS: readonly Requirement[] = [
  ...from('issue 6 (deliver)', {
    'gateway.config.servers': 'The `mcpServers` JSON of MCP clients is read: programs, addresses, `disabled`, tags.',
    'gateway.config.variables': '`${VAR}` is expanded; a variable that is not set keeps its server from starting.',
    'gateway.config.allow-lists': 'Only the tools of an allow-list are offered.',
    'gateway.config.problems': 'An unusable part of the configuration is named by its field.',
    'gateway.config.never-the-tree': 'The configuration is never taken from the working tree unless it is named.',
    'gateway.default-list': 'The gateway lists `automatic_mcp`, `automatic_eval` and `recover_text`.',
    'gateway.passthrough.list': '`--passthrough` lists all upstream tools, prefixed, with the added focus question.',
    'gateway.passthrough.list-changed': 'In passthrough a client is told when the tools change.',
    'gateway.passthrough.prunes': 'In passthrough a long text result is pruned against the focus question.',
    'gateway.eval.prunes': '`automatic_eval` prunes a long text result against the focus question.',
    'gateway.prune.recoverable': 'What was pruned from an upstream’s result is recovered by `recover_text`.',
    'gateway.lifecycle.on-demand': 'An upstream is started when it is needed.',
    'gateway.lifecycle.cached': 'Definitions are remembered, so that listing works while nothing runs.',
    'gateway.lifecycle.idle': 'An upstream that nobody calls is stopped.',
    'gateway.lifecycle.restart': 'An upstream that ended is started again, with growing pauses while it fails.',
    'gateway.lifecycle.list-changed': '`list_changed` of an upstream is honoured.',
    'gateway.lifecycle.limits': 'Each upstream has a time limit and a limit on the size of a message.',
    'gateway.lifecycle.strategies': 'Stateless, stateful and singleton servers are routed by `routingKey`.',
    'gateway.lifecycle.no-orphans': 'No upstream process outlives the gateway, however it ends.',
    'gateway.lifecycle.isolation': 'A hung or crashing upstream never delays the others.',
    'gateway.upstream.http': 'Upstreams are reached over Streamable HTTP as well.',
    'gateway.safety.hidden': 'Hidden characters are stripped from titles and descriptions.',
    'gateway.safety.pinned': 'A definition that is not the one first seen is marked as changed.',
    'gateway.safety.environment': 'An upstream gets a minimal environment and its own variables.',
    'gateway.safety.own-credentials': 'The credentials of an upstream come from its own configuration only.',
    'gateway.stats.counts': '`jeeves gateway stats` shows round trips, validation errors and pruned tokens.',
    'gateway.stats.net': 'Definition tokens saved are net of the gateway’s own tools.',
    'gateway.stats.negative': 'What was saved may be negative.',
  }),
  ...from('issue 6 (must hold)', {
    'gateway.reference-servers': 'The reference servers from npm work behind the gateway.',
  }),
];

const NO_GO = 'the product is TypeScript: it has no Go domain types, protobuf contract or Go tests to change';

/** Many upstream servers behind two tools. */
export const GATEWAY: readonly Requirement[] = [
  ...from('seed 004 (purpose, interfaces), requirements 2.7', {
    'gateway.raw-definitions':
      '`automatic_mcp` returns tool definitions as plain JSON objects in the shape of `tools/list`, no custom fields, no base64.',
    'gateway.result-fields': 'Its result has etag, tools, totalAvailable and filtered, the number of tools returned.',
    'gateway.dedup': 'A second call in the same session does not send unchanged tools again.',
    'gateway.changed-resent': 'A tool whose definition changed is sent again.',
    'gateway.force-refresh': 'A forced refresh sends all matching tools.',
    'gateway.session-fallback': 'Without a session id the caller’s own id counts.',
    'gateway.fallback-dedup':
      'When the model that filters is absent or fails, ranking decides, with the same deduplication.',
    'gateway.query-filters': 'A query limits the answer to relevant tools.',
  }),
  ...from('seed 004 (purpose, validation), requirements 2.7', {
    'gateway.eval.validates': '`automatic_eval` checks arguments against the tool’s input schema before calling it.',
    'gateway.eval.schema-error':
      'A violation is a tool error whose text is JSON with the error and the whole tool definition.',
    'gateway.eval.other-failures': 'Any other failure propagates as an error without that payload.',
    'gateway.eval.same-schema': 'The schema in the error equals the definition `automatic_mcp` returned.',
    'gateway.eval.result': 'A valid call returns the upstream result unchanged.',
  }),
  ...from('requirements 2.7, origins §2.1', {
    'gateway.session.ttl': 'A session is forgotten 30 minutes after its last use.',
    'gateway.session.limit': 'At most 10,000 sessions are kept, the least recently used go first.',
  }),
  ...from('requirements 2.8', { 'gateway.sent-after-reply': 'A tool counts as sent only once the reply was written.' }),
  ...from('decisions §7 #16', {
    'gateway.already-sent': 'Matching tools that were sent before are named in `alreadySent`.',
  }),
  ...from('issue 6 (deliver)', {
    'gateway.model-filter': 'A configured OpenAI-compatible model may choose the tools, by a JSON array of names.',
    'gateway.eval.unusable-schema':
      'A schema that is too deep, too large or leads to the network is refused, not fetched.',
    'gateway.session.replicas': 'Catalogue sessions lie on the same stores as the stash, so that replicas agree.',
    'gateway.rank.words': 'Tools are ranked by name, description, server and parameters, whatever words a goal uses.',
    'gateway.rank.speed': '500 tools are ranked in at most 5 ms.',
    'gateway.bench.catalogue': '`jeeves bench catalogue` ranks anyone’s tools for anyone’s goals.',
  }),
  ...from('decisions §7 #17', { 'gateway.names': 'Upstream tools are called `<server>__<tool>`.' }),
  ...from('decisions §2', { 'gateway.http': 'The gateway’s HTTP endpoint is `/mcp` on port 8007, with a token.' }),
  ...GATEWAY_SERVERS,
  ...from(
    'seed 004 (concrete steps, validation)',
    {
      'gateway.proto': 'Request and response contracts are regenerated with `make proto`.',
      'gateway.go-tests': '`go test ./...` passes.',
      'gateway.go-validator': 'Validation uses the Go JSON Schema library.',
    },
    NO_GO,
  ),
];

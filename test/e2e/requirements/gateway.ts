import { AWAITS, from, type Requirement } from './entry.ts';

const NO_GO = 'the product is TypeScript: it has no Go domain types, protobuf contract or Go tests to change';

/** Many upstream servers behind two tools. */
export const GATEWAY: readonly Requirement[] = [
  ...from(
    'seed 004 (purpose, interfaces), requirements 2.7',
    {
      'gateway.raw-definitions':
        '`automatic_mcp` returns tool definitions as plain JSON objects in the shape of `tools/list`, no custom fields, no base64.',
      'gateway.result-fields': 'Its result has etag, tools, totalAvailable and filtered, the number of tools returned.',
      'gateway.dedup': 'A second call in the same session does not send unchanged tools again.',
      'gateway.changed-resent': 'A tool whose definition changed is sent again.',
      'gateway.force-refresh': 'A forced refresh sends all matching tools.',
      'gateway.session-fallback': 'Without a session id the caller’s own id counts.',
      'gateway.fallback-dedup': 'When ranking is absent or fails every tool matches, with the same deduplication.',
      'gateway.query-filters': 'A query limits the answer to relevant tools.',
    },
    AWAITS.gateway,
  ),
  ...from(
    'seed 004 (purpose, validation), requirements 2.7',
    {
      'gateway.eval.validates': '`automatic_eval` checks arguments against the tool’s input schema before calling it.',
      'gateway.eval.schema-error':
        'A violation is a tool error whose text is JSON with the error and the whole tool definition.',
      'gateway.eval.other-failures': 'Any other failure propagates as an error without that payload.',
      'gateway.eval.same-schema': 'The schema in the error equals the definition `automatic_mcp` returned.',
      'gateway.eval.result': 'A valid call returns the upstream result unchanged.',
    },
    AWAITS.gateway,
  ),
  ...from(
    'requirements 2.7, origins §2.1',
    {
      'gateway.session.ttl': 'A session is forgotten 30 minutes after its last use.',
      'gateway.session.limit': 'At most 10,000 sessions are kept, the least recently used go first.',
    },
    AWAITS.gateway,
  ),
  ...from(
    'requirements 2.8',
    { 'gateway.sent-after-reply': 'A tool counts as sent only once the reply was written.' },
    AWAITS.gateway,
  ),
  ...from(
    'decisions §7 #16',
    { 'gateway.already-sent': 'Matching tools that were sent before are named in `alreadySent`.' },
    AWAITS.gateway,
  ),
  ...from('decisions §7 #17', { 'gateway.names': 'Upstream tools are called `<server>__<tool>`.' }, AWAITS.gateway),
  ...from(
    'decisions §2',
    { 'gateway.http': 'The gateway’s HTTP endpoint is `/mcp` on port 8007, with a token.' },
    AWAITS.gateway,
  ),
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

import { from, type Requirement } from './entry.ts';

/** Judging in the cloud, when the user asked for it. */
export const DEEPINFRA: readonly Requirement[] = [
  ...from('decisions §7 #15', {
    'deepinfra.request': 'The request is `{"queries": [goal], "documents": [lines]}` with the key as bearer token.',
    'deepinfra.reply-shapes':
      'Scores are accepted as `{scores}`, a bare list or `{index, score}` items, one or two levels down.',
  }),
  ...from('seed 002 §13', {
    'deepinfra.ranks': 'The lines the reranker scores best stay.',
    'deepinfra.keeps-limits': 'Ratio and minimum hold whatever the reranker says.',
    'deepinfra.default-endpoint': 'The default address is DeepInfra’s Qwen3-Reranker-0.6B.',
    'deepinfra.stats':
      'The wire statistics carry backend, latency, lines scored and in all, HTTP status, cache flag, tokens saved and their estimated cost.',
    'deepinfra.cache.bounded': 'The cache keeps no more judgements than configured and none past its time.',
  }),
  ...from('seed 002 §13, seed 002 §15, decisions §7 #8, requirements 2.6', {
    'deepinfra.fallback.http':
      'An HTTP error gives the embedded result with `deepinfra_error`, `deepinfra_http_error` and the status.',
    'deepinfra.fallback.timeout': 'A reranker that is too slow gives the embedded result with `deepinfra_http_error`.',
    'deepinfra.fallback.transport':
      'A reranker that cannot be reached gives the embedded result with `deepinfra_http_error` and no status.',
    'deepinfra.fallback.parse': 'A reply of another shape gives the embedded result with `deepinfra_parse_error`.',
    'deepinfra.fallback.is-pruned':
      'The result of such a failure is pruned by the embedded backend, with the fallback flag set.',
  }),
  ...from('seed 002 §13, requirements 2.1', {
    'deepinfra.fallback.config': 'Without a key nothing is sent; the embedded result carries `deepinfra_config_error`.',
  }),
  ...from('seed 002 §13, requirements 2.6', {
    'deepinfra.docs-truncated':
      'Of more lines than allowed that many are scored, with the warning `deepinfra_docs_truncated`.',
    'deepinfra.cache.hit':
      'The same content again within the time to live is answered without a call, with `cache_hit` and latency 0.',
    'deepinfra.cache.new-id': 'A cached judgement still gets a prune id of its own.',
  }),
  ...from('requirements 2.8', {
    'deepinfra.cache.no-failures': 'A result of a substitute is never cached.',
  }),
  ...from('security T22', {
    'deepinfra.secrets.redacted': 'Obvious secrets in lines and goal are replaced before they are sent.',
    'deepinfra.secrets.https-only': 'An address that is neither https nor loopback is refused before anything is sent.',
    'deepinfra.secrets.key-silent':
      'The key stands in the authorization header and nowhere in errors, warnings or statistics.',
    'deepinfra.only-configured-host': 'Lines and goal go to the configured address alone; a redirect is not followed.',
  }),
  ...from('seed 002 §12, seed 002 §13, requirements 2.1', {
    'config.backend.env':
      '`KIMI_PRUNING_BACKEND` set to deepinfra or cloud selects DeepInfra; any other value the embedded backend.',
    'config.backend.env-over-toml':
      'The environment wins over the configuration file, which decides where the environment is silent.',
    'config.backend.toml-key-ignored': 'An API key in the configuration file is ignored with a warning.',
    'config.cache.alias': '`MCP_PRUNER_CACHE_MAX_ENTRIES` is read when `MCP_PRUNER_CACHE_MAX_ITEMS` is not set.',
    'config.toml-unreadable': 'A configuration file that cannot be read leaves the defaults in force.',
    'config.integer-unparsable': 'A number that cannot be read is replaced by its default.',
    'config.rollback': 'Setting the backend to heuristic, or unsetting it, ends all cloud calls at the next start.',
  }),
  ...from('decisions §6', {
    'config.file':
      'The configuration file is `$JEEVES_CONFIG`, else `~/.config/jeeves/config.toml`; neither XDG variables nor the working tree count.',
  }),
  ...from('seed 002 §13 (trade-offs), origins §4.5', {
    'health.metrics': '`health` counts calls, cloud calls, fallbacks and the estimated cost.',
  }),
];

/** Asking a pruning service over HTTP: the client side, as a library. */
export const SWE_PRUNER: readonly Requirement[] = [
  ...from('seed 001 §3 (outbound HTTP)', {
    'swe.request': 'The service gets a POST of `{code, query}` as JSON.',
    'swe.query-trimmed': 'The query is the goal without surrounding blanks.',
  }),
  ...from('decisions §3, seed 001 §3 (outbound HTTP)', {
    'swe.code-unaltered': 'The text is sent as it is, line endings included.',
  }),
  ...from('seed 001 §3 (outbound HTTP), requirements 2.5', {
    'swe.reply.field-order': 'The pruned text is the first string among `pruned_code`, `content` and `text`.',
    'swe.reply.no-field': 'A reply without such a string is `invalid_response`.',
    'swe.reply.not-json': 'A reply that is not JSON is `invalid_response`.',
    'swe.http-error': 'A status outside 2xx, or no connection, is `http_error`.',
    'swe.timeout': 'A service that is too slow is `timeout`, and the request is aborted.',
    'swe.fail-open': 'Whatever the service does wrong, pruning with it gives the raw text and never throws.',
  }),
  ...from('decisions §3', {
    'swe.timeout.body': 'The timer covers the body as well as the headers.',
    'swe.no-redirects': 'A redirect is not followed: it is `http_error`.',
    'swe.identity-encoding': 'Compression is not asked for and a compressed reply is refused.',
    'swe.body-cap': 'A body of more than 20 times the input plus 1 MiB is refused while it is read.',
    'swe.text-cap': 'A pruned text of more than twice the input plus 64 KiB is `invalid_response`.',
    'swe.reply.error-msg': 'A reply with an error message is `invalid_response`.',
    'swe.align.markers': 'An answer that is a selection of the lines gets the same markers and recovery as our own.',
    'swe.align.fillers': 'The service’s filler lines are set aside.',
    'swe.align.kept-frags': 'Line numbers the service states decide between equal lines when they agree with its text.',
    'swe.align.unaligned':
      'A text that is no selection of the lines is handed over as returned and said to be unaligned.',
  }),
  ...from('decisions §3, requirements 2.8', {
    'swe.reply.empty': 'An empty text for a non-empty input is `invalid_response`.',
  }),
  ...from('requirements 2.8', {
    'swe.reply.any-2xx': 'Any 2xx reply is read like a 200.',
  }),
  ...from('spec/swe-pruner (traps)', {
    'swe.trap.line-ends': 'CRLF, form feeds and U+2028 in the text do not shift the alignment.',
    'swe.trap.kept-frags-differ':
      'Stated lines that disagree with the text, such as blank or put-back ones, are read sensibly.',
    'swe.trap.zero-based': 'Line numbers that count from 0 are not taken for ones that count from 1.',
    'swe.trap.nothing-kept': 'An answer that keeps none of the lines is a failure.',
    'swe.trap.token-scores': 'Per-token scores beside the text are read past.',
  }),
  ...from('security T13', {
    'swe.link-local': 'A link-local address, in any spelling, is refused before a connection is made.',
    'swe.no-userinfo': 'Credentials in the address appear in no error.',
  }),
];

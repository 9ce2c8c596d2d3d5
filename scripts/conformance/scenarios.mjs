// What of the official conformance suite applies to these servers. Whatever is not listed here fails the run: a scenario
// that a new version adds must be looked at.

/** Run against `jeeves-mcp-pruner` as it is installed. */
export const PRODUCT = [
  'server-initialize',
  'ping',
  'tools-list',
  'resources-list',
  'prompts-list',
  'dns-rebinding-protection',
  'server-session-lifecycle',
  'server-sse-multiple-streams',
  'server-stateless',
  'caching',
  'sep-2164-resource-not-found',
  'input-required-result-unsupported-methods',
];

/** Need tools that no product has: run against the same host with those tools. */
export const FIXTURE = [
  'tools-call-simple-text',
  'tools-call-image',
  'tools-call-audio',
  'tools-call-embedded-resource',
  'tools-call-mixed-content',
  'tools-call-error',
  'tools-call-with-progress',
  'json-schema-2020-12',
  'http-header-validation',
];

/** Checks inside an applicable scenario that the product cannot be put to. */
export const EXEMPT_CHECKS = {
  'sep-2575-server-rejects-undeclared-capability': 'no tool needs a capability of the client',
  'sep-2575-missing-capability-http-400': 'no tool needs a capability of the client',
  'sep-2575-http-server-no-independent-requests-on-stream': 'needs a fixture tool that asks the user',
  'sep-2575-server-no-log-without-loglevel': 'the logging capability is not offered',
};

/** Everything else, by the start of its name, and why it does not apply. */
export const NOT_APPLICABLE = {
  'logging-set-level': 'the logging capability is not offered (deprecated by the protocol)',
  'tools-call-with-logging': 'the logging capability is not offered (deprecated by the protocol)',
  'completion-complete': 'the completions capability is not offered',
  'tools-call-sampling': 'the server asks its clients nothing',
  'tools-call-elicitation': 'the server asks its clients nothing',
  'elicitation-': 'the server asks its clients nothing',
  'input-required-result-': 'the server asks its clients nothing',
  'resources-read-': 'the list of resources is always empty',
  'resources-templates-read': 'the list of resources is always empty',
  'resources-subscribe': 'the list of resources is always empty',
  'resources-unsubscribe': 'the list of resources is always empty',
  'prompts-get-': 'the list of prompts is always empty',
  'server-sse-polling': 'no stream is resumed: each reply is whole or lost',
  'tasks-': 'the tasks extension is not offered',
  'sep-2640-': 'the skills extension is not offered',
  'http-custom-header-server-validation': 'no tool declares x-mcp-header',
};

/** Who reads an environment variable: `server` is `mcp-pruner` in all its forms, `runner` is `jeeves run`. */
export type EnvReader = 'server' | 'runner' | 'gateway' | 'cli';

export interface EnvVariable {
  readonly kind: 'boolean' | 'integer' | 'text' | 'path' | 'url' | 'secret' | 'list';
  /** Null when there is none, or when it depends on the machine; then the meaning says which. */
  readonly default: string | number | boolean | null;
  readonly min?: number;
  readonly max?: number;
  readonly values?: readonly string[];
  readonly readBy: readonly EnvReader[];
  /** Its key in the configuration file, sections dotted. Absent where a file must not say it: secrets, and the file itself. */
  readonly toml?: string;
  /** Where the variable was first specified. */
  readonly source: string;
  readonly meaning: string;
}

/**
 * Every environment variable of Jeeves. A bad root, host or port ends the server, a bad `PRUNER_URL` turns pruning
 * off, anything else unusable is replaced by its default; each is reported as `mcp_pruner.config_invalid`.
 */
export const ENVIRONMENT = {
  PRUNER_URL: {
    kind: 'url',
    default: 'embedded:',
    toml: 'mcp_pruner.pruner_url',
    readBy: ['server'],
    source: 'seed 001',
    meaning:
      'Who prunes tool output: an http(s) URL of a swe-pruner service, `embedded:` for the engine in this process, empty for nobody. `auto`: the service at `http://localhost:8000/prune` when one says that it is healthy, otherwise the embedded engine.',
  },
  PRUNER_TIMEOUT_MS: {
    kind: 'integer',
    default: 30_000,
    min: 100,
    max: 300_000,
    toml: 'mcp_pruner.pruner_timeout_ms',
    readBy: ['server'],
    source: 'seed 001',
    meaning: 'The longest a pruner may take, answer included.',
  },
  MCP_PRUNER_CWD: {
    kind: 'path',
    default: null,
    toml: 'mcp_pruner.cwd',
    readBy: ['server'],
    source: 'seed 001',
    meaning: 'The root: no file outside it is read, and commands start in it. Defaults to the working directory.',
  },
  MCP_PRUNER_TOOLS: {
    kind: 'list',
    default: 'read,bash,grep,recover_text',
    toml: 'mcp_pruner.tools',
    readBy: ['server'],
    source: 'Jeeves',
    meaning:
      'Tools to offer: names of tools or of the sets `files`, `text`, `context`, comma separated. `/mcp` defaults to `files,text`.',
  },
  MCP_PRUNER_OUTPUT: {
    kind: 'text',
    default: 'auto',
    values: ['auto', 'structured', 'text'],
    toml: 'mcp_pruner.output',
    readBy: ['server'],
    source: 'Jeeves',
    meaning:
      'Whether results carry `structuredContent`; `auto` leaves it out for clients that show it in place of the text.',
  },
  MCP_PRUNER_SHELL_LOGIN: {
    kind: 'boolean',
    default: true,
    toml: 'mcp_pruner.shell_login',
    readBy: ['server'],
    source: 'Jeeves',
    meaning: 'Whether `bash` reads profile files (`bash -lc`). Off, commands start sooner and with less noise.',
  },
  MCP_PRUNER_ENV_PASS: {
    kind: 'list',
    default: null,
    toml: 'mcp_pruner.env_pass',
    readBy: ['server'],
    source: 'Jeeves',
    meaning:
      'Variables that commands of `bash` inherit beside those that a shell and build tools need, comma separated; `NAME*` means all that begin with `NAME`.',
  },
  MCP_PRUNER_HOST: {
    kind: 'text',
    default: '127.0.0.1',
    toml: 'mcp_pruner.host',
    readBy: ['server'],
    source: 'seed 002 §12',
    meaning:
      'Address of the HTTP listener. One that is not loopback also needs a token and `MCP_PRUNER_ALLOWED_HOSTS`.',
  },
  MCP_PRUNER_PORT: {
    kind: 'integer',
    default: 8006,
    min: 0,
    max: 65_535,
    toml: 'mcp_pruner.port',
    readBy: ['server'],
    source: 'seed 002 §12',
    meaning: 'Port of the HTTP listener, 0 for any free one. `jeeves-mcp-pruner` defaults to 0.',
  },
  MCP_PRUNER_TOKEN: {
    kind: 'secret',
    default: null,
    readBy: ['server', 'gateway'],
    source: 'Jeeves',
    meaning: 'Bearer token for HTTP; `bash` is offered only to callers that have it. Generated at start when unset.',
  },
  MCP_PRUNER_ALLOWED_HOSTS: {
    kind: 'list',
    default: null,
    toml: 'mcp_pruner.allowed_hosts',
    readBy: ['server', 'gateway'],
    source: 'Jeeves',
    meaning: 'Values of `Host` to answer to beside the loopback names, comma separated.',
  },
  MCP_PRUNER_MAX_INPUT_CHARS: {
    kind: 'integer',
    default: 2_000_000,
    min: 1,
    max: 16_777_216,
    toml: 'mcp_pruner.max_input_chars',
    readBy: ['server'],
    source: 'seed 002 §12',
    meaning: 'A longer text comes back from `prune_text` whole, with the warning `input_too_large`.',
  },
  MCP_PRUNER_PRUNE_ID_TTL_S: {
    kind: 'integer',
    default: 86_400,
    min: 1,
    max: 31_536_000,
    toml: 'mcp_pruner.prune_id_ttl_s',
    readBy: ['server'],
    source: 'seed 002 §12',
    meaning: 'How long a pruned text stays recoverable. `/rpc` keeps texts for 600 seconds unless this is set.',
  },
  MCP_PRUNER_CACHE_TTL_S: {
    kind: 'integer',
    default: 30,
    min: 0,
    max: 86_400,
    toml: 'mcp_pruner.cache_ttl_s',
    readBy: ['server'],
    source: 'seed 002 §12',
    meaning: 'How long a judgement is reused for the same text, goal and options.',
  },
  MCP_PRUNER_CACHE_MAX_ITEMS: {
    kind: 'integer',
    default: 256,
    min: 0,
    max: 100_000,
    toml: 'mcp_pruner.cache_max_items',
    readBy: ['server'],
    source: 'seed 002 §12',
    meaning: 'How many judgements are kept for reuse.',
  },
  MCP_PRUNER_CACHE_MAX_ENTRIES: {
    kind: 'integer',
    default: 256,
    min: 0,
    max: 100_000,
    toml: 'mcp_pruner.cache_max_entries',
    readBy: ['server'],
    source: 'seed 002 §12',
    meaning: 'Another name of `MCP_PRUNER_CACHE_MAX_ITEMS`, which wins when both are set.',
  },
  KIMI_PRUNING_BACKEND: {
    kind: 'text',
    default: 'heuristic',
    values: ['heuristic', 'deepinfra', 'cloud'],
    toml: 'mcp_pruner.backend',
    readBy: ['server'],
    source: 'seed 002 §13',
    meaning:
      'Who judges in `prune_text`: the engine in this process, or DeepInfra (`cloud` is the same), which sees the lines.',
  },
  DEEPINFRA_API_KEY: {
    kind: 'secret',
    default: null,
    readBy: ['server'],
    source: 'seed 002 §13',
    meaning: 'Key for DeepInfra. Read from the environment only, never from a file.',
  },
  DEEPINFRA_ENDPOINT_URL: {
    kind: 'url',
    default: 'https://api.deepinfra.com/v1/inference/Qwen/Qwen3-Reranker-0.6B',
    toml: 'mcp_pruner.deepinfra_endpoint_url',
    readBy: ['server'],
    source: 'seed 002 §13',
    meaning: 'The reranker to ask. https, or http to this machine.',
  },
  DEEPINFRA_TIMEOUT_MS: {
    kind: 'integer',
    default: 20_000,
    min: 1,
    max: 120_000,
    toml: 'mcp_pruner.deepinfra_timeout_ms',
    readBy: ['server'],
    source: 'seed 002 §13',
    meaning: 'The longest DeepInfra may take before the embedded engine judges.',
  },
  DEEPINFRA_MAX_DOCS: {
    kind: 'integer',
    default: 64,
    min: 1,
    max: 512,
    toml: 'mcp_pruner.deepinfra_max_docs',
    readBy: ['server'],
    source: 'seed 002 §13',
    meaning: 'The most lines to have scored in one call.',
  },
  JEEVES_PRUNER_ENABLED: {
    kind: 'boolean',
    default: false,
    toml: 'runner.pruner_enabled',
    readBy: ['runner'],
    source: 'seed 001',
    meaning: 'Whether a run gives its agent the pruner server. The command `jeeves run` takes unset for yes.',
  },
  JEEVES_PRUNER_URL: {
    kind: 'url',
    default: 'http://localhost:8000/prune',
    toml: 'runner.pruner_url',
    readBy: ['runner'],
    source: 'seed 001',
    meaning:
      'Becomes the server’s `PRUNER_URL`; empty turns pruning off, the tools stay. `jeeves run` defaults to `embedded:`.',
  },
  JEEVES_MCP_PRUNER_PATH: {
    kind: 'path',
    default: null,
    toml: 'runner.mcp_pruner_path',
    readBy: ['runner'],
    source: 'seed 001',
    meaning: 'Script of the server to start. Defaults to the installed `@jeeves/mcp-pruner`.',
  },
  JEEVES_EVENT_FILE: {
    kind: 'path',
    default: null,
    toml: 'event_file',
    readBy: ['server', 'gateway'],
    source: 'Jeeves',
    meaning: 'A file to add every event to, one JSON line each. The runner sets it for the servers of a run.',
  },
  JEEVES_CONTEXT_LIMIT: {
    kind: 'integer',
    default: 200_000,
    min: 1,
    max: 1_000_000_000,
    toml: 'mcp_pruner.context_limit',
    readBy: ['server'],
    source: 'Jeeves',
    meaning: 'Tokens of a context window, for `context_analyze_usage` without a limit of its own.',
  },
  JEEVES_PRICE_INPUT_CENTS: {
    kind: 'integer',
    default: 300,
    min: 0,
    max: 1_000_000,
    toml: 'mcp_pruner.price_input_cents',
    readBy: ['server'],
    source: 'Jeeves',
    meaning: 'US cents for a million input tokens: what clearing a context costs and saves is told with it.',
  },
  JEEVES_PRICE_CACHE_WRITE_PERCENT: {
    kind: 'integer',
    default: 125,
    min: 0,
    max: 10_000,
    toml: 'mcp_pruner.price_cache_write_percent',
    readBy: ['server'],
    source: 'Jeeves',
    meaning: 'What writing a token to the prompt cache costs, in percent of an input token.',
  },
  JEEVES_PRICE_CACHE_READ_PERCENT: {
    kind: 'integer',
    default: 10,
    min: 0,
    max: 10_000,
    toml: 'mcp_pruner.price_cache_read_percent',
    readBy: ['server'],
    source: 'Jeeves',
    meaning: 'What reading a token from the prompt cache costs, in percent of an input token; 100 without a cache.',
  },
  JEEVES_PAYBACK_TURNS: {
    kind: 'integer',
    default: 50,
    min: 0,
    max: 1_000_000,
    toml: 'mcp_pruner.payback_turns',
    readBy: ['server'],
    source: 'Jeeves',
    meaning:
      'Clearing a part of the context is recommended when it pays back within so many turns, or when hardly any room is left.',
  },
  JEEVES_STORE: {
    kind: 'text',
    default: 'sqlite:~/.local/state/jeeves/jeeves.db',
    toml: 'store',
    readBy: ['server', 'runner', 'gateway', 'cli'],
    source: 'Jeeves',
    meaning:
      'Where pruned texts, the stash and catalogue sessions are kept: `memory:`, `sqlite:<path>` or `postgres://…`.',
  },
  JEEVES_CONFIG: {
    kind: 'path',
    default: '~/.config/jeeves/config.toml',
    readBy: ['server', 'runner', 'gateway', 'cli'],
    source: 'Jeeves',
    meaning: 'The configuration file. The environment wins over it; a file in the working tree is never read.',
  },
} as const;

export type EnvName = keyof typeof ENVIRONMENT;

/** The same rows with one type for all, for whoever looks one up by a name it was given. */
export const ENV_VARIABLES: Readonly<Record<EnvName, EnvVariable>> = { ...ENVIRONMENT };

import { AWAITS, from, type Requirement } from './entry.ts';

/** Running an agent with the pruner wired in. */
export const RUNNER: readonly Requirement[] = [
  ...from('seed 001 §3 (configuration), requirements 2.1', {
    'runner.enabled':
      'A truthy `JEEVES_PRUNER_ENABLED` injects the server; otherwise none is, and `mcp_pruner.disabled` says so.',
    'runner.url.unset': 'With no address set the server gets `http://localhost:8000/prune`.',
    'runner.url.empty': 'An empty address is forwarded: pruning is off, the tools work.',
    'runner.url.verbatim': 'A given address is forwarded as it is.',
    'runner.url.invalid': 'An unusable address disables the server for the run, which goes on.',
    'runner.path.resolution':
      'The server’s script is resolved from the package, then from the workspace, else the configuration is invalid.',
    'runner.path.explicit': 'An explicit script that is missing makes the configuration invalid; the run goes on.',
  }),
  ...from('decisions §3', {
    'runner.url.embedded': 'The address may be `embedded:`.',
    'runner.run-default':
      '`jeeves run` takes an unset switch for true and prunes with the embedded engine out of the box.',
    'runner.no-prune': '`--no-prune`, and the baseline of a comparison, inject no server.',
    'runner.extra-env':
      'The runner adds the event file, the store and any set pruner variables to the server’s environment.',
  }),
  ...from('seed 001 §2 (states and transitions), requirements 2.2', {
    'runner.states': 'A run goes through init, disabled or starting, running or degraded, and shutdown, never back.',
    'runner.start-failed': 'A server that cannot be started or reached is reported; the run continues without it.',
    'runner.degraded': 'A server that dies during a run is reported, stays off for that run, and the run continues.',
    'runner.shutdown': 'The end of a phase ends the server with it.',
    'runner.shutdown-after-degraded': 'After a degraded run no process is left, and the event says so.',
    'runner.not-running': 'A run without the server ends with `mcp_pruner.not_running`.',
    'runner.next-run': 'The next run starts from the beginning.',
    'runner.events.ready': 'A connected server is reported with `mcp_pruner.ready`.',
    'runner.config-invalid': 'An invalid value is reported with `mcp_pruner.config_invalid`; the run continues.',
    'runner.spawn-error': 'A failed spawn is reported with `mcp_pruner.spawn_error`.',
  }),
  ...from('seed 001 §2 (states and transitions), issue 12', {
    'runner.client-failed':
      'A client that fails before its server is ready is not reported as a failure of the server.',
  }),
  ...from('seed 000 §3 (validation rules), issue 12', {
    'runner.old-names':
      'A run names every set variable of seed 000 that nothing reads any more, and what to set instead.',
  }),
  ...from('seed 000 §2 (states and transitions), requirements 2.2', {
    'runner.http.readiness':
      'An HTTP server the runner starts is ready when its health route answers, never because of a log line.',
    'runner.http.shutdown':
      'It is ended with SIGTERM, then SIGKILL after the grace time, with `mcp_pruner.kill_escalated`.',
    'runner.http.start-timeout':
      'One that is not ready in time is killed and reported with `mcp_pruner.start_timeout`.',
    'runner.http.unreachable': 'Repeated connection failures count as degraded, with `mcp_pruner.unreachable`.',
    'runner.http.root': 'It is given the run’s working directory as root and any free port.',
  }),
  ...from('seed 001 §3 (provider wiring)', {
    'runner.options-type': 'Provider options carry servers by name as command, args and env.',
    'runner.server-name': 'The server is injected under the name `pruner` as `node <script>` with its environment.',
  }),
  ...from('seed 001 §3 (provider wiring)', {
    'runner.claude': 'The Claude provider passes the servers through.',
    'runner.codex': 'The Codex provider turns them into `--config mcp_servers.*` overrides, no url.',
  }),
  ...from('seed 001 §5 (T7, T8), requirements 2.2', {
    'runner.claude.omitted': 'Without servers the Claude options have no such key.',
    'runner.codex.omitted': 'Without servers Codex gets no override.',
  }),
  ...from('seed 001 §5 (T9)', {
    'runner.docs': 'The documentation lists runner and server variables and a minimal call.',
  }),
  ...from('reliability G18', {
    'runner.faults': 'Twelve faults of a server: the run finishes, the right event is recorded, no process is left.',
    'runner.orphans': 'Killing the client hard leaves no server after five seconds.',
  }),
  ...from('issue 7, origins §1', {
    'runner.record':
      'A run leaves `run.json`, `events.jsonl`, `last-run.log`, `sdk-output.json` and the raw output of every call.',
    'runner.failed': 'A run whose agent fails is recorded as failed, and its exit code says so.',
    'runner.cancelled': 'A run that is cancelled or out of time ends its server and its commands.',
    'runner.fake': 'The fake provider needs no key and finishes in under a second.',
    'runner.exit-codes': 'The exit code tells success, failure, a wrong call, a timeout and an interruption apart.',
    'runner.interrupt': 'An interrupt ends the run cleanly: it is recorded, and no process is left.',
    'runner.json': 'For programs, one JSON object tells how a run went.',
    'runner.run-dir': 'Runs are recorded under the user’s state directory unless told otherwise.',
    'runner.config-file': 'A run takes its settings from the configuration file as well; the environment wins.',
    'runner.sdk-missing': 'A client that is not installed is named together with the command that installs it.',
    'runner.workflow': 'A workflow runs phase after phase; guards decide which follows.',
    'runner.ledger':
      'Each run counts what was removed, recovered, read again and spent, gross and net, measured or estimated.',
    'runner.ledger.baseline':
      'Savings count, per call and in sum, against what the client’s own tools would have shown: every known limit of Claude Code and Codex is heeded.',
    'runner.ledger.loss': 'A call that shows more than the client’s own tool would have shown is booked as a loss.',
    'runner.compare.sentence':
      'A comparison opens with one sentence that says what became of tokens, turns and success.',
    'runner.simulated':
      'Figures of the fake provider are labelled as simulated in the summary of a run, in a comparison and in JSON.',
    'runner.compare':
      'A task is run with and without pruning in pairs; the report has tokens, cost, turns, success and intervals.',
  }),
];

/** Seeing a run. */
export const VIEWER: readonly Requirement[] = [
  ...from(
    'seed 001 §3 (UI interactions), seed 000 §3 (UI interactions)',
    {
      'viewer.tool-calls': 'The viewer shows the agent’s `mcp:*/*` tool calls as they occur.',
      'viewer.events': 'Pruner failures show as `mcp_pruner.*` events while the run continues.',
    },
    AWAITS.viewer,
  ),
  ...from(
    'seed 001 §6 (manual verification)',
    { 'viewer.ready': 'A run with the pruner shows `mcp_pruner.ready` and the pruned calls.' },
    AWAITS.viewer,
  ),
];

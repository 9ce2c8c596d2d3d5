import { AWAITS, from, type Requirement } from './entry.ts';

/** The threat table: what happened elsewhere must not happen here. */
export const SECURITY: readonly Requirement[] = [
  ...from('security T1', {
    'security.t1.browser':
      'No browser request reaches a handler: hosts, origins, media types and verbs are checked first.',
  }),
  ...from('security T2', { 'security.t2.paths': 'No path trick or symlink reads outside the root.' }),
  ...from('security T3', { 'security.t3.race': 'A file swapped for a symlink during a read leaks nothing.' }),
  ...from('security T4', {
    'security.t4.special-files': 'FIFOs, devices and huge sparse files neither block nor fill memory.',
  }),
  ...from('security T5', { 'security.t5.arguments': 'Patterns and paths that look like options are taken literally.' }),
  ...from(
    'security T6',
    { 'security.t6.no-shell': 'Only `bash` uses a shell; everything else is an argument list.' },
    AWAITS.runner,
  ),
  ...from('security T7', {
    'security.t7.no-commands-from-data': 'Upstream data never chooses a command or a URL to open.',
  }),
  ...from('security T8', { 'security.t8.work-tree-config': 'No configuration in the working tree starts anything.' }),
  ...from('security T9', {
    'security.t9.environment': 'Secrets and loader variables of the server never reach a command.',
  }),
  ...from('security T10', {
    'security.t10.process-tree': 'A timed-out or cancelled command leaves no process behind.',
  }),
  ...from('security T11', { 'security.t11.orphans': 'A server whose client is gone ends.' }),
  ...from('security T12', {
    'security.t12.floods': 'Giant messages and outputs neither close the connection nor fill memory.',
  }),
  ...from('security T13', {
    'security.t13.operator-url':
      'The pruner’s address comes from the operator only, and plain http off loopback is warned about once.',
  }),
  ...from('security T14', { 'security.t14.user-regex': 'A caller’s regular expression never runs in this process.' }),
  ...from('security T14', { 'security.t14.own-regex': 'Pruning hostile lines takes time linear in their length.' }),
  ...from('security T15', { 'security.t15.hostile-json': 'Deep or prototype-poisoning JSON breaks nothing.' }),
  ...from('security T16', { 'security.t16.no-cross-talk': 'Parallel clients see only their own answers.' }),
  ...from('security T18', { 'security.t18.log-lines': 'Control characters in content never break a log line.' }),
  ...from('security T19', {
    'security.t19.poisoned-tools': 'Changed, shadowing or hidden-character definitions are flagged and cleaned.',
    'security.t19.description-cap': 'A description of more than 4 KiB is cut.',
  }),
  ...from('security T20', {
    'security.t20.hostile-upstream': 'A hanging, crashing or flooding upstream harms no other.',
  }),
  ...from('security T21', { 'security.t21.no-passthrough': 'A caller’s token is never forwarded upstream.' }),
  ...from('security T23', { 'security.t23.scoped-stash': 'A stash id of another project is not found.' }),
  ...from('security T22', {
    'security.t22.silence': 'In the default configuration no connection leaves loopback.',
  }),
  ...from('security T25', { 'security.t25.slow-clients': 'Dripping connections do not delay others.' }),
  ...from('security T26', {
    'security.t26.supply-chain':
      'Dependencies are pinned in a lock file, few, exact in version, and run no install script.',
  }),
  ...from('issue 14 item 1', {
    'doors.git': 'No git configuration of a directory is obeyed: `jeeves verify DIR` runs none of its programs.',
  }),
  ...from('issue 14 item 2', {
    'doors.same-user':
      'On Linux a loopback connection without the token is served only when it is of the same user; health and metrics are open.',
    'doors.http-quota': 'Texts that HTTP callers store never push out the texts of others.',
    'doors.own-project':
      'Without a project, stashed text is found in the caller’s own project only, unless asked for all.',
  }),
  ...from('issue 14 item 3', {
    'doors.lists': 'Every list in every schema has a maximum, and no more than 20 mistakes are looked for or named.',
    'doors.shapes':
      'A body of any shape blocks the service for at most 100 ms and takes at most four times its size in memory.',
  }),
  ...from('issue 14 item 7', {
    'doors.environment':
      'A command inherits what a shell and build tools need, and what `MCP_PRUNER_ENV_PASS` names; nothing else.',
  }),
  ...from('issue 14 item 6', {
    'doors.redaction': 'A hundred forms of secrets are taken out before lines leave for DeepInfra.',
  }),
  ...from('issue 14 item 8', {
    'doors.store-paths':
      'A store is a regular file at an absolute path or nothing: never a device, a FIFO or in the working tree, also not with an empty HOME.',
  }),
  ...from('issue 14 item 10', {
    'doors.forged-markers':
      '`read` warns `marker_in_input`, names the lines that only look like markers, and says which prune id is its own.',
  }),
  ...from('issue 14 item 11', {
    'doors.terminal':
      'Control sequences of texts, file names and other words that were read never reach a terminal, in any command.',
  }),
  ...from('issue 14 item 12', {
    'doors.idle-connections': 'Idle connections of one address lock nobody else out, and end soon.',
  }),
  ...from('issue 14 item 13', {
    'doors.documented':
      'The guide says what allowing `bash` sidesteps and offers a configuration without it first; the example works.',
  }),
  ...from('security T27', {
    'security.t27.quiet-logs': 'Logs hold no file contents and no questions, and commands only in part.',
  }),
];

import { from, type Requirement } from './entry.ts';

/** Advice about a conversation's context, and the stash behind it. */
export const CONTEXT: readonly Requirement[] = [
  ...from('seed 003 (tool categories)', {
    'context.analyze-usage': '`context_analyze_usage` tells usage, health and what to do about it.',
    'context.working-set': '`context_get_working_set` lists the active segments of a project or task.',
    'context.gc.analyze': '`context_gc_analyze` ranks the segments that may go and why.',
    'context.gc.prune': '`context_gc_prune` stashes or deletes the named segments.',
    'context.gc.pin': '`context_gc_pin` and `context_gc_unpin` protect segments and release them.',
    'context.stash': '`context_stash` moves segments from the working set to the stash.',
    'context.search': '`context_search_stashed` finds stashed segments by words and metadata.',
    'context.retrieve': '`context_retrieve_stashed` gives stashed segments back, into the working set when asked.',
    'context.snapshot': '`context_create_task_snapshot` saves a task’s segments before a switch.',
    'context.task-context': '`context_get_task_context` gives the context of one task.',
    'context.current-task': '`context_set_current_task` sets the active task.',
  }),
  ...from('seed 003 (tool call example), requirements 2.7', {
    'context.usage-percent': 'Usage of 25,000 of 32,000 tokens is reported as 78 percent.',
  }),
  ...from('seed 003 (advisory mode), requirements 2.7', {
    'context.advisory': 'The server advises and never touches the platform’s own context.',
    'context.descriptors': 'Descriptors carry recent messages, current file, token usage, segment summaries and task.',
    'context.recommendation': 'A recommendation names segments, stash or delete, the reason and the tokens it frees.',
    'context.delete-or-stash': 'Deleting and stashing are explicit and different actions.',
  }),
  ...from('seed 003 (integration flow), seed 003 (agent interaction)', {
    'context.workflow':
      'Analyze, rank, prune, stash and search work one after the other as the seed’s workflow has them.',
  }),
  ...from('seed 003 (platform responsibilities), origins §3.7, issue 12', {
    'context.token-counts': 'Tokens that the platform has counted are used as they are and never counted again.',
  }),
  ...from('seed 003 (context descriptor format), issue 12', {
    'context.task-kept':
      'A segment stays with the task it was first described under: a later `task_info`, with or without a `task_id`, moves none.',
  }),
  ...from('seed 003 (error handling), requirements 2.7', {
    'context.errors.structured': 'Every failure is a structured error.',
    'context.errors.partial': 'Bad ids of a batch are reported one by one and the rest is done.',
    'context.errors.unchanged': 'A failing operation leaves the state as it was.',
  }),
  ...from('requirements 2.7', {
    'context.pinned-refused': 'A pinned segment in a plan is refused and named.',
    'context.scopes': 'State never leaks between projects or tasks.',
  }),
  ...from('decisions §7 #18', {
    'context.age-saturates': 'Age counts only up to a limit.',
    'context.delete-confirmed': 'Deleting is never recommended before stashing and never done without confirmation.',
  }),
  ...from('decisions §5, decisions §6', { 'context.stash-durable': 'An acknowledged stash survives a crash.' }),
  ...from('seed 003 (standard workflow), origins §3.2', {
    'context.usage-shape':
      'Usage comes as tokens, percent, sentences and candidates at top level, with metrics, health and details beside.',
    'context.payback':
      'Every recommended clearing says what it frees, what of the cache it invalidates and when it pays back.',
    'context.payback-limit':
      'A clearing that pays back too late is listed with its figures, and recommended only where hardly any room is left.',
    'context.prices': 'Prices and cache rates are configurable.',
    'context.next-step': 'Every answer ends with the one next step worth taking.',
    'context.list-projects': '`context_list_projects` lists the projects there are.',
    'context.redundant':
      'Duplicates, superseded reads and runs, and outputs of failed calls are recognised without a model.',
    'context.roots': 'Pins, current task, current file, recent messages and fresh decisions keep what they lead to.',
    'context.previews': 'A segment known by its preview is stashed as that preview, and says so.',
    'context.inline': 'Texts are stashed inline, in one call.',
    'context.retrieve-goal': 'With a goal, retrieved segments are pruned, and recoverable byte for byte.',
    'context.names': 'Ids are data: paths, NUL, ten kilobytes and emoji come back as they were.',
    'context.replicas': 'Two servers on one store see each other’s stash.',
  }),
  ...from('origins §3.9', {
    'context.defects.read-only': 'Analysis ingests nothing twice: the same descriptors give the same answer.',
    'context.defects.roots': 'Usage counts candidates from real roots.',
    'context.defects.maintained': 'Generation, survivals, references and last touch are kept up to date.',
    'context.defects.pins': '`context_stash` leaves pinned segments alone.',
    'context.defects.whole-project': '`context_stash` means the whole project, whichever task is current.',
    'context.defects.time-zones': 'Times with and without a zone can be compared.',
    'context.defects.restart': 'Working set and pins survive a restart.',
    'context.defects.index': 'What left the stash is found there no more.',
    'context.defects.paths': 'No id becomes a file name.',
    'context.defects.one-copy': 'Describing a stashed segment again makes no second copy of it.',
    'context.defects.snapshots': 'Snapshots hold no snapshots and are counted nowhere else.',
  }),
  ...from(
    'seed 003 (resource patterns)',
    { 'context.resources': 'Stashed segments and snapshots can be browsed as resources.' },
    'the seed itself defers resources to a later version',
  ),
];

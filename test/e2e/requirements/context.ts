import { AWAITS, from, type Requirement } from './entry.ts';

/** Advice about a conversation's context, and the stash behind it. */
export const CONTEXT: readonly Requirement[] = [
  ...from(
    'seed 003 (tool categories)',
    {
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
    },
    AWAITS.context,
  ),
  ...from(
    'seed 003 (tool call example), requirements 2.7',
    { 'context.usage-percent': 'Usage of 25,000 of 32,000 tokens is reported as 78 percent.' },
    AWAITS.context,
  ),
  ...from(
    'seed 003 (advisory mode), requirements 2.7',
    {
      'context.advisory': 'The server advises and never touches the platform’s own context.',
      'context.descriptors':
        'Descriptors carry recent messages, current file, token usage, segment summaries and task.',
      'context.recommendation': 'A recommendation names segments, stash or delete, the reason and the tokens it frees.',
      'context.delete-or-stash': 'Deleting and stashing are explicit and different actions.',
    },
    AWAITS.context,
  ),
  ...from(
    'seed 003 (integration flow), seed 003 (agent interaction)',
    {
      'context.workflow':
        'Analyze, rank, prune, stash and search work one after the other as the seed’s workflow has them.',
    },
    AWAITS.context,
  ),
  ...from(
    'seed 003 (error handling), requirements 2.7',
    {
      'context.errors.structured': 'Every failure is a structured error.',
      'context.errors.partial': 'Bad ids of a batch are reported one by one and the rest is done.',
      'context.errors.unchanged': 'A failing operation leaves the state as it was.',
    },
    AWAITS.context,
  ),
  ...from(
    'requirements 2.7',
    {
      'context.pinned-refused': 'A pinned segment in a plan is refused and named.',
      'context.scopes': 'State never leaks between projects or tasks.',
    },
    AWAITS.context,
  ),
  ...from(
    'decisions §7 #18',
    {
      'context.age-saturates': 'Age counts only up to a limit.',
      'context.delete-confirmed': 'Deleting is never recommended before stashing and never done without confirmation.',
    },
    AWAITS.context,
  ),
  ...from(
    'decisions §5, decisions §6',
    { 'context.stash-durable': 'An acknowledged stash survives a crash.' },
    AWAITS.context,
  ),
  ...from(
    'seed 003 (resource patterns)',
    { 'context.resources': 'Stashed segments and snapshots can be browsed as resources.' },
    'the seed itself defers resources to a later version',
  ),
];

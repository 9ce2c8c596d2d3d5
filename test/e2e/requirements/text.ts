import { from, type Requirement } from './entry.ts';

/** Taking lines away from a text: what holds for every result, and what happens when it cannot be done. */
export const TEXT: readonly Requirement[] = [
  ...from('seed 002 §1', {
    'text.deterministic': 'The same text, goal and options give the same kept lines every time.',
    'text.goal-aware': 'The goal decides which of the unprotected lines stay.',
    'text.no-summary': 'Nothing is rephrased: every line of the result is a line of the input or a marker.',
  }),
  ...from('seed 002 §2.1, seed 002 §4.1', {
    'text.source-types': 'A text is pruned as code, logs or docs, whichever the caller says.',
  }),
  ...from('seed 002 §2.3, requirements 2.6', {
    'text.order': 'Kept lines stay in their original order, each byte-identical to its original.',
  }),
  ...from('seed 002 §2.3, seed 002 §5.1, seed 002 §7.3, requirements 2.6, decisions §5', {
    'text.limits.max-prune-ratio': 'At least ⌈n·(1−ratio)⌉ of n lines stay, never rounded the wrong way.',
    'text.limits.min-keep-lines': 'At least the asked minimum of lines stays.',
  }),
  ...from('seed 002 §4.1, decisions §5', {
    'text.limits.rule-over-example':
      'With 420 lines and a ratio of 0.55 at least 189 lines stay: the rule wins over the example that removes 240.',
  }),
  ...from('seed 002 §7.3, seed 002 §9, decisions §7 #7', {
    'text.limits.constraints-unmet':
      'Options that are valid but that no selection can satisfy give the raw text with `constraints_unmet`.',
  }),
  ...from('decisions §5', {
    'text.limits.defaults': 'Without limits of the caller at most 90 % of the lines go and at least 5 stay.',
    'text.lines.only-newline-ends':
      'A line ends at `\\n` and nowhere else; "a\\n" is one line and "" is none; a `\\r` before the `\\n` belongs to the ending.',
    'text.lines.window':
      'A text that is a window of a file is numbered as in the file, in its markers and in recovery.',
    'text.rebuild':
      'Kept lines plus all recovered gaps rebuild the raw text byte for byte, whatever its line endings and characters.',
    'text.canonical.ignores-cost':
      'With canonical markers only ratio, minimum and protection decide: a gap is cut even where its marker is longer.',
    'text.compact.worthwhile': 'In tool output a gap whose marker would cost as much as its text is kept instead.',
    'text.compact.never-larger': 'A pruned tool output is never larger than the raw one.',
  }),
  ...from('seed 002 §2.3, seed 002 §9, requirements 2.6', {
    'text.noop.contract':
      'Text that cannot be pruned comes back raw, with no annotation, the fallback flag set, at least one warning code and a prune id.',
    'text.noop.recoverable': 'The prune id of a no-op recovers the text.',
    'text.fail-open.backend': 'A backend that throws or rejects costs the pruning, never the text.',
    'text.fail-open.scores':
      'A backend that answers with the wrong number of scores costs the pruning, never the text.',
  }),
  ...from('seed 002 §9, seed 002 §12, decisions §7 #5, requirements 2.6', {
    'text.noop.input-too-large': 'A text beyond the allowed size is a no-op with the warning `input_too_large`.',
    'text.noop.timeout': 'Pruning that outlasts its timeout is a no-op with the warning `timeout`, in about that time.',
    'text.noop.timeout-computing': 'A backend that computes without pause is stopped by the timeout too.',
    'text.noop.internal-error': 'Any other failure inside is a no-op with the warning `internal_error`.',
  }),
  ...from('design/architecture invariant 2, requirements 2.6', {
    'text.fail-open.store': 'A text that cannot be stored is not cut: what cannot be given back is not taken away.',
    'text.warnings.known': 'Every warning code the engine gives is in the documented list of warnings.',
  }),
  ...from('issue 12 (must hold), decisions §5', {
    'text.never-grows': 'A result never takes more tokens than its text, and never claims a saving below zero.',
  }),
  ...from('seed 002 §4.1', {
    'text.result.fields': 'The wire result has `prune_id`, `pruned_text`, `annotations`, `stats` and `warnings`.',
    'text.result.stats':
      'The statistics count original, kept and pruned lines, their ratio, tokens before and after, the time taken and the fallback.',
    'text.goal-is-data': 'A goal that reads like an order, a marker or a directive is words to match, nothing more.',
  }),
  ...from('seed 002 §5.1, seed 002 §5.2', {
    'text.annotate-lines': 'With line annotation every kept line is prefixed with its original number and `│ `.',
    'text.line-numbers': 'Line numbers count from 1 in the original text.',
  }),
  ...from('seed 002 §7.1, requirements 2.6, security T22', {
    'text.local-by-default': 'Pruning and recovering with the embedded backend open no network connection.',
  }),
  ...from('seed 002 §7.2, requirements 2.6', {
    'text.untrusted-content':
      'Text that asks for commands, prototypes or tags to be honoured is treated as plain lines.',
  }),
  ...from('decisions §2', {
    'text.tools.stdio': 'The text tools answer over stdio as they do over HTTP, when they are chosen.',
  }),
  ...from('decisions §3', {
    'text.reply-cut': 'A `prune_text` reply that would exceed 8 MiB over stdio or `/mcp` loses lines and says so.',
  }),
  ...from('seed 002 §11', {
    'text.audit': 'Every removed line lies in exactly one annotation, and is recoverable by it.',
  }),
  ...from('decisions §1', {
    'text.backend-name': 'On the wire the embedded backend is called `heuristic`, whichever it is.',
  }),
];

/** What stands where lines were removed. */
export const MARKERS: readonly Requirement[] = [
  ...from('seed 002 §6.1', {
    'marker.annotation.fields':
      'Each gap has one annotation: inclusive original first and last line, line count, reason and marker.',
    'marker.annotation.reason-french': 'The reason of an annotation is short and French, the same as in its marker.',
  }),
  ...from('seed 002 §6.2, requirements 2.6, decisions §5', {
    'marker.canonical.grammar': 'The canonical marker matches the published grammar, byte for byte.',
    'marker.identity': 'A marker in the text equals the marker of its annotation exactly.',
    'marker.single-line': 'A marker is one line.',
    'marker.unprefixed': 'A marker never gets a line number in front, also when kept lines do.',
    'marker.reason.opaque': 'A parsed marker gives its reason back as an uninterpreted string.',
  }),
  ...from('seed 002 §5.1, seed 002 §6.3, requirements 2.6', {
    'marker.optional': 'Without markers in the text the annotations are as complete as with them.',
    'marker.synthetic': 'A marker is no line of the text: it is neither counted nor numbered.',
  }),
  ...from('decisions §5', {
    'marker.compact.grammar': 'Tool output uses `⟦pruned a-b (n lines)⟧`, one per gap.',
    'marker.closing': 'One closing line names the prune id and how to restore any range.',
  }),
  ...from('security T17, decisions §5', {
    'marker.reason.closed': 'What a marker says of its reason comes from a closed list, never from text or goal.',
    'marker.no-substitution':
      'Nothing is ever replaced inside the text, also where it contains placeholder-like words.',
    'marker.in-input.verbatim': 'A marker-shaped input line is ordinary text: kept byte for byte when kept.',
    'marker.in-input.warning': 'Marker-shaped or directive-shaped input lines raise the warning `marker_in_input`.',
    'marker.in-input.untrusted':
      'Marker-shaped input lines change neither annotations nor recovery: only the result’s own id counts.',
    'marker.only-unprefixed': 'With line annotation real markers are the only lines without a number.',
  }),
  ...from('security T14', {
    'marker.linear-parsing': 'Reading markers takes time linear in the line, also for lines made to be slow.',
  }),
];

/** Lines that stay whatever the goal. */
export const PROTECT: readonly Requirement[] = [
  ...from('seed 002 §7.4, requirements 2.6', {
    'protect.code.imports': 'Import lines of code stay.',
    'protect.code.definitions': 'Lines that open a class or a function stay.',
    'protect.code.file-header': 'The header of a code file stays.',
    'protect.logs.alarms': 'Log lines that contain error, exception or traceback stay.',
    'protect.logs.context': 'What stands right around a log error stays with it.',
    'protect.logs.trace': 'A stack trace stays whole.',
    'protect.docs.headings': 'Titles and section headings of documents stay.',
    'protect.docs.fences-whole': 'A fenced code block of a document stays or goes as a whole.',
    'protect.docs.no-heading-in-fence': 'A `#` line inside a fenced code block is no heading.',
    'protect.no-prune.block': 'Everything between the two NO_PRUNE directives stays, in every kind of text.',
    'protect.no-prune.directives': 'Both directive lines stay.',
  }),
  ...from('security T17', {
    'protect.no-prune.unclosed':
      'A NO_PRUNE block without an end protects to the end of the text and raises a warning.',
  }),
];
